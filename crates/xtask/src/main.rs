//! Every dev command.
fn main() {}
