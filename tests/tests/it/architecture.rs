//! The diagram of the crates in `docs/architecture.md` is that of the workspace, and its arrows point downwards; and rules that no
//! compiler knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// From the faces down. A crate may depend on those of later layers only.
const LAYERS: [&[&str]; 12] = [
    &["cluster", "python"],
    &["cli"],
    &["capi", "serve", "lab"],
    &["tilebase"],
    &["engine"],
    &["census", "generate", "lookup", "solve"],
    &["heuristics"],
    &["format"],
    &["index"],
    &["puzzle"],
    &["memory"],
    &["progress", "plot"],
];

/// Packages that are not part of the product: tests across crates, and the features that tests share.
const NOT_PRODUCT: [&str; 2] = ["tests", "unify"];

/// The direct, normal dependencies of each crate of the product on others of it, as `cargo metadata` lists them.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let short = |name: &Value| name.as_str().unwrap().trim_start_matches("tilebase-").to_owned();
    let names = packages.iter().map(|package| short(&package["name"]));
    let crates: BTreeSet<String> = names.filter(|name| !NOT_PRODUCT.contains(&name.as_str())).collect();
    let of_package = |package: &Value| {
        let normal =
            package["dependencies"].as_array().unwrap().iter().filter(|dependency| dependency["kind"].is_null());
        let own = normal.map(|dependency| short(&dependency["name"])).filter(|name| crates.contains(name));
        (short(&package["name"]), own.collect())
    };
    packages.iter().map(of_package).filter(|(name, _)| crates.contains(name)).collect()
}

#[test]
fn the_diagram_is_that_of_the_workspace() {
    let mut expected = String::from("```mermaid\ngraph TD\n");
    for (from, tos) in dependencies() {
        for to in tos {
            writeln!(expected, "    {from} --> {to}").unwrap();
        }
    }
    expected += "```";
    let page = include_str!("../../../docs/architecture.md");
    let start = page.find("```mermaid").expect("the page has a diagram");
    let end = start + 3 + page[start + 3..].find("```").expect("the diagram ends") + 3;
    assert_eq!(&page[start..end], expected, "put this diagram into docs/architecture.md:\n{expected}");
}

#[test]
fn every_arrow_points_downwards() {
    let layer = |name: &str| {
        LAYERS.iter().position(|layer| layer.contains(&name)).unwrap_or_else(|| panic!("{name}: which layer?"))
    };
    for (from, tos) in dependencies() {
        for to in tos {
            assert!(layer(&from) < layer(&to), "{from} must not depend on {to}");
        }
    }
}

#[test]
fn every_file_that_the_page_names_is_there() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let page = include_str!("../../../docs/architecture.md");
    let quoted = page.split('`').skip(1).step_by(2);
    let paths = quoted.filter(|text| text.starts_with("crates/") || text.starts_with("tests/"));
    for path in paths {
        assert!(std::path::Path::new(root).join(path).exists(), "{path}");
    }
}

/// Every source file of the crates, with its name.
fn sources() -> Vec<(PathBuf, String)> {
    let mut directories = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates"))];
    let mut sources = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                directories.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                sources.push((entry, text));
            }
        }
    }
    sources
}

/// A crate that is published has only its own files.
#[test]
fn nothing_that_is_included_is_outside_of_its_crate() {
    let mut included = 0;
    for (path, text) in sources() {
        for rest in ["include_str!(", "include_bytes!(", "include!("].iter().flat_map(|name| text.split(name).skip(1)) {
            let argument = rest.split(')').next().unwrap();
            let Some(file) = argument.split('"').nth(1) else { continue };
            included += 1;
            let up = file.split('/').take_while(|part| *part == "..").count();
            let folders = path.iter().skip_while(|part| *part != "crates").count() - 3;
            assert!(up <= folders, "{} includes {file}", path.display());
        }
    }
    assert!(included > 10, "{included} were found");
}

/// What connects to others, and the only file that may use it, if any may.
const CONNECTING: [(&str, &str); 6] = [
    ("ureq", "crates/tilebase/src/fetch/web.rs"),
    ("tilebase::fetch", "crates/cli/src/commands/tables/fetch.rs"),
    // To the server that it has started itself.
    ("TcpStream::connect", "crates/cli/src/commands/bench/serve.rs"),
    ("TcpSocket", "none"),
    ("UdpSocket", "none"),
    ("client::conn", "none"),
];

#[test]
fn nothing_is_fetched_unasked() {
    let mut used = BTreeSet::new();
    for (path, text) in sources() {
        let path = path.to_string_lossy().replace('\\', "/");
        let path = path.split_once("/../").map_or(&*path, |(_, path)| path);
        if path.contains("/tests/") || path.contains("/examples/") {
            continue;
        }
        // What stands in comments connects to nobody.
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for (what, only) in CONNECTING.into_iter().filter(|&(what, _)| code.iter().any(|line| line.contains(what))) {
            assert!(path.ends_with(only), "{path} uses {what}; the only file that may: {only}");
            used.insert(what);
        }
    }
    assert_eq!(used.len(), 3, "{used:?}: is the name of a file or of a library another one now?");
}

/// What starts threads, and panics where none can start.
const STARTING: [&str; 6] =
    ["thread::spawn(", "thread::Builder", "scope.spawn(", "ThreadPoolBuilder", "spawn_blocking", "enable_steady_tick("];

/// Where threads may start: the module for that, and processes of a cluster, which cannot do their part without.
const MAY_START: [&str; 2] = ["crates/progress/src/threads", "crates/cluster/"];

#[test]
fn threads_start_where_a_refusal_is_survived() {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        let path = path.to_string_lossy().replace('\\', "/");
        let path = path.split_once("/../").map_or(&*path, |(_, path)| path);
        if path.contains("/tests/") || path.contains("/examples/") || path.ends_with("/tests.rs") {
            continue;
        }
        // Tests stand at the end of a file.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for what in STARTING.into_iter().filter(|&what| code.iter().any(|line| line.contains(what))) {
            let may = MAY_START.iter().any(|start| path.starts_with(start));
            assert!(may, "{path} has {what}: tilebase_progress::threads starts threads that may be refused");
            found.insert(what);
        }
        // The global pool of rayon starts when it is first used. Builds have pools of their own.
        let uses_rayon =
            code.iter().any(|line| line.contains("use rayon::prelude") || line.contains("rayon::current_num"));
        let is_prepared = ["crates/generate/", "crates/census/"].iter().any(|start| path.starts_with(start))
            || code.iter().any(|line| line.contains("prepare_pool()"));
        assert!(!uses_rayon || is_prepared, "{path} uses rayon without prepare_pool");
    }
    assert!(found.contains("ThreadPoolBuilder"), "{found:?}: does the module for threads have another name now?");
}

/// Clippy finds unsafe code without a reason, where it is asked to.
#[test]
fn every_workspace_denies_unsafe_code_without_a_reason() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for workspace in ["", "fuzz", "tests/hint", "tests/outside"] {
        let manifest = root.join(workspace).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        assert!(text.contains("\n[workspace"), "{}: is it no workspace any more?", manifest.display());
        assert!(text.contains("\nundocumented_unsafe_blocks = \"deny\"\n"), "{}", manifest.display());
    }
}

#[test]
fn every_instruction_set_that_is_enabled_is_detected() {
    let mut enabled = 0;
    for (path, text) in sources() {
        for features in text.split("target_feature(enable = \"").skip(1).filter_map(|rest| rest.split('"').next()) {
            for feature in features.split(',') {
                enabled += 1;
                let detected = format!("is_x86_feature_detected!(\"{feature}\")");
                assert!(text.contains(&detected), "{} enables {feature} without detecting it", path.display());
            }
        }
    }
    assert!(enabled >= 4, "{enabled} were found");
}

/// The files that may branch on the metric. Everything else takes it as a parameter.
const BRANCHING_ON_THE_METRIC: [(&str, &str); 16] = [
    ("crates/puzzle/src/metric.rs", "what a move is"),
    ("crates/index/src/kind.rs", "which metric the entries of a table count"),
    ("crates/heuristics/src/about.rs", "what a heuristic promises"),
    ("crates/solve/src/space/", "which moves there are"),
    ("crates/engine/src/compile.rs", "which space bounds are for"),
    ("crates/census/src/search.rs", "which moves there are"),
    ("crates/census/src/near.rs", "which moves there are"),
    ("crates/tilebase/src/choice/mod.rs", "which tables there are"),
    ("crates/tilebase/src/analysis.rs", "which heuristics are shown"),
    ("crates/tilebase/src/boards_at_distance.rs", "which boards are published"),
    ("crates/tilebase/src/review.rs", "what the Manhattan distance is compared with"),
    ("crates/tilebase/src/shorten.rs", "how much a window costs"),
    ("crates/cli/src/builds.rs", "options"),
    ("crates/cli/src/commands/moves/optimise.rs", "options"),
    ("crates/cli/src/commands/census.rs", "display"),
    ("crates/cli/src/commands/bench/solve.rs", "which lengths are published"),
];

#[test]
fn only_these_files_branch_on_the_metric() {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        let path = path.to_string_lossy().replace('\\', "/");
        let path = path.split_once("/../").map_or(&*path, |(_, path)| path);
        if path.contains("/tests/") || path.contains("/examples/") || path.ends_with("/tests.rs") {
            continue;
        }
        // Tests stand at the end of a file.
        let code = text.split("#[cfg(test)]\n").next().unwrap();
        let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        // The variant of single tiles alone is a default.
        if code.any(|line| ["Metric::Mtm", "== Metric::Stm", "Metric::Stm =>"].iter().any(|what| line.contains(what))) {
            let known = BRANCHING_ON_THE_METRIC.iter().find(|(file, _)| path.starts_with(file));
            found.insert(known.unwrap_or_else(|| panic!("{path} branches on the metric: make it a parameter")).0);
        }
    }
    let listed: BTreeSet<&str> = BRANCHING_ON_THE_METRIC.iter().map(|(file, _)| *file).collect();
    assert_eq!(found, listed, "the list has files that no longer branch on the metric");
}
