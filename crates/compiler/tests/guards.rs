//! Registrations that go round a contract are refused by symbol, under any name, and nothing else is.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::Project;

const CORE: &str = "import { createAgentSurfaceRegistry, defineAgentComponent } from \"@agent-surface/core\";\n\
                    import * as S from \"@agent-surface/core\";\n";
const REACT: &str = "import { useAgentComponent, useAgentAction, useAgentObservation, useAgentSurface } from \"@agent-surface/react\";\n\
                     import * as R from \"@agent-surface/react\";\n";

/// The raw registrations in a module, each by its place.
fn raw(imports: &str, main: &str) -> Vec<String> {
    raw_in(&Project::new([("src/main.ts", format!("{imports}{main}").as_str())]))
}

fn raw_in(project: &Project) -> Vec<String> {
    let build = project.build();
    if build.outcome.is_ok() {
        return Vec::new();
    }
    for diagnostic in &build.report().diagnostics {
        assert!(diagnostic.help.is_some() && diagnostic.frame.contains("src/"), "{}", diagnostic.frame);
    }
    let found = build.problems();
    assert!(found.iter().all(|problem| problem.starts_with("raw-registration ")), "{found:?}");
    found.iter().map(|problem| problem.trim_start_matches("raw-registration ").to_owned()).collect()
}

#[test]
fn a_definition_that_no_contract_binds_is_not_registered() {
    for main in [
        "const registry = createAgentSurfaceRegistry({});\nregistry.register({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nregistry[\"register\"]({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nregistry?.register({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nregistry.register?.({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\n(registry as any)!.register({ type: \"t\" } as any);",
        "const registry = createAgentSurfaceRegistry({});\nregistry.register.call(registry, { type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nconst def = { type: \"t\", observations: {} };\nregistry.register(def);",
        "const registry = createAgentSurfaceRegistry({});\nexport function boot() { const def = { type: \"t\" }; registry.register(def); }",
        "const registry = createAgentSurfaceRegistry({});\nregistry.register({ ...other.bind({}) });\ndeclare const other: any;",
        "const registry = createAgentSurfaceRegistry({});\nconst again = registry;\nagain.register({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nconst add = registry.register;\nadd({ type: \"t\" });",
        "const registry = createAgentSurfaceRegistry({});\nconst { register } = registry;\nregister({ type: \"t\" });",
        "const { register: add } = createAgentSurfaceRegistry({});\nadd({ type: \"t\" });",
        "const make = createAgentSurfaceRegistry;\nmake({}).register({ type: \"t\" });",
        "createAgentSurfaceRegistry({}).register({ type: \"t\" });",
        "S.createAgentSurfaceRegistry({}).register({ type: \"t\" });",
        "const { createAgentSurfaceRegistry: make } = S;\nconst registry = make({});\nregistry.register({ type: \"t\" });",
        "let registry = createAgentSurfaceRegistry({});\nregistry.register({ type: \"t\" });",
        "const app = { surface: { registry: createAgentSurfaceRegistry({}) } };\napp.surface.registry.register({ type: \"t\" });",
        "class App { registry = createAgentSurfaceRegistry({}); boot() { this.registry.register({ type: \"t\" }); } }\nexport { App };",
        "class App { #registry = createAgentSurfaceRegistry({}); boot() { [1].forEach(() => this.#registry.register({ type: \"t\" })); } }\nexport { App };",
        "class App { registry; constructor() { this.registry = createAgentSurfaceRegistry({}); this.registry.register({ type: \"t\" }); } }\nexport { App };",
        "export function boot() { const registry = createAgentSurfaceRegistry({}); return registry.register({ type: \"t\" }); }",
    ] {
        assert_eq!(raw(CORE, main).len(), 1, "{main}");
    }
}

#[test]
fn a_registry_is_followed_to_the_modules_that_use_it() {
    let registry = "import { createAgentSurfaceRegistry } from \"@agent-surface/core\";\n";
    for (exports, main) in [
        (
            "export const registry = createAgentSurfaceRegistry({});",
            "import { registry } from \"./registry\";\nregistry.register({ type: \"t\" });",
        ),
        (
            "const it = createAgentSurfaceRegistry({});\nexport { it as registry };",
            "import { registry as r } from \"./barrel\";\nr.register({ type: \"t\" });",
        ),
        (
            "export default createAgentSurfaceRegistry({});",
            "import registry from \"./registry\";\nregistry.register({ type: \"t\" });",
        ),
        (
            "const it = createAgentSurfaceRegistry({});\nexport default it;",
            "import registry from \"./registry\";\nregistry.register({ type: \"t\" });",
        ),
        (
            "export const app = { registry: createAgentSurfaceRegistry({}) };",
            "import { app } from \"./barrel\";\napp.registry.register({ type: \"t\" });",
        ),
        (
            "export const registry = createAgentSurfaceRegistry({});",
            "import * as all from \"./barrel\";\nall.registry.register({ type: \"t\" });",
        ),
        (
            "export const { register } = createAgentSurfaceRegistry({});",
            "import { register } from \"./barrel\";\nconst register2 = register;\nexport const noop = register2;",
        ),
        (
            "export { createAgentSurfaceRegistry as make } from \"@agent-surface/core\";",
            "import { make } from \"./barrel\";\nmake({}).register({ type: \"t\" });",
        ),
    ] {
        let project = Project::new([("src/main.ts", main)])
            .with("src/registry.ts", &format!("{registry}{exports}"))
            .with("src/barrel.ts", "export * from \"./registry\";");
        let expected = usize::from(!main.contains("noop"));
        assert_eq!(raw_in(&project).len(), expected, "{exports} {main}");
    }
}

#[test]
fn what_a_contract_binds_is_registered() {
    for main in [
        "const registry = createAgentSurfaceRegistry({});\nregistry.register(contract.bind({}));",
        "const registry = createAgentSurfaceRegistry({});\nconst bound = contract.bind({});\nregistry.register(bound);",
        "const registry = createAgentSurfaceRegistry({});\nexport function add(def: any) { registry.register(def); }",
        "const registry = createAgentSurfaceRegistry({});\nregistry.register(...([] as any));",
        "const registry = createAgentSurfaceRegistry({});\nfor (const def of [1, 2] as any) registry.register(def);",
        // What can't be shown is refused when it runs.
        "export function boot(registry: any) { registry.register({ type: \"t\" }); }\nboot(createAgentSurfaceRegistry({}));",
        "let registry = createAgentSurfaceRegistry({});\nregistry = null as any;\nregistry.register({ type: \"t\" });",
        "class App { registry = createAgentSurfaceRegistry({}); swap(r: any) { this.registry = r; } boot() { this.registry.register({ type: \"t\" }); } }\nexport { App };",
    ] {
        let imports = format!("{CORE}import {{ contract }} from \"./contract\";\n");
        let project = Project::new([("src/main.ts", format!("{imports}{main}").as_str())])
            .with("src/contract.ts", "import { defineAgentComponentContract } from \"@agent-surface/core\";\nexport const contract = defineAgentComponentContract({ type: \"t\", description: \"d\" });");
        assert!(raw_in(&project).is_empty(), "{main}");
    }
}

#[test]
fn another_objects_register_and_words_in_a_text_are_nobodys_business() {
    for main in [
        "const registry = { register(x: unknown) { return x; } };\nregistry.register({ type: \"t\" });",
        "const form = useForm();\nform.register({ type: \"t\" });\nfunction useForm() { return { register(x: unknown) { return x; } }; }",
        "navigator.serviceWorker.register({ type: \"t\" } as any);",
        "class App { registry = new Map(); register(x: unknown) { return x; } boot() { this.register({ type: \"t\" }); } }\nexport { App };",
        "// registry.register({ type: \"t\" }); defineAgentComponent({});\nexport const text = 'registry.register({ useAgentComponent({';",
        "export const text = `${1} createAgentSurfaceRegistry({}).register({})`;",
        "/* useAgentComponent({ type: \"t\" }) */ export const f = (createAgentSurfaceRegistry: any) => createAgentSurfaceRegistry({}).register({});",
        "export function f() { const createAgentSurfaceRegistry = () => ({ register(x: unknown) { return x; } }); createAgentSurfaceRegistry().register({}); }",
        "export function f(defineAgentComponent: any) { return defineAgentComponent({}); }",
        "const store = { defineAgentComponent(x: unknown) { return x; } };\nstore.defineAgentComponent({});",
    ] {
        assert!(raw(CORE, main).is_empty(), "{main}");
    }
}

#[test]
fn the_raw_helpers_and_hooks_are_refused_under_any_name() {
    for (imports, main, places) in [
        (CORE, "defineAgentComponent({ type: \"t\" });", 1),
        (CORE, "const raw = defineAgentComponent;\nexport const c = raw({ type: \"t\" });", 1),
        (CORE, "export const c = S.defineAgentComponent({ type: \"t\" });", 1),
        (CORE, "export const c = S[\"defineAgentComponent\"]({ type: \"t\" });", 1),
        (REACT, "export function V() { useAgentComponent({ type: \"t\" }); }", 1),
        (REACT, "export function V() { useAgentComponent({ type: \"t\" } as any, {}); }", 1),
        (REACT, "export function V() { const def = { type: \"t\" }; useAgentComponent(def); }", 1),
        (
            REACT,
            "const def = { type: \"t\" };\nconst use = useAgentComponent;\nexport function V() { use(def); }",
            1,
        ),
        (REACT, "export function V() { R.useAgentComponent({ type: \"t\" }); }", 1),
        (REACT, "export function V() { useAgentAction(\"x\", {}); useAgentObservation(\"y\", {}); }", 2),
        (REACT, "export const V = () => R.useAgentAction(\"x\", {});", 1),
        (REACT, "export function V() { useAgentSurface().register({ type: \"t\" }); }", 1),
        (
            REACT,
            "export function V() { const surface = useAgentSurface(); surface.register({ type: \"t\" }); }",
            1,
        ),
        (
            REACT,
            "export function V() { const { register } = useAgentSurface(); register({ type: \"t\" }); }",
            1,
        ),
    ] {
        let found = raw(imports, main);
        assert_eq!(found.len(), places, "{main}: {found:?}");
    }
    let fine = "import { contract } from \"./contract\";\nexport function V(props: any) { useAgentComponent(contract, {}); useAgentComponent(props.contract, {}); const c = contract; useAgentComponent(c, {}); }";
    let contract = "import { defineAgentComponentContract } from \"@agent-surface/core\";\nexport const contract = defineAgentComponentContract({ type: \"t\", description: \"d\" });";
    let project =
        Project::new([("src/main.ts", format!("{REACT}{fine}").as_str()), ("src/contract.ts", contract)]);
    assert!(raw_in(&project).is_empty());
}

#[test]
fn the_hooks_are_refused_behind_a_barrel_of_the_app() {
    for (barrel, main) in [
        (
            "export * from \"@agent-surface/react\";",
            "import { useAgentAction } from \"./barrel\";\nexport function V() { useAgentAction(\"x\"); }",
        ),
        (
            "export { useAgentAction as act } from \"@agent-surface/react\";",
            "import { act } from \"./barrel\";\nexport function V() { act(\"x\"); }",
        ),
        (
            "export { useAgentComponent as use } from \"@agent-surface/react\";",
            "import * as hooks from \"./barrel\";\nexport function V() { hooks.use({ type: \"t\" }); }",
        ),
        (
            "import { defineAgentComponent } from \"@agent-surface/core\";\nexport const raw = defineAgentComponent;",
            "import { raw } from \"./barrel\";\nexport const c = raw({});",
        ),
    ] {
        let project = Project::new([("src/main.ts", main), ("src/barrel.ts", barrel)]);
        assert_eq!(raw_in(&project).len(), 1, "{barrel} {main}");
    }
}
