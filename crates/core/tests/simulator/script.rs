//! Schedules: what happens to a surface, one thing after the other.

use crate::random::Random;

/// One thing that happens. Numbers choose among what there is by then, so that any part of a schedule is one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// A component is mounted.
    Register { component: u32, instance: u32, priority: u32 },
    /// A component is unmounted.
    Unregister { which: u32 },
    /// A component says that something is usable or not.
    Update { which: u32, capability: u32, how: u32 },
    /// An agent asks for something new.
    Invoke { consumer: u32, capability: u32, how: u32 },
    /// An agent sends again what it sent before, as it was or almost so.
    Repeat { which: u32, how: u32 },
    /// The host answers a question.
    Answer { which: u32, how: u32 },
    /// The host gives an invocation up.
    Cancel { which: u32 },
    /// The user decides on a confirmation.
    Decide { which: u32, approved: bool },
    /// A handler returns whose invocation has ended.
    ReturnLate { which: u32 },
    /// Time passes.
    Advance { millis: u32 },
    /// The turn of the event loop ends.
    EndTurn,
    /// An agent looks at the surface.
    Look { scope: u32, how: u32 },
    /// The surface is closed, and another one opened.
    Dispose,
}

/// The schedule of a seed.
pub(crate) fn generate(seed: u64, steps: usize) -> Vec<Op> {
    let mut random = Random::new(seed);
    (0..steps).map(|_| op(&mut random)).collect()
}

fn op(random: &mut Random) -> Op {
    let dice = random.below(1000);
    let mut any = || random.below(1 << 16);
    match dice {
        0..80 => Op::Register { component: any(), instance: any(), priority: any() },
        80..110 => Op::Unregister { which: any() },
        110..150 => Op::Update { which: any(), capability: any(), how: any() },
        150..390 => Op::Invoke { consumer: any(), capability: any(), how: any() },
        390..460 => Op::Repeat { which: any(), how: any() },
        460..820 => Op::Answer { which: any(), how: any() },
        820..840 => Op::Cancel { which: any() },
        840..880 => Op::Decide { which: any(), approved: any() % 4 != 0 },
        880..895 => Op::ReturnLate { which: any() },
        895..955 => Op::Advance { millis: any() % 700 },
        955..975 => Op::EndTurn,
        975..999 => Op::Look { scope: any(), how: any() },
        _ => Op::Dispose,
    }
}

/// The shortest part of a schedule that still fails: ever smaller pieces are left out as long as it does.
pub(crate) fn shrink(ops: &[Op], fails: impl Fn(&[Op]) -> bool) -> Vec<Op> {
    let mut ops = ops.to_vec();
    let mut piece = ops.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        let mut shorter = false;
        while at < ops.len() {
            let mut without = ops.clone();
            without.drain(at..(at + piece).min(ops.len()));
            if fails(&without) {
                ops = without;
                shorter = true;
            } else {
                at += piece;
            }
        }
        if !shorter || piece > 1 {
            piece /= 2;
        }
    }
    ops
}
