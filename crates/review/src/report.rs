//! The outcome of one command over one app.

use agent_surface_manifest::{Manifest, ManifestError};
use agent_surface_words::words;

use crate::{
    Change, ContractError, Explanation, Format, Options, Places, Policy, Role, Warning, compare, render,
};

words! {
    /// What the user asked for.
    pub enum Command {
        /// Show the contract.
        Inspect = "inspect",
        /// Write the snapshot.
        Snapshot = "snapshot",
        /// Fail where the snapshot is not the contract, or the contract drifted from the base.
        Check = "check",
        /// Tell all about one capability.
        Explain = "explain",
    }
}

words! {
    /// How it ended.
    pub enum Status {
        /// Nothing to object to.
        Pass = "pass",
        /// The snapshot is not the contract, or the policy selected a change.
        Fail = "fail",
        /// The snapshot was written.
        Written = "written",
        /// It was only a look.
        View = "view",
    }
}

words! {
    /// Whether the base has a snapshot.
    pub enum BaseStatus {
        /// It does.
        Present = "present",
        /// The change adds the first one, so all of it is new.
        Missing = "missing",
    }
}

words! {
    /// What the snapshot is to the source.
    pub enum SnapshotStatus {
        /// What the source compiles to.
        Current = "current",
        /// What another source compiled to.
        Stale = "stale",
        /// Not there.
        Missing = "missing",
    }
}

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Request {
    /// What the user asked for.
    pub command: Command,
    /// What the source compiles to, one contract for each target.
    pub compiled: Vec<Manifest>,
    /// Where the capabilities are declared.
    pub places: Places,
    /// The snapshot's path, relative to the app's root.
    pub snapshot_path: String,
    /// The snapshot, if there is one.
    pub snapshot: Option<Manifest>,
    /// What a pull request is compared with.
    pub base: Option<Base>,
    /// Which changes since the base fail a check.
    pub policy: Policy,
    /// What is known of the capability to explain.
    pub explanations: Vec<Explanation>,
    /// What the compiler warned of, for any target.
    pub warnings: Vec<Warning>,
}

/// What a pull request is compared with.
#[derive(Clone, Debug)]
pub struct Base {
    /// The git ref, as the user wrote it.
    pub reference: String,
    /// The snapshot there; none before the change that adds it.
    pub contract: Option<Manifest>,
}

/// The source against the snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Integrity {
    /// What the snapshot is to the source.
    pub status: SnapshotStatus,
    /// What would make the contract of the snapshot.
    pub changes: Vec<Change>,
}

/// The snapshot, or for a mere look the source, against the base.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// The git ref of the base, as the user wrote it.
    pub base: String,
    /// Whether it has a snapshot.
    pub base_status: BaseStatus,
    /// What was compared with it: `snapshot` or `source`.
    pub head: &'static str,
    /// What makes it of the base.
    pub changes: Vec<Change>,
}

/// The outcome of one command over one app.
#[derive(Clone, Debug)]
pub struct Report {
    pub(crate) command: Command,
    pub(crate) contract: Manifest,
    pub(crate) places: Places,
    pub(crate) snapshot_path: String,
    pub(crate) integrity: Option<Integrity>,
    pub(crate) drift: Option<Drift>,
    pub(crate) policy: Policy,
    pub(crate) explanations: Vec<Explanation>,
    pub(crate) warnings: Vec<Warning>,
}

impl Report {
    /// Compares what there is to compare.
    ///
    /// # Errors
    /// The contracts of several targets disagree about one declaration.
    pub fn new(request: Request) -> Result<Self, ContractError> {
        let Request {
            command,
            compiled,
            places,
            snapshot_path,
            snapshot,
            base,
            policy,
            explanations,
            warnings: all,
        } = request;
        // What is wrong for one target is often wrong for the others too.
        let mut warnings = Vec::new();
        for warning in all {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let contract = unite(compiled).map_err(|cause| ContractError {
            role: Role::Compiled,
            cause: Box::new(cause),
            is_conflicted: false,
        })?;
        let drift = base.map(|Base { reference, contract: base }| {
            // A check judges what is committed; that it is what the source says is a finding of its own.
            let (head, current) = match &snapshot {
                Some(snapshot) if command == Command::Check => ("snapshot", snapshot),
                _ => ("source", &contract),
            };
            let base_status = if base.is_some() { BaseStatus::Present } else { BaseStatus::Missing };
            Drift { base: reference, base_status, head, changes: compare(base.as_ref(), current) }
        });
        let integrity = (command != Command::Snapshot).then(|| Integrity {
            status: match &snapshot {
                None => SnapshotStatus::Missing,
                Some(snapshot) if snapshot.hash() == contract.hash() => SnapshotStatus::Current,
                Some(_) => SnapshotStatus::Stale,
            },
            changes: compare(snapshot.as_ref(), &contract),
        });
        Ok(Self {
            command,
            contract,
            places,
            snapshot_path,
            integrity,
            drift,
            policy,
            explanations,
            warnings,
        })
    }

    /// How the command ended.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.command {
            Command::Inspect | Command::Explain => Status::View,
            Command::Snapshot => Status::Written,
            Command::Check if self.is_stale() || self.selected() > 0 => Status::Fail,
            Command::Check => Status::Pass,
        }
    }

    /// Whether the snapshot is not what the source compiles to.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.integrity.as_ref().is_some_and(|integrity| integrity.status != SnapshotStatus::Current)
    }

    /// How many changes since the base the policy selects.
    #[must_use]
    pub fn selected(&self) -> usize {
        let changes = self.drift.iter().flat_map(|drift| &drift.changes);
        changes.filter(|change| self.policy.selects(change.class)).count()
    }

    /// The warnings that the command is about: an explanation is of one capability, and they are of the whole app.
    pub(crate) fn shown_warnings(&self) -> &[Warning] {
        if self.command == Command::Explain { &[] } else { &self.warnings }
    }

    /// The contract file of all targets.
    #[must_use]
    pub fn contract_text(&self) -> String {
        self.contract.to_file_text()
    }

    /// The report in a format, with a final newline.
    #[must_use]
    pub fn render(&self, format: Format, options: &Options) -> String {
        render::report(self, format, options)
    }
}

/// One target's contract as it is; of several, their union.
fn unite(mut compiled: Vec<Manifest>) -> Result<Manifest, ManifestError> {
    match compiled.len() {
        1 => Ok(compiled.remove(0)),
        _ => Manifest::merge(compiled),
    }
}
