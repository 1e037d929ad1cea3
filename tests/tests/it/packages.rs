//! What is said of packages holds for each of them: those that are published have what a registry and its readers expect.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The packages of a workspace, as cargo tells them.
fn packages(manifest: &str) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(root().join(manifest))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn is_published(package: &Value) -> bool {
    package["publish"].as_array().is_none_or(|registries| !registries.is_empty())
}

#[test]
fn every_published_package_has_what_readers_expect() {
    let published: Vec<Value> = packages("Cargo.toml").into_iter().filter(is_published).collect();
    assert!(published.len() >= 16, "{} packages", published.len());
    for package in published {
        let name = package["name"].as_str().unwrap();
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(package[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
        }
        for (key, most) in [("keywords", 5), ("categories", 5)] {
            let count = package[key].as_array().unwrap().len();
            assert!((1..=most).contains(&count), "{name} has {count} {key}");
        }
        for keyword in package["keywords"].as_array().unwrap() {
            assert!(
                keyword.as_str().unwrap().len() <= 20,
                "{name}: a registry takes keywords of up to 20 letters: {keyword}"
            );
        }
        assert_eq!(package["metadata"]["docs"]["rs"]["all-features"], true, "{name}");
        let directory = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let of_package = std::fs::read_to_string(directory.join(licence)).unwrap();
            assert_eq!(of_package, std::fs::read_to_string(root().join(licence)).unwrap(), "{name}");
        }
        let readme = std::fs::read_to_string(directory.join("README.md")).unwrap();
        let missing = package["features"]
            .as_object()
            .unwrap()
            .keys()
            .find(|feature| *feature != "default" && !readme.contains(&format!("`{feature}`")));
        assert_eq!(missing, None, "{name}: its README does not tell of the feature");
    }
}

#[test]
fn every_dependency_on_a_package_of_our_own_asks_for_its_version() {
    let all = packages("Cargo.toml");
    let version = all[0]["version"].as_str().unwrap();
    for package in &all {
        assert_eq!(package["version"], version, "{}", package["name"]);
        if !is_published(package) {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_own = dependency["name"].as_str().unwrap().starts_with("tilebase");
            // A package may use itself in its tests without saying which version.
            if is_own && dependency["kind"] != "dev" {
                assert_eq!(dependency["req"], format!("^{version}"), "{}: {}", package["name"], dependency["name"]);
            }
        }
    }
    let openapi = std::fs::read_to_string(root().join("crates/serve/openapi.json")).unwrap();
    let openapi: Value = serde_json::from_str(&openapi).unwrap();
    assert_eq!(openapi["info"]["version"], version);
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).unwrap();
    assert!(citation.lines().any(|line| line == format!("version: {version}")), "{citation}");
    // It has a date once the version is released: that of the manual.
    let manual = std::fs::read_to_string(root().join("crates/cli/src/commands/man.rs")).unwrap();
    let date = manual.lines().find_map(|line| line.strip_prefix("const DATE: &str = \"")?.strip_suffix("\";")).unwrap();
    let released = citation.lines().find_map(|line| line.strip_prefix("date-released: "));
    assert!(released.is_none_or(|released| released.trim_matches('"') == date), "{released:?} is not {date}");
}

/// The folders of the workspaces of their own, which the root's leaves out.
fn excluded_workspaces() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with("exclude = ")).expect("the workspace excludes folders");
    line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn what_is_compiled_in_any_workspace_is_ignored_by_git() {
    let excluded = excluded_workspaces();
    assert!(excluded.len() >= 3, "{excluded:?}");
    let folders = excluded.iter().map(|workspace| format!("{workspace}/target/debug"));
    for folder in folders.chain(["target/debug".to_owned()]) {
        // 0 is ignored, 1 is not; anything else means that there is no work tree here.
        let checked = Command::new("git").args(["check-ignore", "--quiet", &folder]).current_dir(root()).output();
        let code = checked.ok().and_then(|checked| checked.status.code());
        assert_ne!(code, Some(1), "{folder}: add it to .gitignore");
    }
}

#[test]
fn the_library_shows_the_smallest_program_that_gives_hints() {
    let program = std::fs::read_to_string(root().join("tests/hint/src/main.rs")).unwrap();
    let (_, code) = program.split_once("\n\n").unwrap();
    let readme = std::fs::read_to_string(root().join("crates/tilebase/README.md")).unwrap();
    assert!(readme.contains(code), "put the program of tests/hint into crates/tilebase/README.md");
}
