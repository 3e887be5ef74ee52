//! One contract for all environments of an app: what each proves by itself, in one manifest, and the proofs over it.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use agent_surface_compiler::{Neighbour, Proof, Report, Union};
use agent_surface_manifest::Manifest;
use support::{Build, Project, describing, with_imports};

/// A build of an app whose modules each declare a contract under the variable's name `c`, with these descriptions.
fn build(modules: &[(&str, &str)]) -> Build {
    let mut main = String::new();
    let mut project = Project::default();
    for (name, description) in modules {
        main += &format!("import \"./{name}\";\n");
        let contract = describing(&format!("{description:?}")).replace("\"t\"", &format!("\"{name}\""));
        project = project.with(&format!("src/{name}.ts"), &with_imports(&contract));
    }
    project.with("src/main.ts", &main).build()
}

fn neighbour(environment: &str, modules: &[(&str, &str)]) -> Neighbour {
    Neighbour { environment: environment.to_owned(), proof: build(modules).outcome.unwrap() }
}

fn proven(union: Option<Union>) -> Proof {
    match union {
        Some(Union::Proven(proof)) => proof,
        other => panic!("{other:?}"),
    }
}

fn refused(union: Option<Union>) -> Report {
    match union {
        Some(Union::Refused(report)) => report,
        other => panic!("{other:?}"),
    }
}

/// A report without its breaks and frames.
fn plain(report: &Report) -> String {
    report.text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

#[test]
fn every_environment_has_the_manifest_of_all() {
    let page = [("shared", "d"), ("page", "d")];
    let server = [("shared", "d"), ("server", "d")];
    let all = build(&[("page", "d"), ("server", "d"), ("shared", "d")]).outcome.unwrap();
    let of_page = proven(build(&page).session.unite("client", &[neighbour("ssr", &server)], true));
    let of_server = proven(build(&server).session.unite("ssr", &[neighbour("client", &page)], true));
    assert_eq!(of_page.manifest, all.manifest);
    assert_eq!(of_server.manifest, all.manifest);
    assert_eq!(of_page.hash, all.hash);
    let places = |proof: &Proof| {
        let describe = |it: &agent_surface_compiler::Located| format!("{}:{}", it.file, it.line);
        proof.capabilities.iter().map(describe).collect::<Vec<_>>()
    };
    assert_eq!(places(&of_page), places(&all));
    assert_eq!(places(&of_server), places(&all));
}

#[test]
fn what_ships_is_proven_against_the_manifest_of_all() {
    let mut page = build(&[("page", "d")]);
    let alone = page.session.render(&page.session.authority_module()).unwrap().code;
    let digest = page.session.served_digest();
    let proof = proven(page.session.unite("client", &[neighbour("ssr", &[("server", "d")])], true));
    for text in [page.session.authority_module(), page.transformed["src/page.ts"].clone()] {
        assert!(page.session.render(&text).unwrap().code.contains(&proof.hash), "{text}");
    }
    assert_ne!(page.session.render(&page.session.authority_module()).unwrap().code, alone);
    assert_ne!(page.session.served_digest(), digest);
}

#[test]
fn what_others_prove_replaces_what_they_proved_before() {
    let mut page = build(&[("page", "d")]);
    let server = [neighbour("ssr", &[("server", "d")])];
    let first = proven(page.session.unite("client", &server, true));
    let without = proven(page.session.unite("client", &[neighbour("ssr", &[])], true));
    assert!(!without.manifest.contains("view:server"));
    assert_eq!(proven(page.session.unite("client", &server, true)).manifest, first.manifest);
}

#[test]
fn nothing_is_united_before_there_is_a_proof() {
    let mut page = build(&[("page", "d")]);
    page.session.restart();
    assert!(page.session.unite("client", &[neighbour("ssr", &[])], true).is_none());
}

#[test]
fn one_declaration_with_two_contents_is_refused_where_it_stands_and_by_its_environments() {
    let union =
        build(&[("shared", "one")]).session.unite("client", &[neighbour("ssr", &[("shared", "two")])], true);
    let report = refused(union);
    let text = plain(&report);
    assert!(text.contains("is not the same in the environment `client` (src/shared.ts:"), "{text}");
    assert!(text.contains("and the environment `ssr` (src/shared.ts:"), "{text}");
    assert!(text.contains("A contract is the same in all environments"), "{text}");
    assert_eq!(report.diagnostics[0].id.as_deref(), Some("/app/src/shared.ts"));
}

#[test]
fn others_that_contradict_each_other_are_refused_too() {
    let others = [neighbour("ssr", &[("shared", "one")]), neighbour("edge", &[("shared", "two")])];
    let text = plain(&refused(build(&[]).session.unite("client", &others, true)));
    assert!(text.contains("the environment `ssr` (src/shared.ts:"), "{text}");
    assert!(text.contains("and the environment `edge` (src/shared.ts:"), "{text}");
}

#[test]
fn an_environment_that_nobody_knew_of_may_declare_what_others_do_and_nothing_else() {
    let known = [neighbour("client", &[("shared", "d"), ("page", "d")])];
    let proof = proven(build(&[("shared", "d")]).session.unite("ssr", &known, false));
    assert_eq!(proof.manifest, known[0].proof.manifest);
    let report = refused(build(&[("server", "d")]).session.unite("ssr", &known, false));
    let text = plain(&report);
    assert!(text.contains("`src/server.ts#c` is declared in the environment `ssr`"), "{text}");
    assert!(text.contains("`environments.ssr.build.rollupOptions.input`"), "{text}");
}

#[test]
fn what_several_environments_warn_of_is_said_once() {
    let modules = [("shared", "d")];
    let mut page = build(&modules);
    let alone = page.outcome.as_ref().unwrap().warnings.len();
    let proof = proven(page.session.unite("client", &[neighbour("ssr", &modules)], true));
    assert_eq!(alone, 1);
    assert_eq!(proof.warnings.len(), alone);
    let more = proven(page.session.unite("client", &[neighbour("ssr", &[("server", "d")])], true));
    assert_eq!(more.warnings.len(), 2);
}

#[test]
fn a_manifest_that_was_forged_is_not_united() {
    let mut server = neighbour("ssr", &[("server", "d")]);
    server.proof.manifest = server.proof.manifest.replace("view:server", "view:forged");
    let text = plain(&refused(build(&[("page", "d")]).session.unite("client", &[server], true)));
    assert!(text.contains("hash"), "{text}");
}

#[test]
fn a_build_that_proves_what_was_foreseen_is_told_nothing() {
    let modules = [("shared", "d"), ("page", "d")];
    let foreseen = neighbour("client", &modules).proof;
    let mut page = build(&modules);
    assert!(page.session.check_foreseen("client", &foreseen).is_none());
    // What it has by itself counts, be it united with others.
    proven(page.session.unite("client", &[neighbour("ssr", &[("server", "d")])], true));
    assert!(page.session.check_foreseen("client", &foreseen).is_none());
    page.session.restart();
    assert!(page.session.check_foreseen("client", &neighbour("client", &[]).proof).is_none());
}

#[test]
fn a_build_that_proves_something_else_than_was_foreseen_is_told_what_where_it_stands() {
    let foreseen = neighbour("ssr", &[("gone", "d"), ("same", "d"), ("changed", "one")]).proof;
    let server = build(&[("came", "d"), ("same", "d"), ("changed", "two")]);
    let report = server.session.check_foreseen("ssr", &foreseen).unwrap();
    insta::assert_snapshot!(report.text);
}

#[test]
fn a_build_for_another_target_than_was_foreseen_is_told_so() {
    let mut foreseen = neighbour("ssr", &[("same", "d")]).proof;
    let manifest = Manifest::parse(&foreseen.manifest).unwrap();
    let other = manifest.capabilities().iter().map(|entry| entry.contract.clone().seal("kiosk"));
    foreseen.manifest = Manifest::assemble(other.collect(), Vec::new()).unwrap().to_file_text();
    let text = plain(&build(&[("same", "d")]).session.check_foreseen("ssr", &foreseen).unwrap());
    assert!(text.contains("and other targets or contributions of dependencies"), "{text}");
}

#[test]
fn what_was_foreseen_is_checked_itself() {
    let mut foreseen = neighbour("ssr", &[("server", "d")]).proof;
    foreseen.manifest.truncate(20);
    let text = plain(&build(&[("server", "d")]).session.check_foreseen("ssr", &foreseen).unwrap());
    assert!(text.contains("JSON"), "{text}");
}
