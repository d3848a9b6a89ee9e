//! `consilience studio`: what it refuses before it starts. What it does is tested in a browser (`make studio-test`).

use crate::folder::Folder;

const VOTES: &str = "item,a,b,c\nx1,1,1,0\nx2,0,1,0\nx3,1,1,1\n";

fn refuses(words: &str, why: &str) {
    let folder = Folder::with_votes(VOTES);
    folder.write("text.csv", "item,text\nx9,hello\n");
    folder.write("short.csv", "text\nhello\n");
    folder.write("answers.csv", "item,answer\nx1,7\n");
    let before = folder.list();
    let run = folder.run(&format!("studio votes.csv --no-open {words}"));
    assert!(run.starts_with("exit code 1\n") && run.contains(why), "{run}");
    assert_eq!(folder.list(), before);
    assert_eq!(folder.read("votes.csv"), VOTES);
}

#[test]
fn answers_never_take_the_place_of_an_input() {
    refuses("--answers votes.csv", "answers would overwrite the votes");
    refuses("--answers text.csv --text text.csv", "answers would overwrite the text");
    refuses("--answers nowhere/answers.csv", "the folder nowhere does not exist");
}

#[test]
fn files_that_do_not_fit_are_refused() {
    refuses("--answers answers.csv", "is not a class");
    refuses("--text text.csv", "none of its texts belongs to an item");
    refuses("--text short.csv", "none of its texts belongs to an item");
    refuses("--text missing.csv", "missing.csv");
}

#[test]
fn sources_are_checked_first() {
    let rule = "classes = ['ham', 'spam']\ntext = 'text'\n[[source]]\nname = 'short'\nvote = 'ham'\nregex = '^.{0,5}$'\n";
    let program = "[[source]]\nname = 'judge'\ncommand = ['touch', 'hurt']\n";
    let refuses = |sources: &str, words: &str, why: &str| {
        let folder = Folder::new();
        folder.write("mails.csv", "id,text\nm1,hello\nm2,free money\n");
        folder.write("sources.toml", sources);
        let before = folder.list();
        let run = folder.run(&format!("studio mails.csv --sources sources.toml --no-open {words}"));
        assert!(run.starts_with("exit code 1\n") && run.contains(why), "{run}");
        assert_eq!(folder.list(), before);
        assert_eq!(folder.read("sources.toml"), sources);
    };
    refuses(rule, "--answers sources.toml", "answers would overwrite the sources");
    refuses(rule, "--answers mails.csv", "answers would overwrite the votes");
    refuses(rule, "--classes ham,spam", "--classes describes a table of votes");
    refuses(&rule.replace("'text'\n", "'body'\n"), "", "mails.csv has no column \"body\"");
    refuses(&rule.replace(".{0", ".({0"), "", "sources.toml, line 6, column 1");
    refuses(&format!("{rule}{program}"), "", "--allow-commands lets it run");
    refuses(rule, "--text missing.csv", "missing.csv");
}

/// The texts are read where the table has a column for each source, and not where it has only some of them.
#[test]
fn votes_of_the_sources_are_made_again_from_their_texts() {
    let folder = Folder::new();
    folder.write("sources.toml", "classes = ['ham', 'spam']\ntext = 'text'\n[[source]]\nname = 'short'\nvote = 'ham'\nregex = '^.{0,5}$'\n[[source]]\nname = 'free'\nvote = 'spam'\nregex = 'free'\n");
    folder.write("mails.csv", "id,body\nm1,hello\nm2,free money\n");
    let refused = |votes: &str, why: &str| {
        folder.write("votes.csv", votes);
        let run = folder.run("studio votes.csv --text mails.csv --sources sources.toml --no-open");
        assert!(run.starts_with("exit code 1\n") && run.contains(why), "{run}");
        run
    };
    let run = refused("id,short,free,judge\nm1,ham,,\nm2,,spam,ham\n", "mails.csv has no column \"text\"");
    assert!(run.contains("votes.csv are recomputed from mails.csv"), "{run}");
    assert!(run.contains("sources.toml does not declare them: judge"), "{run}");
    refused("id,short\nm1,ham\nm2,\n", "votes.csv has no column \"text\"");
}
