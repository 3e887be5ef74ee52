//! The kernel gives the same answers in a browser and natively.
//!
//! `npm/core/test/answers.test.ts` plays random surfaces on the browser module and records every call; here the same
//! calls are made of the same crates, compiled for this machine, with Rust's own numbers and regular expressions.

use agent_surface_json::{Json, parse};
use agent_surface_schema::NativePatterns;
use agent_surface_wasm_binding::{Call, Desk, Reply, call};

const RECORDED: &str = include_str!("answers.jsonl");

fn number(value: &Json) -> f64 {
    // JSON has no infinity: where nothing is due, null was recorded.
    value.as_number().map_or(f64::INFINITY, |number| number.get())
}

#[test]
fn every_recorded_call_is_answered_alike() {
    let new_desk = || Desk::new(|| Box::new(NativePatterns::default()));
    let mut desk = new_desk();
    let mut calls = 0;
    for (at, line) in RECORDED.lines().enumerate() {
        let line = parse(line).unwrap();
        let [kind, handle, key, now, text, returned, reply, numbers] = line.as_array().unwrap() else {
            panic!("line {} is no call", at + 1);
        };
        let [kind, handle, key] = [kind, handle, key].map(|it| number(it) as u32);
        // Each seed has a kernel of its own.
        if kind == call::OPEN_AUTHORITY {
            desk = new_desk();
        }
        let call = Call { call: kind, handle, key, now: number(now), text: text.as_str().unwrap() };
        let mut answer = Reply::default();
        assert_eq!(desk.answer(call, &mut answer), number(returned), "line {}", at + 1);
        assert_eq!(answer.text, reply.as_str().unwrap(), "line {}", at + 1);
        let expected: Vec<i32> = numbers.as_array().unwrap().iter().map(|it| number(it) as i32).collect();
        assert_eq!(answer.numbers, expected, "line {}", at + 1);
        calls += 1;
    }
    assert!(calls > 1000, "{calls} calls");
}
