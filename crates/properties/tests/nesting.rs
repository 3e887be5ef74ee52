//! Documents that nest deeply, each in its own way, on less stack than any thread has.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(clippy::print_stdout, reason = "a stack that overflows leaves no other word of what was tried")]

use std::thread;

use agent_surface_host::{Nested, nested};
use agent_surface_properties::ALL;

/// What a thread that a test runs on has. Node's workers and main threads have more.
const STACK: usize = 512 * 1024;

/// Up to where documents may nest, one beyond, and far beyond.
const DEPTHS: [usize; 5] = [8, 126, 129, 2000, 100_000];

/// Ways in which a document nests: what stands before, opens, is inside, closes, and stands behind.
const NESTS: [(&str, &str, &str, &str, &str); 22] = [
    ("", "[", "", "]", ""),
    ("", "[", "", "", ""),
    ("", "[0,", "1", "]", ""),
    ("", "{\"a\":", "1", "}", ""),
    ("", "{\"a\":", "", "", ""),
    ("", "[{\"a\":", "1", "}]", ""),
    ("", "{\"items\":", "{}", "}", ""),
    ("", "{\"anyOf\":[", "{}", "]}", ""),
    ("", "{\"properties\":{\"a\":", "{}", "}}", ""),
    ("", "{\"$defs\":{\"a\":", "{}", "}}", ""),
    ("{\"const\":", "[", "", "]", "}"),
    ("{\"enum\":[1,", "{\"a\":", "1", "}", "]}"),
    ("{\"default\":", "{\"a\":", "1", "}", "}"),
    (
        "{\"$defs\":{\"a\":{\"items\":",
        "{\"anyOf\":[",
        "{\"$ref\":\"#/$defs/a\"}",
        "]}",
        "}},\"$ref\":\"#/$defs/a\"}\0[[[]]]",
    ),
    ("{\"pattern\":\"", "(", "a", ")", "\"}\0\"aaaa\""),
    ("{\"pattern\":\"", "(?:a", "b", ")*", "\"}\0\"aaaa\""),
    ("{\"pattern\":\"", "(|", "b", "){2}", "\"}"),
    ("{\"uniqueItems\":true}\0[1,", "[", "", "]", "]"),
    ("{\"items\":{}}\0", "[", "", "]", ""),
    ("{\"formatVersion\":5,\"capabilities\":", "[", "", "]", "}"),
    ("{\"formatVersion\":5,\"capabilities\":[{\"inputSchema\":", "{\"items\":", "{}", "}", "}]}"),
    ("{\"formatVersion\":", "{\"a\":", "1", "}", "}"),
];

#[test]
fn whoever_reads_a_document_that_nests_comes_to_an_end() {
    for (before, open, inside, close, after) in NESTS {
        for depth in DEPTHS {
            let text = format!("{before}{}{inside}{}{after}", open.repeat(depth), close.repeat(depth));
            hold(&format!("{before}{open}{inside}{close}{after}, {depth} deep"), &text);
        }
    }
}

#[test]
fn whoever_reads_a_document_that_goes_on_from_definition_to_definition_comes_to_an_end() {
    for length in [10, 300, 20_000] {
        for (open, close) in [("", ""), ("\"items\":{", "}"), ("\"anyOf\":[{", "}]")] {
            let mut text = String::from("{\"$ref\":\"#/$defs/0\",\"$defs\":{");
            for at in 0..length {
                let end = if at + 1 < length { "," } else { "" };
                text += &format!("\"{at}\":{{{open}\"$ref\":\"#/$defs/{}\"{close}}}{end}", (at + 1) % length);
            }
            hold(&format!("{open}{close}, {length} long"), &format!("{text}}}}}\0[[[1]]]"));
        }
    }
}

#[test]
fn the_properties_of_modules_that_nest_hold_on_a_small_stack_too() {
    let (_, analyse) = ALL[0];
    for Nested { what, text, .. } in nested(1000) {
        println!("{what}");
        thread::scope(|scope| {
            let bytes = format!("\u{0}{text}").into_bytes();
            let hold = move || analyse(&bytes);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, hold).unwrap().join().unwrap();
        });
    }
}

/// Holds every reader of documents to its word, on a small stack.
fn hold(what: &str, text: &str) {
    // A stack that overflows ends the process: this is the last that is heard of it.
    println!("{what}");
    for (name, property) in ALL {
        if !name.starts_with("analyse_") {
            thread::scope(|scope| {
                let read = || property(text.as_bytes());
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read).unwrap().join().unwrap();
            });
        }
    }
}
