//! Every help text, as a terminal of 80 columns has it.

use insta::assert_snapshot;

use crate::folder::Folder;

#[test]
fn short() {
    for verb in ["", "simulate", "analyze", "label", "completions"] {
        let help = Folder::new().run(&format!("{verb} -h"));
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        assert_snapshot!(format!("short {verb}"), help);
    }
}

#[test]
fn long() {
    for verb in ["", "simulate", "analyze", "label", "completions"] {
        let help = Folder::new().run(&format!("{verb} --help"));
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        assert_snapshot!(format!("long {verb}"), help);
    }
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
        for verb in ["simulate", "analyze", "label"] {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
    }
}
