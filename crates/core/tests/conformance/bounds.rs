use agent_surface_core::{Config, Executed, Limits, Question};

use crate::support::{DONE, Surface, action, component, observation, request, with};

/// A surface whose limits are small, so that a test reaches them.
fn small() -> Surface {
    let limits = Limits { dedupe_cache_size: 5, tombstone_size: 3, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    Surface::with_config([with(component("screen"), [action("run"), observation("state")])], config)
}

#[test]
fn nothing_grows_with_the_number_of_invocations() {
    let mut surface = small();
    surface.mount("screen");
    surface.reply(Question::Execution, DONE());
    for _ in 0..1000 {
        surface.call("view:screen.run", "{}");
        surface.call("view:screen.state", "{}");
        surface.outputs.clear();
    }
    let usage = surface.registry.usage();
    assert_eq!((usage.in_flight, usage.overdue, usage.groups, usage.deadlines), (0, 0, 0, 0));
    assert_eq!(usage.answered, 5);
}

#[test]
fn handlers_that_never_return_are_not_remembered_for_ever() {
    let mut surface = small();
    surface.mount("screen");
    let first = surface.call("view:screen.run", "{}");
    surface.pass(10_000);
    for _ in 0..1100 {
        surface.call("view:screen.run", "{}");
        surface.pass(10_000);
        surface.outputs.clear();
    }
    assert_eq!(surface.registry.usage().overdue, 1024);
    surface.finish(first, Executed::Returned(None));
    assert!(surface.records().is_empty());
}

#[test]
fn nothing_grows_with_the_number_of_registrations() {
    let mut surface = small();
    for _ in 0..100 {
        let key = surface.mount("screen");
        surface.call("view:screen.run", "{}");
        surface.unmount(key);
    }
    let usage = surface.registry.usage();
    assert_eq!((usage.registrations, usage.tombstones, usage.groups, usage.in_flight), (0, 3, 0, 0));
    assert_eq!(
        surface.error(request("view:screen.run", "{}")).code,
        agent_surface_core::Code::ComponentUnmounted
    );
}
