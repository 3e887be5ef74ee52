//! What is handed to the browser's agents past every contract is found by what it is, not by its name.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use agent_surface_compiler::{Diagnostic, Severity};
use agent_surface_json::{Json, parse};
use support::{Project, describing, with_imports};

const RECORDER: &str = "node_modules/@acme/recorder";

fn app(main: &str) -> Project {
    Project::new([("src/main.ts", main)])
}

/// The places of what is refused, and of nothing else.
fn raw(project: &Project) -> Vec<String> {
    let build = project.build();
    if build.outcome.is_ok() {
        return Vec::new();
    }
    let found = build.problems();
    assert!(found.iter().all(|problem| problem.starts_with("raw-tool ")), "{found:?}");
    found.iter().map(|problem| problem.trim_start_matches("raw-tool ").to_owned()).collect()
}

#[test]
fn a_tool_that_no_contract_proves_is_not_registered_by_any_path() {
    for main in [
        "document.modelContext.registerTool({ name: \"t\" });",
        "document.modelContext?.registerTool?.({ name: \"t\" });",
        "(document as any).modelContext!.registerTool({ name: \"t\" });",
        "document[\"modelContext\"][\"registerTool\"]({ name: \"t\" });",
        "document[`modelContext`].registerTool({ name: \"t\" });",
        "window.document.modelContext.registerTool({ name: \"t\" });",
        "globalThis.window.document.modelContext.registerTool({ name: \"t\" });",
        "document.defaultView?.document.modelContext.registerTool({ name: \"t\" });",
        "navigator.modelContext.registerTool({ name: \"t\" });",
        "navigator.modelContext.provideContext({ tools: [] });",
        "self.navigator.modelContext.registerTool({ name: \"t\" });",
        "const { modelContext } = document;\nmodelContext.registerTool({ name: \"t\" });",
        "const { modelContext: { registerTool } } = document;\nregisterTool({ name: \"t\" });",
        "const { document: { modelContext: tools = null } } = window;\ntools.registerTool({ name: \"t\" });",
        "const page = document;\nconst tools = page.modelContext;\ntools.registerTool({ name: \"t\" });",
        "let tools;\ntools = document.modelContext;\ntools.registerTool({ name: \"t\" });",
        "const tools = document.modelContext ?? navigator.modelContext;\ntools.registerTool({ name: \"t\" });",
        "if (document.modelContext) document.modelContext.registerTool({ name: \"t\" });",
        "document.modelContext && document.modelContext.registerTool({ name: \"t\" });",
        "const register = document.modelContext.registerTool;",
        "document.modelContext.registerTool.call(document.modelContext.getTools(), {});",
        "document.modelContext[method]({ name: \"t\" });\ndeclare const method: string;",
        "declare const document: any;\ndocument.modelContext.registerTool({ name: \"t\" });",
        "export function boot() { return document.modelContext.registerTool({ name: \"t\" }); }",
        "Reflect.get(document, \"modelContext\").registerTool({ name: \"t\" });",
        "Reflect.get(Reflect.get(window, \"document\"), \"modelContext\", null)?.registerTool({ name: \"t\" });",
        "const key = \"modelContext\";\ndocument[key].registerTool({ name: \"t\" });",
        "const key = `modelContext` as const;\nconst { [key]: tools } = document;\ntools.registerTool({ name: \"t\" });",
        "const { [\"modelContext\"]: tools } = document;\ntools?.registerTool({ name: \"t\" });",
        "let tools;\n({ tools = document.modelContext } = {});\ntools.registerTool({ name: \"t\" });",
        "const { document: page } = self;\nconst { modelContext } = page;\nmodelContext.registerTool({ name: \"t\" });",
        "element.ownerDocument.modelContext.registerTool({ name: \"t\" });\ndeclare const element: Element;",
        "frame.contentDocument?.modelContext?.registerTool({ name: \"t\" });\ndeclare const frame: any;",
        "event.view.document.modelContext.registerTool({ name: \"t\" });\ndeclare const event: any;",
    ] {
        assert_eq!(raw(&app(main)).len(), 1, "{main}");
    }
}

#[test]
fn the_object_that_registers_tools_does_not_get_away() {
    for main in [
        "use(document.modelContext);\ndeclare const use: any;",
        "export const tools = document.modelContext;",
        "const tools = document.modelContext;\nexport { tools };",
        "export default document.modelContext;",
        "const page = { tools: document.modelContext };\nexport { page };",
        "export const tools = () => document.modelContext;",
        "const { ...rest } = document.modelContext;",
        "let modelContext;\n({ modelContext } = document);",
        "globalThis.tools = document.modelContext;",
        "export const tools = Reflect.get(document, \"modelContext\");",
        "export const tools = element.ownerDocument.modelContext;\ndeclare const element: Element;",
    ] {
        assert_eq!(raw(&app(main)).len(), 1, "{main}");
    }
}

#[test]
fn what_may_be_that_object_and_is_not_followed_registers_nothing_either() {
    for main in [
        "export function run(page: any) { page.modelContext.registerTool({}); }",
        "export function run({ modelContext }: any) { modelContext.registerTool({}); }",
        "export function run(page: any) { const { modelContext: tools } = page; tools.provideContext({}); }",
        "let tools;\nexport function run(page: any) { ({ modelContext: tools } = page); tools.registerTool({}); }",
        "import { page } from \"./page\";\npage.modelContext.registerTool({});",
        "pageOf().modelContext?.[\"registerTool\"]({});\ndeclare const pageOf: any;",
        "document[key].registerTool({});\ndeclare const key: string;",
        "document[\"model\" + \"Context\"].registerTool({});",
        "const { [key()]: tools } = navigator;\ntools.registerTool({});\ndeclare const key: any;",
        "window[key].modelContext.registerTool({});\ndeclare const key: string;",
        "toolsOf(document).registerTool({});\nimport { toolsOf } from \"./page\";",
        "Reflect.get(document, key).registerTool({});\ndeclare const key: string;",
        "Reflect.get(page(), \"document\").modelContext.registerTool({});\ndeclare const page: any;",
        "const tools = toolsOf(document);\ntools.registerTool({});\nimport { toolsOf } from \"./page\";",
    ] {
        let project = app(main).with("src/page.ts", "export const page = 1 as any, toolsOf = 1 as any;");
        let build = project.build();
        assert_eq!(raw(&project).len(), 1, "{main}");
        assert!(build.report().diagnostics[0].message.contains("by a way that is not followed"), "{main}");
    }
}

#[test]
fn a_module_that_lets_a_document_out_of_sight_does_not_speak_of_its_tools() {
    for main in [
        "const toolsOf = (page: any) => page.modelContext;\nuse(toolsOf(document));\ndeclare const use: any;",
        "use(document, \"modelContext\");\ndeclare const use: any;",
        "const key = \"modelContext\";\nuse(window, key);\ndeclare const use: any;",
        "Object.getOwnPropertyDescriptor(Document.prototype, \"modelContext\")!.get!.call(document);",
        "export function read(this: any) { return this.modelContext; }\nread.call(document);",
        "const page = new Proxy(document, {});\nexport const tools = page.modelContext;",
        "export const tools = (key: string) => (document as any)[key];\ntools(\"modelContext\");",
        "const all = { document };\nexport const tools = (name: string) => (all as any)[name].modelContext;",
    ] {
        let project = app(main);
        assert_eq!(raw(&project).len(), 1, "{main}");
        assert!(project.build().report().text.contains("can't be followed up to here"), "{main}");
    }
}

#[test]
fn a_name_proves_nothing_and_looking_is_allowed() {
    for main in [
        "const document = { modelContext: { registerTool() {} } };\ndocument.modelContext.registerTool();",
        "class Chat { modelContext = { registerTool() {} }; open() { this.modelContext.registerTool(); } }\n\
         new Chat().modelContext.registerTool();",
        "const chat = { modelContext: { registerTool() {} } };\nconst { modelContext } = chat;\n\
         modelContext.registerTool();",
        "server.registerTool(\"t\", {});\nserver.listen(document.body);\ndeclare const server: any;",
        "export const limit = (chat: any) => chat.modelContext.length;\ndocument.title = \"\";",
        "export const Chat = ({ modelContext }: any) => modelContext.messages;\nuse(document.body);\ndeclare const use: any;",
        "const key = \"modelContext\";\nif (key in document) document.addEventListener(\"click\", console.log);",
        "const settings = { modelContext: 4096, \"registerTool\": true };\nuse(document, settings);\ndeclare const use: any;",
        "use(document);\nif (chat.modelContext) chat.modelContext.getTools();\ndeclare const use: any, chat: any;",
        "use(document);\nchat.modelContext = [];\ndeclare const use: any, chat: any;",
        "type Key = \"modelContext\";\nuse(document);\ndeclare const use: any;\nexport type { Key };",
        "if (document[key]) console.log(window[key]);\ndeclare const key: string;\nconsole.log(\"registerTool\");",
        "if (Reflect.get(document, \"modelContext\")) console.log(1);",
        "if (document.modelContext) console.log(1);",
        "if (!document.modelContext?.registerTool) console.log(1);",
        "const has = typeof document.modelContext !== \"undefined\";\nconsole.log(has);",
        "const has = \"modelContext\" in document;\nconsole.log(has);",
        "document.modelContext.getTools().then(console.log);",
        "document.modelContext.addEventListener(\"toolchange\", console.log);",
        "type Tools = typeof document.modelContext;\nexport type { Tools };",
        "// document.modelContext.registerTool({})\nconsole.log(\"document.modelContext.registerTool({})\");",
    ] {
        let project = app(main).with("src/page.ts", "export const document = 1 as any;");
        assert_eq!(raw(&project), Vec::<String>::new(), "{main}");
    }
}

#[test]
fn a_report_says_where_and_what_to_write_instead() {
    let build = app("const a = 1;\ndocument.modelContext.registerTool({ name: \"t\" });").build();
    assert_eq!(build.problems(), ["raw-tool src/main.ts:2:1"]);
    let help = build.report().diagnostics[0].help.as_deref().unwrap();
    assert!(help.contains("createWebMcpAdapter") && help.contains("rawTools"), "{help}");
}

#[test]
fn a_project_may_choose_to_be_warned_only() {
    let main = with_imports(&describing("\"o\"")) + "\nc.bind({});\ndocument.modelContext.registerTool({});";
    let plain = Project::new([("src/main.ts", with_imports(&describing("\"o\"")).as_str())]).build();
    let build = app(&main).with_raw_tools(Severity::Warning).build();
    assert_eq!(build.warnings(), ["raw-tool src/main.ts:4:1"]);
    // What no contract proves is in no manifest.
    assert_eq!(build.manifest(), plain.manifest());
}

#[test]
fn a_file_that_nobody_imports_registers_nothing() {
    let project = app("console.log(1);").with("src/unused.ts", "document.modelContext.registerTool({});");
    assert_eq!(raw(&project), Vec::<String>::new());
}

/// A project that imports a package which registers tools by itself.
fn recorded(code: &str) -> Project {
    app("import \"@acme/recorder\";")
        .with(&format!("{RECORDER}/package.json"), "{ \"name\": \"@acme/recorder\" }")
        .with(&format!("{RECORDER}/index.js"), code)
}

fn entry(diagnostic: &Diagnostic) -> (String, String) {
    let help = diagnostic.help.as_deref().unwrap();
    let entry = parse(&help[help.find('{').unwrap()..]).unwrap_or_else(|_| {
        let start = help.rfind("\n{").unwrap();
        parse(&help[start..]).unwrap()
    });
    let member = |name: &str| entry.get(name).and_then(Json::as_str).unwrap().to_owned();
    (member("package"), member("digest"))
}

#[test]
fn a_dependency_registers_tools_only_as_it_was_approved() {
    const CODE: &str = "document.modelContext.registerTool({ name: \"record\" });";
    let build = recorded(CODE).build();
    assert_eq!(build.problems(), ["raw-tool node_modules/@acme/recorder/index.js:1:1"]);
    let (package, digest) = entry(&build.report().diagnostics[0]);
    assert_eq!(package, "@acme/recorder");
    assert_eq!(raw(&recorded(CODE).allowing(&package, &digest, None)), Vec::<String>::new());
    // Anything else that it does is something else.
    let changed = CODE.replace("record", "erase");
    let build = recorded(&changed).allowing(&package, &digest, None).build();
    assert!(build.report().text.contains("not what was approved"), "{}", build.report().text);
    // What one package may do, another may not, and warnings are for what the project writes itself.
    assert_eq!(raw(&recorded(CODE).allowing("@acme/other", &digest, None)).len(), 1);
    assert_eq!(raw(&recorded(CODE).with_raw_tools(Severity::Warning)).len(), 1);
}

#[test]
fn our_own_adapter_needs_no_approval_and_its_name_is_not_enough() {
    let ours = app("import \"@agent-surface/webmcp\";")
        .with(
            "node_modules/@agent-surface/webmcp/package.json",
            "{ \"name\": \"@agent-surface/webmcp\", \"version\": \"0.1.0\" }",
        )
        .with("node_modules/@agent-surface/webmcp/index.js", "document.modelContext.registerTool({});");
    assert_eq!(raw(&ours), Vec::<String>::new());
    let posing = app("import \"./webmcp/@agent-surface/webmcp/index\";")
        .with("src/webmcp/@agent-surface/webmcp/index.ts", "document.modelContext.registerTool({});");
    assert_eq!(raw(&posing).len(), 1);
}

#[test]
fn a_form_of_a_page_that_is_a_tool_is_listed() {
    let main = with_imports(&describing("\"o\"")) + "\nc.bind({});\nimport \"../index.html\";";
    let plain = app(&main).build();
    let page = "<!doctype html>\n<!-- <form toolname=a> -->\n<script>'<form toolname=b>'</script>\n\
                <template><form toolname=c></form></template>\n<body>é<form toolname=\"book\"></form>";
    let project = app(&main).with("index.html", page).bundled_as("index.html", "");
    let build = project.build();
    assert_eq!(build.warnings(), ["form-tool index.html:5:14"]);
    let warning = &build.outcome.as_ref().unwrap().warnings[0];
    assert!(warning.frame.contains("<body>é<form toolname=\"book\"></form>"), "{}", warning.frame);
    assert_eq!(build.manifest(), plain.manifest());
    // A watcher hands over what has changed.
    let changed = project.clone().with("index.html", "<form toolname=x>");
    assert_eq!(changed.rebuild(build, &project).warnings(), ["form-tool index.html:1:7"]);
    let without = project.clone().with("index.html", "<form>");
    assert_eq!(without.rebuild(project.build(), &project).warnings(), Vec::<String>::new());
}

#[test]
fn a_form_of_a_page_that_is_not_built_is_not_listed() {
    let main = with_imports(&describing("\"o\"")) + "\nc.bind({});";
    let build = app(&main).with("index.html", "<form toolname=x>").build();
    assert_eq!(build.warnings(), Vec::<String>::new());
}

#[test]
fn a_form_of_a_components_template_that_is_a_tool_is_listed() {
    let main = with_imports(&describing("\"o\""))
        + "\nc.bind({});\nimport \"./Book.vue\";\nimport \"./Book.svelte\";";
    let build = app(&main)
        .with(
            "src/Book.vue",
            "<script setup>\nconst a = 1;\n</script>\n<template>\n  <form :toolname=\"a\" />\n</template>",
        )
        .compiled_as("src/Book.vue", "export default { render() { return h(\"form\", { toolname: a }); } };")
        .with("src/Book.svelte", "<form onsubmit={() => {}} {toolname}></form>")
        .compiled_as(
            "src/Book.svelte",
            "var root = $.from_html(`<form toolname></form>`);\nexport default root;",
        )
        .build();
    assert_eq!(build.warnings(), ["form-tool src/Book.svelte:1:27", "form-tool src/Book.vue:5:9"]);
}

#[test]
fn a_template_in_a_file_of_its_own_is_the_components() {
    let main = with_imports(&describing("\"o\""))
        + "\nc.bind({});\nimport \"./book.html?vue&type=template&src=true\";";
    let build = app(&main)
        .with("src/book.html?vue&type=template&src=true", "<div>\n<form :ToolName=\"a\" /></div>")
        .bundled_as("src/book.html?vue&type=template&src=true", "export function render() {}")
        .build();
    assert_eq!(build.warnings(), ["form-tool src/book.html?vue&type=template&src=true:2:7"]);
    let file = build.outcome.as_ref().unwrap().warnings[0].file.as_deref();
    assert_eq!(file, Some("src/book.html"));
}

#[test]
fn a_form_that_a_script_makes_a_tool_is_listed_however_it_does() {
    for marked in [
        "<form ^toolName=\"book\" />",
        "<form ^TOOLNAME />",
        "<form {...{ action: \"/\", ^toolname: \"book\" }} />",
        "createElement(\"form\", { ^toolname: \"book\" })",
        "h('FORM', null, { ...{ ^'toolName': \"book\" } })",
        "form.setAttribute(^\"toolname\", \"book\")",
        "form?.setAttribute(^`toolName`, name)",
        "form.setAttributeNS(null, ^\"toolname\", name)",
        "document.createAttribute(^\"toolname\")",
        "(page.innerHTML = \"<form ^toolname='book'>\")",
        "page.insertAdjacentHTML(\"beforeend\", '<b>\\n</b><FORM\\t^toolName=\"a\">')",
        "`<form action=\"${url}\" ^toolname=\"${name}\"></form>`",
        "(\"<form ^toolname='\" + name + \"'></form>\")",
        "<p dangerouslySetInnerHTML={{ __html: \"<form ^toolname=book></form>\" }} />",
    ] {
        let (column, form) = (marked.find('^').unwrap() + 1, marked.replace('^', ""));
        let main = with_imports(&describing("\"o\"")) + "\nc.bind({});\nimport \"./form\";";
        let build = app(&main).with("src/form.tsx", &format!("export const made = () =>\n{form};")).build();
        assert_eq!(build.warnings(), [format!("form-tool src/form.tsx:2:{column}")], "{form}");
    }
}

#[test]
fn what_only_speaks_of_tool_names_is_not_listed() {
    for form in [
        "<Form toolName=\"no\" />",
        "<input toolname=\"no\" />",
        "<form data-toolname=\"no\" tool-name=\"no\" />",
        "createElement(\"div\", { toolname: \"no\" })",
        "createElement(Form, { toolname: \"no\" })",
        "createElement(\"form\", { action: toolName })",
        "form.setAttribute(\"title\", \"toolname\").toolName",
        "form.getAttribute(\"toolname\")",
        "logger.info(\"toolname\", call.toolName)",
        "(\"the attribute toolname of a <form>\")",
        "(\"<!-- <form toolname=no> -->\")",
        "/* <form toolname=no> */ toolName",
    ] {
        let main = with_imports(&describing("\"o\"")) + "\nc.bind({});\nimport \"./form\";";
        let build = app(&main).with("src/form.tsx", &format!("export const made = () =>\n{form};")).build();
        assert_eq!(build.warnings(), Vec::<String>::new(), "{form}");
    }
}

#[test]
fn a_form_that_is_a_tool_is_listed() {
    let main = with_imports(&describing("\"o\"")) + "\nc.bind({});\nimport \"./form\";";
    let form = "export const form = <form action=\"/book\" toolname=\"book\"><input /></form>;\n\
                export const other = <form><p toolname=\"no\" /></form>;\n\
                export const Form = (p) => <Form toolname=\"no\" />;";
    let build = app(&main).with("src/form.tsx", form).build();
    assert_eq!(build.warnings(), ["form-tool src/form.tsx:1:42"]);
}
