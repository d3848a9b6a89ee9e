//! `apply`, and `label --sources`: votes from declared sources, pattern tables, and what can be wrong with them.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::folder::Folder;

const SOURCES: &str = r#"classes = ["ham", "spam"]
text = "body"

[[source]]
name = "prize"
vote = "spam"
regex = 'you (have )?won'
lower = true

[[source]]
name = "words"
vote = "spam"
keywords = ["free", "money"]
words = true
lower = true

[[source]]
name = "short"
vote = "ham"
sql = "length(body) < 20"

[[source]]
name = "greeting"
vote = "ham"
keywords = ["hello", "dear"]
lower = true

[[source]]
name = "judge"
column = "score"
thresholds = [{ at_least = 0.7, vote = "spam" }, { at_most = 0.3, vote = "ham" }]

[[source]]
name = "plain"
vote = "ham"
not = "loud"

[[source]]
name = "loud"
vote = "spam"
any = ["prize", "words"]
"#;

const MAILS: &str = "id,body,score,truth\n\
    m1,You have WON free money,0.9,spam\n\
    m2,Hello there,0.1,ham\n\
    m3,\"Dear all, the meeting is on Monday\",0.2,ham\n\
    m4,Freedom costs money,0.6,spam\n\
    m5,,,ham\n\
    m6,Hello there,0.1,ham\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("sources.toml", SOURCES);
    folder.write("mails.csv", MAILS);
    folder
}

/// The lines on standard error of a command that is refused, after which nothing is left behind.
fn refused(folder: &Folder, words: &str) -> String {
    let before = folder.list();
    let run = folder.run(words);
    assert_eq!(folder.list(), before, "something was left behind");
    run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n").unwrap_or_else(|| panic!("{run}")).to_string()
}

#[test]
fn votes() {
    let folder = folder();
    assert_snapshot!(folder.run("apply sources.toml mails.csv --keep truth"));
    folder.run("apply sources.toml mails.csv -o votes.parquet");
    assert_snapshot!(folder.run("analyze votes.parquet"));
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_files() {
    let folder = folder();
    let rows: Vec<&str> = MAILS.lines().skip(1).collect();
    let many: Vec<String> = (0..30_000).map(|i| rows[(i * 7) % rows.len()].to_string()).collect();
    let head = "id,body,score,truth";
    folder.write("many.csv", format!("{head}\n{}\n", many.join("\n")));
    folder.write("part-1.csv", format!("{head}\n{}\n", many[..9999].join("\n")));
    folder.write("part-2.csv", format!("{head}\n{}\n", many[9999..].join("\n")));
    for format in ["csv", "parquet", "jsonl", "arrow"] {
        for (number, words) in
            ["many.csv --threads 1", "many.csv --threads 3", "part-1.csv part-2.csv"].iter().enumerate()
        {
            let run = folder.run(&format!("apply sources.toml {words} -o v{number}.{format}"));
            assert!(run.starts_with("exit code 0\n"), "{run}");
        }
        let bytes = |number: usize| folder.bytes(&format!("v{number}.{format}"));
        assert!(bytes(0) == bytes(1) && bytes(0) == bytes(2), "{format}");
    }
}

#[test]
fn standard_input_and_patterns_of_names() {
    let folder = folder();
    let direct = folder.run("apply sources.toml mails.csv");
    assert_eq!(folder.run_with_input("apply sources.toml -", MAILS.as_bytes()), direct);
    assert_eq!(folder.run("apply sources.toml m*ls.csv"), direct);
}

#[test]
fn checks() {
    let folder = folder();
    assert_snapshot!(folder.run("apply sources.toml --check"));
    assert_snapshot!(folder.run("apply sources.toml mails.csv --check"));
    folder.write("bad.toml", SOURCES.replace("length(body)", "length(body").replace("\"free\"", "free"));
    assert_snapshot!(refused(&folder, "apply bad.toml --check"));
    folder.write(
        "bad.toml",
        SOURCES
            .replace("length(body)", "length(body")
            .replace("vote = \"spam\"\nregex", "votes = \"spam\"\nregex"),
    );
    assert_snapshot!(refused(&folder, "apply bad.toml --check"));
    folder.write("bad.toml", SOURCES.replace("length(body)", "length(body"));
    assert_snapshot!(refused(&folder, "apply bad.toml --check"));
}

#[test]
fn faults() {
    let folder = folder();
    folder.write("sources.toml", format!("{SOURCES}\n[[source]]\nname = \"ratio\"\nvote = \"spam\"\nsql = \"10 / (length(body) - 11) > 0\"\n"));
    assert_snapshot!(refused(&folder, "apply sources.toml mails.csv -o votes.csv"));
    assert_snapshot!(folder.run("apply sources.toml mails.csv --on-error abstain"));
}

#[test]
fn labels_in_one_command() {
    let folder = folder();
    assert_snapshot!(folder.run("label --sources sources.toml mails.csv --gold truth --independent"));
    folder.run("apply sources.toml mails.csv --keep truth -o votes.csv");
    let one = folder.run("label --sources sources.toml mails.csv --independent --quiet");
    assert_eq!(folder.run("label votes.csv --classes ham,spam --independent --quiet"), one);
}

#[test]
fn patterns() {
    let folder = folder();
    assert_snapshot!(folder.run("apply sources.toml mails.csv --patterns"));
    folder.run("apply sources.toml mails.csv --patterns -o patterns.csv");
    folder.run("apply sources.toml mails.csv -o votes.csv");
    for verb in ["analyze", "learn", "fit --independent"] {
        let told = |file: &str, flags: &str| {
            let run = folder.run(&format!("{verb} {file} {flags} --classes ham,spam --quiet"));
            assert!(run.starts_with("exit code 0\n"), "{run}");
            run.replace(file, "TABLE")
        };
        assert_eq!(told("patterns.csv", "--count count"), told("votes.csv", ""), "{verb}");
    }
    assert_snapshot!(folder.run("label patterns.csv --count count --classes ham,spam --independent"));
}

#[test]
fn labels_of_patterns_are_those_of_items() {
    let folder = folder();
    folder.run("simulate --sources 6 --items 3000 --pairs 1 --seed 5 -o votes.csv");
    let votes = folder.read("votes.csv");
    let mut lines = votes.lines();
    let head = lines.next().unwrap();
    let mut counts = std::collections::BTreeMap::new();
    for line in lines.clone() {
        *counts.entry(line).or_insert(0) += 1;
    }
    let rows: Vec<String> = counts.iter().map(|(row, count)| format!("{row},{count}")).collect();
    folder.write("patterns.csv", format!("{head},n\n{}\n", rows.join("\n")));
    folder.run("label votes.csv -o labels.csv");
    folder.run("label patterns.csv --count n -o by-pattern.csv");
    let labels = folder.read("labels.csv");
    let by_pattern = folder.read("by-pattern.csv");
    let width = head.split(',').count();
    let known: std::collections::HashMap<String, String> = by_pattern
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[..width].join(","), cells[width + 1..].join(","))
        })
        .collect();
    assert_eq!(known.len(), counts.len());
    for ((item, row), label) in lines.enumerate().zip(labels.lines().skip(1)) {
        assert_eq!(label, format!("{item},{}", known[row]));
    }
}

#[test]
fn queries() {
    let folder = folder();
    assert_snapshot!(folder.run("apply sources.toml --print-sql"));
    assert_snapshot!(folder.run("apply sources.toml mails.parquet --print-sql=spark"));
}

#[test]
fn requests_that_are_refused() {
    let folder = folder();
    let mut told = String::new();
    for words in [
        "apply sources.toml",
        "apply missing.toml mails.csv",
        "apply sources.toml missing.csv",
        "apply sources.toml no-*.csv",
        "apply sources.toml mails.csv -o mails.csv",
        "apply sources.toml mails.csv -o sources.toml",
        "apply sources.toml mails.csv -o votes.xyz",
        "apply sources.toml mails.csv --item nobody",
        "apply sources.toml mails.csv --keep nobody",
        "apply sources.toml mails.csv --patterns --item id",
        "apply sources.toml - -",
        "label --sources sources.toml mails.csv --count n",
        "label --sources sources.toml mails.csv -o mails.csv",
        "label mails.csv --count score",
    ] {
        let _ = write!(told, "{words}\n  {}", refused(&folder, words));
    }
    assert_snapshot!(told);
}

#[cfg(unix)]
#[test]
fn programs_run_only_where_allowed() {
    let folder = folder();
    folder.write(
        "sources.toml",
        "classes = ['ham', 'spam']\ntext = 'body'\n[[source]]\nname = 'llm'\ncommand = ['sh', '-c', 'sed s/.*/ham/']\n",
    );
    assert_snapshot!(refused(&folder, "apply sources.toml mails.csv"));
    assert_snapshot!(folder.run("apply sources.toml mails.csv --allow-commands --no-answer-cache"));
}

/// Runs `args` with --watch, changes the sources after the line that contains `first`, and returns what both rounds printed.
fn watched(folder: &Folder, args: &str, first: &str, sources: &str) -> [String; 2] {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |last: &str| {
        let mut seen = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(last) {
                break;
            }
        }
        seen
    };
    let first = until(first);
    folder.write("sources.toml", sources);
    let second = until("flipped");
    child.kill().unwrap();
    child.wait().unwrap();
    [first, second]
}

/// Two rounds: the first over all sources, the second over the one that changed.
#[test]
fn watching_reruns_what_changed() {
    let changed = SOURCES.replace("\"free\", \"money\"", "\"free\", \"hello\"");
    let [first, second] =
        watched(&folder(), "apply sources.toml mails.csv --watch", "loud: coverage", &changed);
    assert!(first.starts_with("sources.toml: 7 of 7 sources rerun over 6 items\n"), "{first}");
    // The keywords, and what is made of them.
    assert!(second.contains("sources.toml: 3 of 7 sources rerun over 6 items\n"), "{second}");
    assert!(second.contains("  words: coverage 33.3% -> 50.0%"), "{second}");
}

/// Faults are reported once, and the votes come with the names of the items.
#[test]
fn watching_tells_faults_and_writes_items() {
    let folder = folder();
    let failing = "\n[[source]]\nname = \"number\"\nvote = \"ham\"\nsql = \"cast(body as int) > 5\"\n";
    folder.write("sources.toml", format!("{SOURCES}{failing}"));
    let changed = format!("{SOURCES}{failing}").replace("\"free\", \"money\"", "\"free\", \"hello\"");
    let args = "apply sources.toml mails.csv --watch --on-error abstain --item truth -o votes.csv";
    let [first, second] = watched(&folder, args, "number: failed", &changed);
    assert!(first.contains("  number: failed on "), "{first}");
    assert!(first.contains(" and abstains there; first on row 1: "), "{first}");
    assert!(!second.contains("failed on"), "{second}");
    let votes = folder.read("votes.csv");
    assert!(votes.starts_with("item,prize,") && votes.contains("\nspam,"), "{votes}");
}

/// Rules over words, two of which are made of others.
const DECLARED: &str = r#"classes = ["ham", "spam"]
text = "body"

[[source]]
name = "prize"
vote = "spam"
otherwise = "ham"
keywords = ["prize"]

[[source]]
name = "money"
vote = "spam"
otherwise = "ham"
keywords = ["money"]

[[source]]
name = "click"
vote = "spam"
otherwise = "ham"
keywords = ["click"]

[[source]]
name = "thanks"
vote = "ham"
otherwise = "spam"
keywords = ["thanks"]

[[source]]
name = "meeting"
vote = "ham"
otherwise = "spam"
keywords = ["meeting"]

[[source]]
name = "loud"
vote = "spam"
otherwise = "ham"
any = ["prize", "money"]

[[source]]
name = "louder"
vote = "spam"
otherwise = "ham"
any = ["loud", "click"]
"#;

/// Mails whose words depend on their class, and the class of each, in files of their own.
fn declared() -> Folder {
    let folder = Folder::new();
    folder.write("sources.toml", DECLARED);
    let (mut mails, mut gold, mut answers) =
        ("id,body\n".to_string(), "id,gold\n".to_string(), "item,answer\n".to_string());
    let mut state = 12_345_u64;
    let mut chance = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    for i in 0..4000 {
        let spam = chance() < 0.5;
        let mut body = "mail".to_string();
        for (word, of_spam) in
            [("prize", true), ("money", true), ("click", true), ("thanks", false), ("meeting", false)]
        {
            if chance() < if spam == of_spam { 0.45 } else { 0.1 } {
                let _ = write!(body, " {word}");
            }
        }
        let class = if spam { "spam" } else { "ham" };
        let _ = writeln!(mails, "m{i},{body}");
        // In another order, so that items must be matched by name.
        gold = format!("id,gold\nm{i},{class}\n{}", gold.split_once('\n').unwrap().1);
        if i % 80 == 0 {
            let _ = writeln!(answers, "m{i},{class}");
        }
    }
    folder.write("mails.csv", mails);
    folder.write("gold.csv", gold);
    folder.write("answers.csv", answers);
    folder
}

fn fine(run: String) -> String {
    assert!(run.starts_with("exit code 0\n"), "{run}");
    run
}

#[test]
fn declarations_explain_links_and_change_none() {
    let folder = declared();
    let told = fine(folder.run("learn --sources sources.toml mails.csv"));
    for part in ["Explanation", "louder is declared as any of loud, click"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    fine(folder.run("learn --sources sources.toml mails.csv --all -o declared.json"));
    fine(folder.run("apply sources.toml mails.csv -o votes.csv"));
    let plain = fine(folder.run("learn votes.csv --all"));
    assert!(!plain.contains("Explanation"), "{plain}");
    fine(folder.run("learn votes.csv --all -o plain.json"));
    // The same but for what declarations say.
    let parse = |name: &str| -> serde_json::Value { serde_json::from_str(&folder.read(name)).unwrap() };
    let (mut declared, plain) = (parse("declared.json"), parse("plain.json"));
    let compositions = declared.as_object_mut().unwrap().remove("compositions").unwrap();
    assert_eq!(
        compositions,
        serde_json::json!([
            { "source": "loud", "way": "any", "parts": ["prize", "money"] },
            { "source": "louder", "way": "any", "parts": ["loud", "click"] },
        ])
    );
    let mut explained = 0;
    for link in declared["dependencies"].as_array_mut().unwrap() {
        let sources = link["sources"].to_string();
        let why = link.as_object_mut().unwrap().remove("explanation");
        // Those for ham are parts of nothing.
        let made = sources.contains("loud") && !sources.contains("thanks") && !sources.contains("meeting");
        assert!(why.is_none() || made, "{sources}: {why:?}");
        explained += usize::from(why.is_some());
    }
    assert!(explained > 0);
    assert_eq!(declared, plain);
    // The explanation stays with the structure, and labels are the same.
    let report = fine(folder.run("report votes.csv --structure declared.json --format md"));
    assert!(report.contains(" explanation |") && report.contains("is declared as any of"), "{report}");
    let page = fine(folder.run("report --sources sources.toml mails.csv"));
    assert!(page.contains(": louder is declared as any of loud, click</td>"), "no explanation");
    let one = fine(folder.run("label --sources sources.toml mails.csv -o one.csv"));
    assert!(
        one.contains("note: click and louder repeat each other: louder is declared as any of loud, click"),
        "{one}"
    );
    fine(folder.run("label votes.csv --classes ham,spam -o two.csv"));
    assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
}

#[test]
fn flags_of_label_work_on_declared_sources() {
    let folder = declared();
    fine(folder.run("apply sources.toml mails.csv -o votes.csv"));
    for flags in [
        "--gold-file gold.csv",
        "--gold-file gold.csv --gold gold --majority",
        "--answers answers.csv",
        "--decide f1=spam",
        "--answers answers.csv --decide f1=spam --gold-file gold.csv",
        "--abstain-below 0.8 --ties first",
        "--balance estimated",
    ] {
        let declared =
            fine(folder.run(&format!("label --sources sources.toml mails.csv {flags} -o one.csv")));
        let plain = fine(folder.run(&format!("label votes.csv --classes ham,spam {flags} -o two.csv")));
        assert_eq!(folder.read("one.csv"), folder.read("two.csv"), "{flags}");
        let last = |run: &str| run.lines().last().unwrap().to_string();
        assert_eq!(last(&declared), last(&plain), "{flags}");
        assert_eq!(last(&declared).contains("with gold"), flags.contains("gold"), "{declared}");
    }
    // Answers may stand in the data.
    let mails = folder.read("mails.csv");
    let known = folder.read("answers.csv");
    let known: std::collections::HashMap<&str, &str> =
        known.lines().filter_map(|line| line.split_once(',')).collect();
    let answered = mails.lines().enumerate().map(|(i, line)| {
        let answer =
            if i == 0 { "answer" } else { known.get(line.split(',').next().unwrap()).unwrap_or(&"") };
        format!("{line},{answer}\n")
    });
    folder.write("answered.csv", answered.collect::<String>());
    fine(folder.run("label --sources sources.toml mails.csv --answers answers.csv -o one.csv"));
    fine(folder.run("label --sources sources.toml answered.csv --answers-column answer -o two.csv"));
    assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
    fine(folder.run("learn --sources sources.toml mails.csv --gold-file gold.csv"));
    let page = fine(folder.run("report --sources sources.toml mails.csv --gold-file gold.csv --format md"));
    assert!(page.contains("by gold"), "{page}");
    for words in [
        "label --sources sources.toml mails.csv --gold-file gold.csv -o gold.csv",
        "label --sources sources.toml mails.csv --gold-file missing.csv -o out.csv",
        "label --sources sources.toml - --gold-file - -o out.csv",
        "learn --sources sources.toml mails.csv --most-patterns 10",
        "learn --sources sources.toml mails.csv --count n",
        "report --sources sources.toml mails.csv -o mails.csv",
    ] {
        refused(&folder, words);
    }
}

/// Neither the sources nor anything they read is replaced, whatever is written.
#[test]
fn no_input_of_the_sources_is_overwritten() {
    let folder = folder();
    folder.write("list.csv", "keyword\nfree\n");
    folder.write("names.csv", "body\nHello there\n");
    let listed = "classes = [\"ham\", \"spam\"]\ntext = \"body\"\n\
        [[source]]\nname = \"list\"\nvote = \"spam\"\nkeywords_file = \"list.csv\"\n\
        [[source]]\nname = \"names\"\nvote = \"ham\"\nlookup = { file = \"names.csv\", keys = [\"body\"] }\n";
    folder.write("listed.toml", listed);
    for words in [
        "apply listed.toml mails.csv -o list.csv",
        "apply listed.toml mails.csv -o names.csv",
        "apply listed.toml mails.csv --print-sql -o listed.toml",
        "apply listed.toml mails.csv --print-sql -o mails.csv",
        "apply listed.toml mails.csv --watch -o listed.toml",
        "apply listed.toml mails.csv --watch -o names.csv",
        "label --sources listed.toml mails.csv -o names.csv",
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 1\n"), "{words}: {run}");
        assert!(
            run.contains("would overwrite the") || run.contains("the name does not say which format"),
            "{words}: {run}"
        );
    }
    assert_eq!(folder.read("listed.toml"), listed);
    assert_eq!(folder.read("mails.csv"), MAILS);
}

#[test]
fn watching_needs_files() {
    let run = folder().run("apply sources.toml - --watch");
    assert!(run.contains("which standard input does not allow; name a file"), "{run}");
}
