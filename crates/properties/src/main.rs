//! `agent-surface-seeds FOLDER`: lays out the fuzz targets' first inputs, `FOLDER/<target>/<number>`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use agent_surface_properties::{ALL, seeds};

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: agent-surface-seeds FOLDER");
        return ExitCode::FAILURE;
    };
    match lay_out(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn lay_out(folder: &Path) -> io::Result<()> {
    for (name, _) in ALL {
        fs::create_dir_all(folder.join(name))?;
    }
    for (number, seed) in seeds().iter().enumerate() {
        fs::write(folder.join(seed.property).join(format!("seed-{number:04}")), &seed.bytes)?;
    }
    Ok(())
}
