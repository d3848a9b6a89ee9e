//! Files that are written and read again.

use std::path::Path;

use consilience_sources::{Command, Declared, Keywords, Kind, Reading, Side, SourcesFile, Threshold};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    "[a-z'\"\\\\\n\t ä#=\\[\\]{}\u{7f}\u{1}]{1,12}".prop_map(|text| format!("x{text}"))
}

fn kind() -> impl Strategy<Value = (Kind, bool)> {
    let texts = || prop::collection::vec(text(), 1..3);
    let class = || prop::sample::select(vec!["ham".to_string(), "spam".to_string()]);
    let side = prop::sample::select(vec![Side::AtLeast, Side::Above, Side::AtMost, Side::Below]);
    let threshold =
        (side, -1e6..1e6f64, class()).prop_map(|(side, bound, vote)| Threshold { side, bound, vote });
    let map = prop::collection::btree_map(text(), class(), 1..3).prop_map(|map| map.into_iter().collect());
    prop_oneof![
        (texts(), any::<bool>())
            .prop_map(|(list, words)| (Kind::Keywords { keywords: Keywords::List(list), words }, true)),
        any::<bool>().prop_map(|words| {
            (Kind::Keywords { keywords: Keywords::File("a b/c.txt".into()), words }, true)
        }),
        any::<bool>()
            .prop_map(|ignore_case| { (Kind::Regex { pattern: r#"a'"\w+\\ "#.into(), ignore_case }, true) }),
        text().prop_map(|sql| (Kind::Sql(sql), true)),
        (text(), text(), any::<bool>()).prop_map(|(a, b, strip)| {
            (Kind::Lookup { file: "d.csv".into(), keys: vec![(a, b)], vote: None, strip }, true)
        }),
        text().prop_map(|column| {
            (
                Kind::Lookup {
                    file: "d.csv".into(),
                    keys: vec![(column.clone(), column)],
                    vote: Some("c".into()),
                    strip: false,
                },
                false,
            )
        }),
        (text(), map).prop_map(|(column, map)| (Kind::Column { column, reading: Reading::Map(map) }, false)),
        (text(), prop::collection::vec(threshold, 1..3))
            .prop_map(|(column, list)| (Kind::Column { column, reading: Reading::Thresholds(list) }, false)),
        (texts(), texts(), 1..200usize, 0..5usize, 1..100u8, prop::option::of(text())).prop_map(
            |(argv, columns, batch, retries, timeout, version)| {
                let timeout = f64::from(timeout);
                (Kind::Command(Command { argv, columns, batch, retries, timeout, version }), false)
            }
        ),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        kinds in prop::collection::vec((kind(), any::<bool>(), any::<bool>()), 1..5),
        column in text(),
    ) {
        let sources = kinds.into_iter().enumerate().map(|(i, ((kind, votes), lower, otherwise))| {
            let is_text = matches!(kind, Kind::Keywords { .. } | Kind::Regex { .. });
            Declared {
                name: format!("s{i} '\"\\"),
                vote: votes.then(|| "spam".to_string()),
                otherwise: otherwise.then(|| "ham".to_string()),
                on: (is_text && otherwise).then(|| "other".to_string()),
                lower: lower && is_text,
                kind,
                place: (0, 0),
            }
        });
        let mut file = SourcesFile {
            classes: vec!["ham".into(), "spam".into()],
            text: Some(column),
            sources: sources.collect(),
            folder: ".".into(),
        };
        file.sources.push(Declared {
            name: "whole".into(), vote: Some("spam".into()), otherwise: None, on: None, lower: false,
            kind: Kind::Any(vec![file.sources[0].name.clone()]), place: (0, 0),
        });
        let text = file.to_toml();
        let mut read = SourcesFile::parse(&text, "sources.toml", Path::new(".")).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        read.sources.iter_mut().for_each(|source| source.place = (0, 0));
        prop_assert_eq!(read, file);
    }
}
