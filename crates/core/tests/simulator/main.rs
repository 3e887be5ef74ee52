//! The simulator: random schedules of everything that can happen to a surface, on a clock set by hand, with what must
//! always hold held against every step.
//!
//! `SIMULATOR_STEPS` sets how many steps there are in all, `SIMULATOR_SEED` where the seeds begin. A schedule that breaks
//! an invariant is printed as the shortest one that still does.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and their helpers have none")]

#[path = "../support/mod.rs"]
mod support;

mod random;
mod script;
mod watcher;
mod world;

use std::env;
use std::fmt::Write as _;

use script::{Op, generate, shrink};
use world::{Violation, World};

/// How many steps one surface lives.
const STEPS_PER_SEED: usize = 4000;

/// How many steps there are, where nobody says otherwise.
const STEPS: usize = 1_000_000;

fn setting(name: &str, default: usize) -> usize {
    env::var(name).ok().map_or(default, |text| text.parse().unwrap())
}

fn run(seed: u64, ops: &[Op]) -> Result<World, Violation> {
    let mut world = World::open(seed);
    for op in ops {
        world.step(*op)?;
    }
    world.close()?;
    Ok(world)
}

/// The shortest schedule that breaks the invariant that `ops` break, as text.
fn explain(seed: u64, ops: &[Op], violation: &Violation) -> String {
    let broken = &ops[..ops.len().min(violation.step + 1)];
    let shortest = shrink(broken, |ops| run(seed, ops).err().is_some_and(|it| it.rule == violation.rule));
    let mut text = format!(
        "seed {seed}: {}: {}\nthe shortest schedule that breaks it:\n",
        violation.rule, violation.what
    );
    for op in &shortest {
        writeln!(text, "    {op:?},").unwrap();
    }
    text
}

#[test]
fn the_invariants_hold_after_every_step_of_a_million() {
    let steps = setting("SIMULATOR_STEPS", STEPS);
    let first = setting("SIMULATOR_SEED", 0) as u64;
    let mut totals = watcher::Totals::default();
    for seed in (first..).take(steps.div_ceil(STEPS_PER_SEED)) {
        let ops = generate(seed, STEPS_PER_SEED);
        match run(seed, &ops) {
            Ok(world) => totals.add(world.totals()),
            Err(violation) => panic!("{}", explain(seed, &ops, &violation)),
        }
    }
    // What never happens proves nothing.
    totals.assert_everything_happened();
}

#[test]
fn one_seed_makes_one_trace() {
    for seed in 0..4 {
        let trace = || {
            let ops = generate(seed, STEPS_PER_SEED);
            let mut world = World::tracing(seed);
            for op in ops {
                world.step(op).unwrap();
            }
            world.into_trace()
        };
        let (first, second) = (trace(), trace());
        assert!(first.lines().count() > STEPS_PER_SEED);
        assert!(first == second, "seed {seed} diverged");
    }
}

#[test]
fn a_schedule_is_cut_down_to_what_breaks_the_rule() {
    let ops = generate(1, 500);
    let needs = |ops: &[Op]| {
        let first = ops.iter().position(|op| matches!(op, Op::Register { .. }));
        first.is_some_and(|at| ops[at..].iter().any(|op| matches!(op, Op::Invoke { .. })))
    };
    let shortest = shrink(&ops, needs);
    assert!(matches!(shortest[..], [Op::Register { .. }, Op::Invoke { .. }]), "{shortest:?}");
}
