//! What a reader sees, in every format.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use agent_surface_json::parse;
use agent_surface_manifest::{Confirmation, Contract, Digest, Effect, ExternalContract, Manifest, Route};
use agent_surface_review::{
    App, Base, Binder, Command, Constant, Explanation, Format, Library, Options, Place, Places, Policy,
    Report, Request, Role, SnapshotStatus, Status, Verbosity, Warning, Workspace, read_contract,
};
use support::{action, json, manifest, places, procedure};

/// The contract at the base.
fn base() -> Manifest {
    manifest([action("down"), action("up"), procedure()])
}

/// The same after a pull request: a gate is weaker, more devices may go at once, one action moved and one is gone.
fn head() -> Manifest {
    let moved = Contract {
        declaration_id: "src/views/counter.ts#counter".into(),
        origin: "src/views/counter.ts".into(),
        description: "Count up\u{1b}[31m\n::error::by one".into(),
        ..action("up")
    };
    let wider = Contract {
        confirmation: Some(Confirmation::Optional),
        effect: Effect::ServerMutation,
        input_schema: Some(json(
            r#"{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"},"maxItems":1000}},"required":["ids"],"additionalProperties":false}"#,
        )),
        ..procedure()
    };
    manifest([moved, wider])
}

fn request(command: Command) -> Request {
    Request {
        command,
        compiled: vec![head()],
        places: places(&head()),
        snapshot_path: ".agent-surface/contract.json".into(),
        snapshot: Some(head()),
        base: None,
        policy: Policy::All,
        explanations: Vec::new(),
        warnings: Vec::new(),
    }
}

fn against_base(snapshot: Option<Manifest>) -> Report {
    let base = Some(Base { reference: "origin/main".into(), contract: Some(base()) });
    Report::new(Request { snapshot, base, ..request(Command::Check) }).unwrap()
}

fn human(report: &Report, verbosity: Verbosity) -> String {
    report.render(Format::Human, &Options { verbosity, ..Options::default() })
}

#[test]
fn inspect_shows_people_as_much_as_they_ask_for() {
    let report = Report::new(request(Command::Inspect)).unwrap();
    assert_eq!(report.status(), Status::View);
    insta::assert_snapshot!("inspect_min", human(&report, Verbosity::Min));
    insta::assert_snapshot!("inspect_normal", human(&report, Verbosity::Normal));
    insta::assert_snapshot!("inspect_detail", human(&report, Verbosity::Detail));
}

#[test]
fn inspect_names_the_dependencies_that_contribute() {
    let digest = Digest::of("contributed");
    let contribution = ExternalContract {
        package: "@acme/charts\u{1b}[31m".into(),
        source: "node_modules/@acme/charts/contract.json".into(),
        route: Route::Sidecar,
        contract_digest: digest,
        expected_digest: digest,
    };
    let contract = Manifest::assemble(head().capabilities().to_vec(), vec![contribution]).unwrap();
    let compiled = vec![contract.clone()];
    let report =
        Report::new(Request { compiled, snapshot: Some(contract), ..request(Command::Inspect) }).unwrap();
    insta::assert_snapshot!("inspect_dependencies", human(&report, Verbosity::Normal));
    assert!(!human(&report, Verbosity::Min).contains("@acme/charts"));
    let markdown = report.render(Format::Markdown, &Options::default());
    let row = format!(
        "| `@acme/charts\u{FFFD}[31m` | sidecar | `node_modules/@acme/charts/contract.json` | `{digest}` |"
    );
    assert!(markdown.contains(&row), "{markdown}");
    assert!(report.render(Format::Json, &Options::default()).contains(&digest.to_hex()));
}

#[test]
fn check_tells_people_what_changed_since_the_base() {
    let report = against_base(Some(head()));
    assert_eq!(report.status(), Status::Fail);
    insta::assert_snapshot!("check_min", human(&report, Verbosity::Min));
    insta::assert_snapshot!("check_normal", human(&report, Verbosity::Normal));
}

#[test]
fn a_stale_snapshot_and_drift_are_two_findings() {
    let report = against_base(Some(base()));
    assert!(report.is_stale());
    assert_eq!(report.selected(), 0, "the committed contract has not drifted");
    insta::assert_snapshot!("check_stale", human(&report, Verbosity::Normal));
}

#[test]
fn against_a_base_without_a_snapshot_everything_is_new_and_says_so() {
    let base = Some(Base { reference: "origin/main".into(), contract: None });
    let report = Report::new(Request { base, ..request(Command::Check) }).unwrap();
    assert_eq!((report.is_stale(), report.status()), (false, Status::Fail));
    assert_eq!(report.selected(), head().capabilities().len());
    let text = human(&report, Verbosity::Normal);
    let title = "SNAPSHOT ↔ origin/main · no snapshot there (2) · widening 2 · narrowing 0 · neutral 0";
    assert!(text.contains(title), "{text}");
    let markdown = report.render(Format::Markdown, &Options::default());
    assert!(
        markdown
            .contains("### Snapshot ↔ `origin/main`\n\nThere is no snapshot yet, so everything is new.\n"),
        "{markdown}"
    );
    let json = parse(&report.render(Format::Json, &Options::default())).unwrap();
    let status = json.get("pullRequest").and_then(|it| it.get("baseStatus"));
    assert_eq!(status.and_then(|it| it.as_str()), Some("missing"));
}

#[test]
fn what_a_check_passes() {
    let contract = Request { compiled: vec![base()], snapshot: Some(base()), ..request(Command::Check) };
    let report = Report::new(contract).unwrap();
    assert_eq!(report.status(), Status::Pass);
    insta::assert_snapshot!("check_pass", human(&report, Verbosity::Normal));
}

#[test]
fn a_policy_that_selects_nothing_passes_drift_and_shows_it() {
    let base = Some(Base { reference: "origin/main".into(), contract: Some(base()) });
    let report = Report::new(Request { base, policy: Policy::None, ..request(Command::Check) }).unwrap();
    assert_eq!(report.status(), Status::Pass);
    assert!(human(&report, Verbosity::Normal).contains("~ widening"));
    let github = report.render(Format::Github, &Options::default());
    assert!(github.contains("::warning ") && !github.contains("::error "), "{github}");
}

#[test]
fn writing_a_snapshot_says_where_it_is() {
    let report = Report::new(Request { snapshot: None, ..request(Command::Snapshot) }).unwrap();
    assert_eq!(report.status(), Status::Written);
    insta::assert_snapshot!("snapshot", human(&report, Verbosity::Normal));
}

#[test]
fn colour_repeats_words_and_changes_none() {
    for report in [against_base(Some(base())), Report::new(request(Command::Inspect)).unwrap()] {
        for verbosity in [Verbosity::Normal, Verbosity::Detail] {
            let plain = human(&report, verbosity);
            let colored =
                report.render(Format::Human, &Options { color: true, verbosity, ..Options::default() });
            assert_ne!(plain, colored);
            assert_eq!(without_color(&colored), plain);
        }
    }
}

#[test]
fn a_narrow_terminal_gets_lines_that_fit() {
    let report = Report::new(request(Command::Inspect)).unwrap();
    let options = Options { width: Some(60), ..Options::default() };
    let narrow = report.render(Format::Human, &options);
    assert!(narrow.lines().all(|line| textwrap::core::display_width(line) <= 60), "{narrow}");
    insta::assert_snapshot!("inspect_narrow", narrow);
    let check = against_base(Some(head())).render(Format::Human, &options);
    // A name is not broken, however long: it is there to be copied.
    insta::assert_snapshot!("check_narrow", check);
}

#[test]
fn no_text_of_the_app_reaches_the_terminal_as_more_than_text() {
    for format in Format::ALL {
        let text = against_base(Some(base()))
            .render(*format, &Options { verbosity: Verbosity::Detail, ..Options::default() });
        assert!(!text.contains('\u{1b}'), "{format}");
    }
}

#[test]
fn markdown_for_a_pull_request() {
    insta::assert_snapshot!(
        "markdown",
        against_base(Some(head())).render(Format::Markdown, &Options::default())
    );
}

#[test]
fn a_comment_fits_whatever_changed() {
    let many = |from: u32| manifest((from..from + 2000).map(|at| action(&format!("action{at}"))));
    let report = Report::new(Request {
        compiled: vec![many(0)],
        snapshot: Some(many(2000)),
        ..request(Command::Check)
    })
    .unwrap();
    let text = report.render(Format::Markdown, &Options::default());
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.contains("more rows"));
}

#[test]
fn annotations_name_the_line_from_the_repositorys_root() {
    let options = Options { prefix: "apps/shop".into(), ..Options::default() };
    let text = against_base(Some(head())).render(Format::Github, &options);
    insta::assert_snapshot!("github", text);
}

#[test]
fn code_scanning_shows_a_widening_where_it_is_declared() {
    let options = Options { prefix: "apps/shop".into(), version: "0.1.0".into(), ..Options::default() };
    let text = against_base(Some(head())).render(Format::Sarif, &options);
    insta::assert_snapshot!("sarif", text);
    let stale = against_base(None).render(Format::Sarif, &options);
    assert!(stale.contains("contract.json") && stale.contains("does not exist"), "{stale}");
}

#[test]
fn an_explanation_tells_where_a_contract_comes_from() {
    let place = |file: &str, line| Place { file: file.into(), line, column: 14 };
    let explanation = Explanation {
        declaration_id: "src/agent/contracts.ts#devicesDisableContract".into(),
        capability_id: "domain:devices.disable".into(),
        place: place("src/agent/contracts.ts", 10),
        constants: vec![Constant { name: "deviceIds".into(), place: place("src/agent/schemas.ts", 3) }],
        binders: Some(vec![Binder { name: "bridge.register".into(), place: place("src/main.ts", 21) }]),
        libraries: vec![Library { name: "zod".into(), version: Some("4.6.7".into()) }],
    };
    let base = Some(Base { reference: "origin/main".into(), contract: Some(base()) });
    let report =
        Report::new(Request { base, explanations: vec![explanation], ..request(Command::Explain) }).unwrap();
    insta::assert_snapshot!("explain", human(&report, Verbosity::Normal));
    insta::assert_snapshot!("explain_markdown", report.render(Format::Markdown, &Options::default()));
    assert_valid(&report.render(Format::Json, &Options::default()));
    // Nobody asked for the other capabilities.
    let github = report.render(Format::Github, &Options::default());
    assert!(github.contains("devices.disable") && !github.contains("counter"), "{github}");
}

/// What the compiler warns of: twice the same on two lines, text that is no mere text, and something of the whole app.
fn warnings() -> Vec<Warning> {
    let form = |line| Warning {
        code: "agent-surface(form-tool)".into(),
        message: "A form is a tool of the browser, and no contract says so".into(),
        help: Some("Agents of the browser can fill it in and send it".into()),
        place: Some(Place { file: "index.html".into(), line, column: 7 }),
        frame: format!(
            "  ⚠ agent-surface(form-tool): A form\n   ╭─[index.html:{line}:7]\n   ╰──── \u{1b}[31m"
        ),
    };
    let unbound = Warning {
        code: "agent-surface(unbound-contract)".into(),
        message: "Nothing binds `src/a.ts#a,b: 100 %`\n::error::\u{1b}[31m<b>".into(),
        place: Some(Place { file: "src/generated.ts".into(), line: 0, column: 0 }),
        ..form(1)
    };
    let cores = Warning {
        code: "agent-surface(several-cores)".into(),
        message: "2 copies of the core are in the build".into(),
        help: None,
        place: None,
        frame: "  ⚠ agent-surface(several-cores): 2 copies".into(),
    };
    vec![form(3), form(9), unbound, cores]
}

fn warned(command: Command) -> Report {
    // Two targets say the same.
    let warnings = [warnings(), warnings()].concat();
    Report::new(Request { warnings, ..request(command) }).unwrap()
}

#[test]
fn what_the_compiler_warns_of_is_in_every_format_once() {
    let options = Options { prefix: "apps/shop".into(), ..Options::default() };
    for format in Format::ALL {
        let text = warned(Command::Check).render(*format, &options);
        // An annotation and a line of the log.
        let times = if *format == Format::Github { 2 } else { 1 };
        assert_eq!(text.matches("2 copies of the core").count(), times, "{format}: {text}");
        assert!(!text.contains('\u{1b}'), "{format}: {text}");
        assert!(!text.contains("\n::error::"), "{format}: {text}");
    }
    let annotations = warned(Command::Check).render(Format::Github, &options);
    let annotations: Vec<&str> = annotations.lines().filter(|line| line.starts_with("::warning ")).collect();
    insta::assert_snapshot!("warnings_github", annotations.join("\n"));
    insta::assert_snapshot!("warnings_human", human(&warned(Command::Check), Verbosity::Normal));
    insta::assert_snapshot!("warnings_detail", human(&warned(Command::Snapshot), Verbosity::Detail));
    insta::assert_snapshot!("warnings_sarif", warned(Command::Inspect).render(Format::Sarif, &options));
    let markdown = warned(Command::Check).render(Format::Markdown, &options);
    let (_, section) = markdown.split_once("### 4 warnings").unwrap();
    insta::assert_snapshot!("warnings_markdown", section);
}

#[test]
fn a_warning_fails_nothing() {
    let report = Report::new(Request {
        compiled: vec![base()],
        snapshot: Some(base()),
        warnings: warnings(),
        ..request(Command::Check)
    });
    assert_eq!(report.unwrap().status(), Status::Pass);
    assert!(human(&warned(Command::Inspect), Verbosity::Min).contains("WARNINGS (4)"));
}

#[test]
fn warnings_have_the_published_shape_and_a_place_without_a_line_has_none() {
    for command in Command::ALL {
        let text = warned(*command).render(Format::Json, &Options::default());
        assert_valid(&text);
        let report = json(&text);
        let places: Vec<Option<String>> = report
            .get("warnings")
            .and_then(|it| it.as_array())
            .unwrap()
            .iter()
            .map(|warning| warning.get("location").map(agent_surface_json::Json::to_canonical))
            .collect();
        let line = |line| Some(format!(r#"{{"column":7,"file":"index.html","line":{line}}}"#));
        assert_eq!(places, [line(3), line(9), Some(r#"{"file":"src/generated.ts"}"#.into()), None]);
    }
}

#[test]
fn a_capability_in_generated_code_has_a_file_and_no_line_in_any_format() {
    let mut places = Places::default();
    for entry in head().capabilities() {
        let contract = entry.contract.clone();
        let place = Place { file: "virtual:generated".into(), line: 0, column: 0 };
        places.insert(contract.declaration_id, contract.capability_id, place);
    }
    let base = Some(Base { reference: "main".into(), contract: Some(base()) });
    let report = Report::new(Request { places, base, ..request(Command::Check) }).unwrap();
    assert_valid(&report.render(Format::Json, &Options::default()));
    let github = report.render(Format::Github, &Options::default());
    assert!(github.contains("::error file=virtual%3Agenerated,title="), "{github}");
    let sarif = report.render(Format::Sarif, &Options::default());
    assert!(!sarif.contains("\"startLine\": 0") && !sarif.contains("\"startColumn\": 0"), "{sarif}");
}

#[test]
fn of_several_apps_each_shows_its_own_warnings() {
    let mut workspace = Workspace::new(Command::Check);
    workspace.insert("apps/shop".into(), App::Reported(Box::new(warned(Command::Check))));
    let text = workspace.render(Format::Human, &Options::default());
    assert!(text.contains("1 app · 2 capabilities · 4 warnings"), "{text}");
    assert!(text.contains("! form-tool index.html:3:7 A form"), "{text}");
    let github = workspace.render(Format::Github, &Options::default());
    assert!(github.contains("::warning file=apps/shop/index.html,line=3,col=7,title="), "{github}");
}

/// Two apps that compile, and one that does not.
fn workspace() -> Workspace {
    let mut workspace = Workspace::new(Command::Check);
    workspace.insert("apps/shop".into(), App::Reported(Box::new(against_base(Some(head())))));
    workspace.insert(
        "apps/broken".into(),
        App::Failed("the Vite config of apps/broken cannot be loaded: no".into()),
    );
    let current = Request { compiled: vec![base()], snapshot: Some(base()), ..request(Command::Check) };
    workspace.insert("apps/admin".into(), App::Reported(Box::new(Report::new(current).unwrap())));
    workspace
}

#[test]
fn several_apps_are_one_table() {
    let workspace = workspace();
    assert_eq!(workspace.status(), Status::Fail);
    insta::assert_snapshot!("workspace", workspace.render(Format::Human, &Options::default()));
    insta::assert_snapshot!("workspace_markdown", workspace.render(Format::Markdown, &Options::default()));
    let github = workspace.render(Format::Github, &Options::default());
    assert!(github.contains("::error file=apps/shop/src/agent/contracts.ts,line="), "{github}");
    assert!(github.contains("::error file=apps/broken/package.json,title="), "{github}");
    let sarif = json(&workspace.render(Format::Sarif, &Options::default()));
    assert_eq!(sarif.get("runs").unwrap().as_array().unwrap().len(), 1);
}

#[test]
fn json_has_the_published_shape() {
    for report in [
        Report::new(request(Command::Inspect)).unwrap(),
        Report::new(Request { snapshot: None, ..request(Command::Snapshot) }).unwrap(),
        against_base(Some(head())),
        against_base(Some(base())),
        against_base(None),
    ] {
        assert_valid(&report.render(Format::Json, &Options::default()));
    }
    assert_valid(&workspace().render(Format::Json, &Options::default()));
}

#[test]
fn json_depends_on_nothing_but_the_contracts() {
    let report = against_base(Some(head()));
    let elsewhere = Options { color: true, width: Some(50), prefix: "a/b".into(), ..Options::default() };
    let text = report.render(Format::Json, &elsewhere);
    assert_eq!(text, report.render(Format::Json, &Options::default()));
    assert_eq!(format!("{}\n", parse(&text).unwrap().to_pretty()), text);
}

#[track_caller]
fn assert_valid(report: &str) {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../report.schema.json")).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_contract_that_cannot_be_used_says_so_in_one_line() {
    let role = || Role::Snapshot(".agent-surface/contract.json".into());
    let text = base().to_file_text();
    let refused = |text: &str, role: Role| read_contract(text, role).unwrap_err().to_string();
    let at_base = Role::Base { path: "contract.json".into(), reference: "origin/main".into() };
    let messages = [
        refused(&text.replace("Disable devices", "Disable nothing"), role()),
        refused(
            &text.replace("\"targets\": [\n    \"web-production\"", "\"targets\": [\n    \"web\""),
            role(),
        ),
        refused(&text.replace("\"formatVersion\": 5", "\"formatVersion\": 6"), role()),
        refused("<<<<<<< HEAD", at_base.clone()),
        refused(&format!("{{\n<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> main\n"), role()),
        refused("<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> main\n", at_base),
        refused("{}", role()),
    ];
    assert!(messages.iter().all(|message| !message.contains('\n')));
    insta::assert_snapshot!("refusals", messages.join("\n"));
}

#[test]
fn targets_are_one_contract() {
    let of = |target: &str| {
        let entries = vec![action("up").seal(target)];
        Manifest::assemble(entries, Vec::new()).unwrap()
    };
    let two = Request { compiled: vec![of("web"), of("desktop")], snapshot: None, ..request(Command::Check) };
    let report = Report::new(two).unwrap();
    assert!(report.contract_text().contains("\"desktop\",\n    \"web\""));
    assert_eq!(report.status(), Status::Fail, "without a snapshot nothing is reviewed");
    assert!(human(&report, Verbosity::Normal).contains(SnapshotStatus::Missing.as_str()));
}

/// The text without its escape sequences for colour.
fn without_color(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once('m').map_or(part, |(_, rest)| rest);
    }
    out
}
