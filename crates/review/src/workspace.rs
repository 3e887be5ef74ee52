//! One command over several apps.

use crate::{Command, Format, Options, Report, Status, render};

/// What became of one app.
#[derive(Clone, Debug)]
pub enum App {
    /// It was compiled and compared.
    Reported(Box<Report>),
    /// It was not, for this reason.
    Failed(String),
}

/// The outcome of one command over several apps.
#[derive(Clone, Debug)]
pub struct Workspace {
    command: Command,
    apps: Vec<(String, App)>,
}

impl Workspace {
    /// A workspace without an app.
    #[must_use]
    pub const fn new(command: Command) -> Self {
        Self { command, apps: Vec::new() }
    }

    /// Adds an app by its path from the workspace's root. Whatever the order, apps are shown by path.
    pub fn insert(&mut self, path: String, app: App) {
        let at = self.apps.partition_point(|(other, _)| *other < path);
        self.apps.insert(at, (path, app));
    }

    /// What the user asked for.
    #[must_use]
    pub const fn command(&self) -> Command {
        self.command
    }

    /// The apps, by path.
    #[must_use]
    pub fn apps(&self) -> &[(String, App)] {
        &self.apps
    }

    /// How the command ended: it failed if it did for one app, or could not even be run there.
    #[must_use]
    pub fn status(&self) -> Status {
        let failed = self.apps.iter().any(|(_, app)| match app {
            App::Reported(report) => report.status() == Status::Fail,
            App::Failed(_) => true,
        });
        match self.command {
            _ if failed => Status::Fail,
            Command::Inspect | Command::Explain => Status::View,
            Command::Snapshot => Status::Written,
            Command::Check => Status::Pass,
        }
    }

    /// The outcome in a format, with a final newline. [`Options::prefix`] is the path of the workspace's root.
    #[must_use]
    pub fn render(&self, format: Format, options: &Options) -> String {
        render::workspace(self, format, options)
    }
}
