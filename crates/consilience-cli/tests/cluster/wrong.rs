//! Clusters that are not there, and requests that a cluster refuses.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::data;
use crate::processes::{Cluster, run};

/// Runs `args`, which must end with code 1, these words on one line, and no output.
fn refused(folder: &std::path::Path, args: &[&str], words: &[&str]) {
    // Without progress, which what takes 10 seconds would show.
    let ended = run(folder, &[args, &["-o", "out.csv", "--quiet"]].concat());
    assert_eq!(ended.code, Some(1), "{args:?}: {}", ended.stderr);
    assert!(ended.stderr.starts_with("error: ") && ended.stderr.lines().count() == 1, "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "{word:?} is not in {}", ended.stderr);
    }
    let left: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("out")), "{left:?}");
}

#[test]
fn a_cluster_that_is_not_there() {
    let folder = data::folder();
    let root = folder.path();
    let apply = ["apply", "sources.toml", "mails", "--cluster"];
    let at = |address: &'static str| [&apply[..], &[address]].concat();
    refused(root, &at("localhost:50050"), &["localhost:50050", "df://host:port"]);
    refused(root, &at("df://nowhere.invalid:50050"), &["df://nowhere.invalid:50050", "no scheduler answers"]);
    refused(
        root,
        &at("df://127.0.0.1:1"),
        &["df://127.0.0.1:1", "no scheduler answers", "check the address"],
    );

    // Something listens there and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("df://{}", silent.local_addr().unwrap());
    let started = Instant::now();
    refused(root, &[&apply[..], &[&address]].concat(), &[&address, "no answer within 10 seconds"]);
    assert!(started.elapsed() < Duration::from_secs(30));

    let idle = Cluster::start(0);
    let wait = ["--cluster-wait", "2"];
    let words = [idle.address.as_str(), "had no executors for 2 seconds", "consilience cluster executor"];
    refused(root, &[&apply[..], &[&idle.address], &wait].concat(), &words);
    refused(
        root,
        &[&["label", "--sources", "sources.toml", "mails", "--cluster", &idle.address], &wait[..]].concat(),
        &words,
    );
}

#[test]
fn requests_that_are_refused() {
    let folder = data::folder();
    let root = folder.path();
    let cluster = Cluster::start(1);
    let there = ["--cluster", cluster.address.as_str()];
    let command = "classes = ['a', 'b']\ntext = 'body'\n[[source]]\nname = 'judge'\ncommand = ['true']\n";
    fs::write(root.join("command.toml"), command).unwrap();
    let apply = |sources: &'static str| ["apply", sources, "mails", there[0], there[1]];
    let program = ["source \"judge\" (line 5)", "programs do not run on a cluster"];
    refused(root, &[&apply("command.toml")[..], &["--allow-commands"]].concat(), &program);
    refused(
        root,
        &["apply", "sources.toml", "-", there[0], there[1]],
        &["standard input is not on the cluster"],
    );
    refused(
        root,
        &["label", "--sources", "sources.toml", "-", there[0], there[1]],
        &["standard input is not on the cluster"],
    );
    refused(root, &[&apply("sources.toml")[..], &["--watch"]].concat(), &["--watch", "--cluster"]);
    refused(root, &["label", "mails", there[0], there[1]], &["--cluster", "--sources"]);
    let label = ["label", "--sources", "sources.toml", "mails", there[0], there[1]];
    refused(root, &[&label[..], &["--gold", "sender"]].concat(), &["--gold needs individual items"]);
    refused(root, &[&label[..], &["--ties", "random"]].concat(), &["--ties random needs individual items"]);

    let bad = "classes = ['a', 'b']\n[[source]]\nname = 'ratio'\nvote = 'a'\nsql = '10 / (id - 1500) > 0'\n";
    fs::write(root.join("ratio.toml"), bad).unwrap();
    let class = "classes = ['ham', 'spam']\n[[source]]\nname = 'who'\nsql = 'sender'\n";
    fs::write(root.join("class.toml"), class).unwrap();
    for sources in ["ratio.toml", "class.toml"] {
        // Where a source fails on an item, the messages are those of one machine.
        for rest in [&["--on-error", "abstain"][..], &["--patterns", "--on-error", "abstain"]] {
            let here = run(root, &[&["apply", sources, "mails"], rest].concat());
            let shared = run(root, &[&apply(sources)[..], rest].concat());
            assert_eq!((here.code, &here.stderr), (shared.code, &shared.stderr));
            assert_eq!(here.stdout, shared.stdout);
        }
    }
    for sources in ["class.toml", "ratio.toml"] {
        for rest in [&[][..], &["--patterns"]] {
            let here = run(root, &[&["apply", sources, "mails"], rest].concat());
            let shared = run(root, &[&apply(sources)[..], rest].concat());
            assert_eq!((here.code, &here.stderr), (shared.code, &shared.stderr));
        }
    }
}
