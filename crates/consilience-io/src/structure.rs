//! The file of a learned structure.

use consilience::dependency::{Dependency, DependencyError, DependencyType as _};
use consilience::structure::{
    Composition, CompositionWay, LearnedDependency, Origin, Repetition, Repetitions, Structure,
    StructureError,
};
use consilience::votes::Votes;
use serde::{Deserialize, Serialize};

use crate::document::{BY_HAND, DocumentProblem};
use crate::document_names::DocumentNames;
use crate::truth::DependencyFile;

/// A structure as `structure.json` holds it. One that is written by hand needs only `sources` and `dependencies`.
///
/// ```
/// use consilience::dependency::Correlation;
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::{LearnedDependency, Structure};
/// use consilience_io::StructureFile;
///
/// let sources = Sources::new(vec!["gpt".into(), "gpt_strict".into()])?;
/// let link = LearnedDependency::given(Correlation::new(0, 1)?.into());
/// let structure = Structure::new(sources, Classes::numbered(2)?, vec![link], 100)?;
/// let file = StructureFile::new(&structure, false);
/// assert_eq!(file.dependencies[0].kind, "correlation");
/// assert_eq!(file.dependencies[0].sources, ["gpt", "gpt_strict"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureFile {
    /// The names of the sources.
    pub sources: Vec<String>,
    /// The names of the classes; if missing, those of the votes that it is used with.
    #[serde(default)]
    pub classes: Vec<String>,
    /// The dependencies, most certain first.
    pub dependencies: Vec<DependencyFile>,
    /// Groups of sources that are exact copies of each other; only the first of each group has dependencies.
    #[serde(default)]
    pub copies: Vec<Vec<String>>,
    /// Sources that determine another one's every vote, such as its opposite, and that other one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<[String; 2]>,
    /// Groups of sources that count as one because they are near copies or echoes. If this is missing and no dependency has the
    /// type "repetition", repetition was not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<Vec<Vec<String>>>,
    /// How it was learned.
    #[serde(default)]
    pub method: String,
    /// The rule that selected the dependencies.
    #[serde(default)]
    pub select: String,
    /// The number of items it was learned from.
    #[serde(default)]
    pub items: usize,
    /// The number of possible dependencies; if missing, the number of listed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<usize>,
    /// The number of pairs of sources with too few common items to test; omitted if 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub untested: usize,
    /// Sources whose problem did not converge; omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<String>,
    /// Sources that are declared as combinations of others; omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compositions: Vec<CompositionFile>,
}

/// The keys of a structure.
pub(crate) const STRUCTURE_KEYS: [&str; 13] = [
    "sources",
    "classes",
    "dependencies",
    "copies",
    "mirrors",
    "once",
    "method",
    "select",
    "items",
    "tests",
    "untested",
    "unsettled",
    "compositions",
];

/// A source that is declared as a combination of others, as `structure.json` holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompositionFile {
    /// The source.
    pub source: String,
    /// How its parts are combined: all, any or not.
    pub way: String,
    /// Its parts.
    pub parts: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The type of pairs that repeat each other; their weight is the share of votes that are the other's.
pub(crate) const REPETITION: &str = "repetition";

/// The rule of structures whose dependencies were given.
const EVERY: &str = "all";

impl StructureFile {
    /// The name of this kind of document in messages.
    pub const KIND: &'static str = BY_HAND;

    /// The structure for `votes`, which may have the same sources in another order.
    ///
    /// ```
    /// use consilience::votes::Votes;
    /// use consilience_io::{StructureFile, parse_document};
    ///
    /// let by_hand = r#"{"sources": ["a", "b", "c"], "dependencies": [{"type": "repetition", "sources": ["a", "b"]}]}"#;
    /// let file: StructureFile = parse_document(by_hand, StructureFile::KIND)?;
    /// let votes = Votes::from_text(&["c", "b", "a"], [["yes", "no", "no"], ["no", "no", "no"]])?;
    /// assert_eq!(file.for_votes(&votes)?.sources.names(), ["c", "b", "a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_votes(&self, votes: &Votes) -> Result<Structure, DocumentProblem> {
        let names = votes.sources().names();
        let same = names.len() == self.sources.len() && names.iter().all(|name| self.sources.contains(name));
        let mut file = self.clone();
        if same {
            file.sources = names.to_vec();
        }
        if file.classes.is_empty() {
            file.classes = votes.classes().names().to_vec();
        }
        file.structure()
    }

    /// The classes, or stand-ins if there are none: those that dependencies name, and numbers.
    fn classes(&self) -> Vec<String> {
        if !self.classes.is_empty() {
            return self.classes.clone();
        }
        let mut classes: Vec<String> = Vec::new();
        let named = self.dependencies.iter().filter_map(|file| file.class.clone());
        for name in named.chain(["0".to_string(), "1".to_string()]) {
            if !classes.contains(&name) {
                classes.push(name);
            }
        }
        classes
    }

    /// The structure, with the dependencies that the file lists.
    pub fn structure(&self) -> Result<Structure, DocumentProblem> {
        let names = DocumentNames::new(Self::KIND, &self.sources, &self.classes())?;
        let (sources, classes) = (&names.sources, &names.classes);
        let learned = |file: &DependencyFile| -> Result<LearnedDependency, DocumentProblem> {
            let scope = names.sources(&file.sources)?;
            let about = file.class.as_ref().map(|name| names.class(name)).transpose()?;
            Ok(LearnedDependency {
                dependency: Dependency::new(&file.kind, &scope, about).map_err(|error| match error {
                    DependencyError::UnknownType { .. } => names.wrong(format!("{error}, {REPETITION}")),
                    error => names.wrong(error),
                })?,
                weight: file.weight,
                stderr: file.stderr,
                z: file.z,
                p: file.p,
                q: file.q,
                // One that a person wrote down is meant to hold.
                selected: file.selected.unwrap_or(true),
            })
        };
        let repeats = |file: &&DependencyFile| file.kind == REPETITION;
        let links = self.dependencies.iter().filter(|file| !repeats(file));
        let dependencies = links.map(learned).collect::<Result<Vec<_>, _>>()?;
        let repetition = |file: &DependencyFile| -> Result<Repetition, DocumentProblem> {
            let &[j, l] = &names.sources(&file.sources)?[..] else {
                return Err(names.wrong("a dependency of the type \"repetition\" needs two sources"));
            };
            if j == l {
                return Err(names.wrong(format!("\"{}\" cannot repeat itself", file.sources[0])));
            }
            if !(0.0..=1.0).contains(&file.weight) {
                return Err(names.wrong(format!(
                    "the weight of a repetition is the share of repeated votes, from 0 to 1, but that of {} is {}",
                    file.sources.join(" and "),
                    file.weight
                )));
            }
            Ok(Repetition { sources: [j.min(l), j.max(l)], share: file.weight, z: file.z })
        };
        let listed = self.dependencies.iter().filter(repeats);
        let kept = listed.clone().filter(|file| file.selected.unwrap_or(true));
        let mut pairs = kept.map(repetition).collect::<Result<Vec<_>, _>>()?;
        pairs.sort_by_key(|pair| pair.sources);
        let pair_names = |pair: &Repetition| pair.sources.map(|j| names.sources.name(j)).join(" and ");
        if let Some([twice, _]) = pairs.array_windows().find(|[a, b]| a.sources == b.sources) {
            return Err(names.wrong(format!("the repetition of {} is listed twice", pair_names(twice))));
        }
        let mut seen = hashbrown::HashSet::with_capacity(self.dependencies.len());
        let key = |file: &&DependencyFile| (file.kind.clone(), file.sources.clone(), file.class.clone());
        if let Some(twice) = self.dependencies.iter().find(|file| !seen.insert(key(file))) {
            return Err(names.wrong(format!(
                "the {} of {} is listed twice",
                twice.kind,
                twice.sources.join(" and ")
            )));
        }
        let looked_for = self.once.is_some() || listed.count() > 0;
        let copies = names.groups(&self.copies)?;
        let once = names.groups(self.once.iter().flatten())?;
        let mirror = |[a, b]: &[String; 2]| Ok([names.source(a)?, names.source(b)?]);
        let mirrors = self.mirrors.iter().map(mirror).collect::<Result<Vec<_>, DocumentProblem>>()?;
        let unsettled = names.sources(&self.unsettled)?;
        let composition = |file: &CompositionFile| {
            let way = CompositionWay::ALL.into_iter().find(|way| way.name() == file.way);
            let way = way.ok_or_else(|| names.wrong(format!("\"{}\" is not all, any or not", file.way)))?;
            Ok(Composition { source: names.source(&file.source)?, way, parts: names.sources(&file.parts)? })
        };
        let compositions =
            self.compositions.iter().map(composition).collect::<Result<Vec<_>, DocumentProblem>>()?;
        let refused = |error: StructureError| names.wrong(error);
        let mut structure =
            Structure::new(sources.clone(), classes.clone(), dependencies, self.items).map_err(refused)?;
        structure.tests = self.tests.unwrap_or(structure.tests);
        structure.untested = self.untested;
        structure.copies = copies;
        structure.mirrors = mirrors;
        structure.repetitions = looked_for.then_some(Repetitions { pairs, once });
        structure.origin = Origin::of_name(&self.method);
        // Whoever writes a structure down has rules of their own.
        structure.select = self.select.parse().ok();
        structure.unsettled = unsettled;
        structure.compositions = compositions;
        structure.check().map_err(refused)?;
        Ok(structure)
    }

    /// The file of `structure`: its selected dependencies or, with `all`, every candidate.
    pub fn new(structure: &Structure, all: bool) -> Self {
        let name = |&j: &usize| structure.sources.name(j).to_string();
        let names = |sources: &[usize]| -> Vec<String> { sources.iter().map(name).collect() };
        let explanation = |sources: &[usize]| match sources {
            &[a, b] => structure.explanation(a, b),
            _ => None,
        };
        let file = |learned: &LearnedDependency| DependencyFile {
            explanation: explanation(learned.dependency.sources()),
            stderr: learned.stderr,
            z: learned.z,
            p: learned.p,
            q: learned.q,
            selected: Some(learned.selected),
            ..DependencyFile::new(
                learned.dependency.name(),
                names(learned.dependency.sources()),
                learned.dependency.class().map(|class| structure.classes.name(class).to_string()),
                learned.weight,
            )
        };
        let repetition = |pair: &Repetition| DependencyFile {
            explanation: explanation(&pair.sources),
            z: pair.z,
            selected: Some(true),
            ..DependencyFile::new(REPETITION, names(&pair.sources), None, pair.share)
        };
        let repetitions = structure.repetitions.iter().flat_map(|found| &found.pairs).map(repetition);
        Self {
            sources: structure.sources.names().to_vec(),
            classes: structure.classes.names().to_vec(),
            dependencies: structure
                .most_certain_first()
                .filter(|d| all || d.selected)
                .map(file)
                .chain(repetitions)
                .collect(),
            once: structure
                .repetitions
                .as_ref()
                .map(|found| found.once.iter().map(|group| names(group)).collect()),
            copies: structure.copies.iter().map(|group| names(group)).collect(),
            mirrors: structure.mirrors.iter().map(|mirror| [0, 1].map(|end| name(&mirror[end]))).collect(),
            method: structure.origin.to_string(),
            select: structure.select.map_or(EVERY.to_string(), |select| select.to_string()),
            items: structure.items,
            tests: Some(structure.tests),
            untested: structure.untested,
            unsettled: names(&structure.unsettled),
            compositions: structure
                .compositions
                .iter()
                .map(|made| CompositionFile {
                    source: name(&made.source),
                    way: made.way.name().to_string(),
                    parts: names(&made.parts),
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_document;
    use serde_json::Value;

    fn read(dependencies: &str) -> Result<Structure, DocumentProblem> {
        let text = format!("{{\"sources\": [\"a\", \"b\", \"c\"], \"dependencies\": [{dependencies}]}}");
        parse_document::<StructureFile>(&text, StructureFile::KIND)?.structure()
    }

    fn repetition(sources: [&str; 2], weight: &str) -> String {
        let [a, b] = sources;
        format!("{{\"type\": \"repetition\", \"sources\": [\"{a}\", \"{b}\"]{weight}}}")
    }

    #[test]
    fn what_is_written_by_hand_is_checked() {
        let plain = repetition(["a", "b"], "");
        assert!(read(&plain).is_ok() && read(&repetition(["a", "b"], ", \"weight\": 0.5")).is_ok());
        let both = |a: &str, b: &str| format!("{a}, {b}");
        for (text, why) in [
            (repetition(["a", "d"], ""), "\"d\" is not one of the sources (a, b, c); correct the file"),
            (repetition(["a", "a"], ""), "\"a\" cannot repeat itself"),
            (repetition(["a", "b"], ", \"weight\": 3"), "from 0 to 1, but that of a and b is 3"),
            (repetition(["a", "b"], ", \"weight\": -1"), "from 0 to 1, but that of a and b is -1"),
            (
                repetition(["a", "b"], ", \"wieght\": 0.5"),
                "unknown key \"wieght\"; the keys are type, sources",
            ),
            (both(&plain, &repetition(["b", "a"], "")), "the repetition of a and b is listed twice"),
            (
                both(&plain, &repetition(["b", "c"], ", \"weight\": 0.5")),
                "some repetitions have a weight and others have none",
            ),
            (plain.replace("repetition", "repeats"), "there is no dependency type \"repeats\""),
        ] {
            let problem = read(&text).unwrap_err().to_string();
            assert!(problem.contains(why), "{problem}");
        }
        let misspelt = "{\"sources\": [\"a\"], \"dependencies\": [], \"depndencies\": []}";
        let problem = parse_document::<StructureFile>(misspelt, StructureFile::KIND).unwrap_err().to_string();
        assert!(problem.starts_with("unknown key \"depndencies\""), "{problem}");
        let model = "{\"sources\": [\"a\"], \"dependencies\": [], \"fit\": {}, \"version\": \"0.1.0\"}";
        let problem = parse_document::<StructureFile>(model, StructureFile::KIND).unwrap_err().to_string();
        assert!(problem.starts_with("not a structure: it holds a model"), "{problem}");
    }

    /// Every key that is written may be written by hand.
    #[test]
    fn all_keys_are_known() {
        use crate::truth::DEPENDENCY_KEYS;
        let list = || vec!["a".to_string()];
        let full = StructureFile {
            mirrors: vec![["a", "a"].map(str::to_string)],
            once: Some(vec![list()]),
            tests: Some(1),
            untested: 1,
            unsettled: list(),
            compositions: vec![CompositionFile { source: "a".into(), way: "not".into(), parts: list() }],
            dependencies: vec![DependencyFile {
                stderr: Some(1.0),
                z: Some(1.0),
                p: Some(1.0),
                q: Some(1.0),
                selected: Some(true),
                explanation: Some(String::new()),
                values: Some(vec![1.0]),
                ..DependencyFile::new("table", list(), Some("b".into()), 1.0)
            }],
            ..parse_document("{\"sources\": [], \"dependencies\": []}", StructureFile::KIND).unwrap()
        };
        let keys = |value: &Value| -> Vec<String> {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let sorted = |keys: &[&str]| {
            let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            keys.sort();
            keys
        };
        let value = serde_json::to_value(&full).unwrap();
        assert_eq!(keys(&value), sorted(&STRUCTURE_KEYS));
        assert_eq!(keys(&value["dependencies"][0]), sorted(&DEPENDENCY_KEYS));
    }
}
