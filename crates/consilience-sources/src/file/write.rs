//! Declared sources as the text of a file, in the form that people write.

use std::fmt::Write as _;

use toml::Value;

use super::{Command, Declared, Fault, FileError, Keywords, Kind, Reading, Side, SourcesFile};

impl SourcesFile {
    /// The same as JSON: `classes`, `text` and a list `source`, with the keys of the file.
    ///
    /// ```
    /// use std::path::Path;
    /// use consilience_sources::SourcesFile;
    ///
    /// let text = "classes = ['a', 'b']\ntext = 't'\n[[source]]\nname = 'win'\nvote = 'a'\nregex = 'win'\n";
    /// let file = SourcesFile::parse(text, "sources.toml", Path::new("."))?;
    /// let json = r#"{"classes":["a","b"],"text":"t","source":[{"name":"win","vote":"a","regex":"win"}]}"#;
    /// assert_eq!(file.to_json()?, json);
    /// # Ok::<(), consilience_sources::FileError>(())
    /// ```
    pub fn to_json(&self) -> Result<String, FileError> {
        let wrong = |message: String| {
            FileError::new("the written sources", vec![Fault { line: 1, column: 1, message }])
        };
        let table: toml::Table =
            self.to_toml().parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        serde_json::to_string(&table).map_err(|error| wrong(error.to_string()))
    }

    /// The text of the file; reading it gives the same sources.
    pub fn to_toml(&self) -> String {
        let mut text = format!("classes = {}\n", list(&self.classes));
        if let Some(column) = &self.text {
            line(&mut text, "text", &quoted(column));
        }
        for source in &self.sources {
            text.push_str("\n[[source]]\n");
            declared(&mut text, source);
        }
        text
    }
}

fn declared(text: &mut String, source: &Declared) {
    line(text, "name", &quoted(&source.name));
    for (key, class) in [("vote", &source.vote), ("otherwise", &source.otherwise), ("on", &source.on)] {
        if let Some(class) = class {
            line(text, key, &quoted(class));
        }
    }
    flag(text, "lower", source.lower);
    match &source.kind {
        Kind::Keywords { keywords, words } => {
            match keywords {
                Keywords::List(words) => line(text, "keywords", &list(words)),
                Keywords::File(file) => line(text, "keywords_file", &quoted(file)),
            }
            flag(text, "words", *words);
        }
        Kind::Regex { pattern, ignore_case } => {
            line(text, "regex", &quoted(pattern));
            flag(text, "ignore_case", *ignore_case);
        }
        Kind::Sql(sql) => line(text, "sql", &quoted(sql)),
        Kind::Lookup { file, keys, vote, strip } => {
            let keys = if keys.iter().all(|(data, column)| data == column) {
                list(&keys.iter().map(|(data, _)| data.clone()).collect::<Vec<_>>())
            } else {
                table(keys)
            };
            let vote = vote.as_ref().map(|vote| format!(", vote = {}", quoted(vote))).unwrap_or_default();
            line(text, "lookup", &format!("{{ file = {}, keys = {keys}{vote} }}", quoted(file)));
            flag(text, "strip", *strip);
        }
        Kind::Column { column, reading } => {
            line(text, "column", &quoted(column));
            match reading {
                Reading::Classes => {}
                Reading::Map(map) => line(text, "map", &table(map)),
                Reading::Thresholds(thresholds) => {
                    let one = |threshold: &super::Threshold| {
                        let key = Side::ALL
                            .iter()
                            .find(|(side, _)| *side == threshold.side)
                            .map_or("", |(_, key)| key);
                        format!("{{ {key} = {:?}, vote = {} }}", threshold.bound, quoted(&threshold.vote))
                    };
                    let all: Vec<String> = thresholds.iter().map(one).collect();
                    line(text, "thresholds", &format!("[{}]", all.join(", ")));
                }
            }
        }
        Kind::Command(command) => command_lines(text, command),
        Kind::All(parts) => line(text, "all", &list(parts)),
        Kind::Any(parts) => line(text, "any", &list(parts)),
        Kind::Not(part) => line(text, "not", &quoted(part)),
    }
}

fn command_lines(text: &mut String, command: &Command) {
    line(text, "command", &list(&command.argv));
    if !command.columns.is_empty() {
        line(text, "columns", &list(&command.columns));
    }
    if command.batch != Command::BATCH {
        line(text, "batch", &command.batch.to_string());
    }
    if command.retries != Command::RETRIES {
        line(text, "retries", &command.retries.to_string());
    }
    if command.timeout.to_bits() != Command::TIMEOUT.to_bits() {
        line(text, "timeout", &format!("{:?}", command.timeout));
    }
    if let Some(version) = &command.version {
        line(text, "version", &quoted(version));
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{key} = {value}");
}

fn flag(text: &mut String, key: &str, set: bool) {
    if set {
        line(text, key, "true");
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_string()).to_string()
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn table(pairs: &[(String, String)]) -> String {
    // A key in double quotes is a basic string, whatever signs it has.
    let key = |text: &str| serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f");
    let pairs: Vec<String> =
        pairs.iter().map(|(from, to)| format!("{} = {}", key(from), quoted(to))).collect();
    format!("{{ {} }}", pairs.join(", "))
}
