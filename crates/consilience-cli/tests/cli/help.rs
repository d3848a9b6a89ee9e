//! Every help text, as a terminal of 80 columns has it.

use insta::assert_snapshot;

use crate::folder::Folder;

/// All verbs but the one that names them.
const VERBS: [&str; 15] = [
    "apply",
    "simulate",
    "analyze",
    "learn",
    "fit",
    "label",
    "explain",
    "sample",
    "certify",
    "train",
    "predict",
    "report",
    "studio",
    "plan",
    "reproduce",
];

fn check(flag: &str, name: &str) {
    for verb in [""].iter().chain(&VERBS).chain(&["completions", "man"]) {
        let help = Folder::new().run(&format!("{verb} {flag}"));
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        assert_snapshot!(if verb.is_empty() { name.to_string() } else { format!("{name}_{verb}") }, help);
    }
}

#[test]
fn short() {
    check("-h", "short");
}

#[test]
fn long() {
    check("--help", "long");
}

#[test]
fn version() {
    assert_snapshot!(Folder::new().run("--version"));
}

#[test]
fn completions_name_every_verb() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = Folder::new().run(&format!("completions {shell}"));
        assert!(script.starts_with("exit code 0\n") && script.ends_with("--- stderr\n"), "{shell}");
        for verb in VERBS {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
    }
}
