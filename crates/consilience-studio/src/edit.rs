//! The file of the sources: what a change would move, and saving it.
//!
//! The file on the disk is what counts. A request names the state of the file that its text belongs to; if the file is another one
//! by now, nothing is tried or saved. Rules that come from the page have no rights of their own: files are read below the
//! folder of the sources only, and programs run only if they were allowed and named in the file when the studio started.

mod change;

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use consilience::findings::{Moved, Snapshot, Study, StudyError};
use consilience::model::FitOptions;
use consilience::votes::Votes;
use consilience::watch::{Stopped, Watch};
use consilience_io::Output;
use consilience_sources::{
    ApplyError, ApplyOptions, Block, Data, Fault, Kind, Origins, Rerun, SourcesFile, check, rerun,
};

pub(crate) use self::change::{Change, EditError, LONGEST_TEXT, Moves, Outcome, Saved};
use crate::error::RequestError;
use crate::routes::{Scene, Shared};
use crate::views::Views;

/// Changes are tried on so many items, the first of the data; saving always takes all of them.
pub(crate) const MOST_TRIED: usize = 100_000;

/// The place where sources are edited.
pub struct Desk {
    path: PathBuf,
    data: Data,
    options: ApplyOptions,
    /// Programs that the file named at the start, if they may run.
    programs: Vec<Vec<String>>,
    /// What the votes that are shown depend on.
    shown: Mutex<Origins>,
    work: Mutex<Work>,
    /// The number of the newest try, which ends older ones.
    newest: AtomicU64,
    /// Ends the try that is under way.
    running: Mutex<Option<Arc<Watch>>>,
}

/// What is kept from one try to the next.
#[derive(Default)]
struct Work {
    /// What changes are compared with.
    base: Option<Snapshot>,
    trial: Option<Box<Trial>>,
}

/// A change that was tried.
struct Trial {
    text: String,
    rerun: Rerun,
    snapshot: Snapshot,
    /// Whether it was tried on all items.
    all: bool,
    study: Option<Result<Study, String>>,
}

impl Desk {
    /// A desk for the file at `path`, whose sources, `file`, were applied to `data`.
    pub fn new(path: &Path, file: &SourcesFile, data: Data, options: ApplyOptions) -> Self {
        let program = |kind: &Kind| match kind {
            Kind::Command(command) if options.allow_commands => Some(command.argv.clone()),
            _ => None,
        };
        Self {
            path: path.to_path_buf(),
            programs: file.sources.iter().filter_map(|source| program(&source.kind)).collect(),
            shown: Mutex::new(Origins::new(file, &data)),
            data,
            options,
            work: Mutex::default(),
            newest: AtomicU64::new(0),
            running: Mutex::default(),
        }
    }

    /// What the file is called.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// The text of the file as it is now.
    pub(crate) fn text(&self) -> Result<String, EditError> {
        let bytes = fs::read(&self.path).map_err(|error| EditError::Read(self.name(), error))?;
        String::from_utf8(bytes).map_err(|_| EditError::NotText(self.name()))
    }

    /// Whether the sources of `file` are those that are shown.
    pub(crate) fn is_shown(&self, file: &SourcesFile) -> bool {
        *locked(&self.shown) == Origins::new(file, &self.data)
    }

    /// Reads and checks a text of the file, without running anything.
    pub(crate) fn checked(&self, scene: &Scene, text: &str) -> Result<SourcesFile, Vec<Fault>> {
        let name = self.name();
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = SourcesFile::parse(text, &name, folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| error.faults)?;
        check(&file, &name, false).map_err(|error| error.faults)?;
        let mut faults = Vec::new();
        if file.classes != scene.table.votes.classes().names() {
            let line = text.lines().position(|line| line.trim_start().starts_with("classes"));
            let message = "the classes cannot change while the studio runs; edit the file itself and restart the studio";
            faults.push(Fault {
                line: line.map_or(1, |line| line + 1),
                column: 1,
                message: message.to_string(),
            });
        }
        faults.extend(file.sources.iter().filter_map(|source| {
            let Kind::Command(command) = &source.kind else { return None };
            if self.programs.contains(&command.argv) {
                return None;
            }
            let why = if self.options.allow_commands {
                "was not in the file when the studio started, and programs are never taken from this page; edit the file itself and restart the studio"
            } else {
                "may not run: the studio was started without --allow-commands, and this page cannot allow it"
            };
            let program = command.argv.first().map_or("", String::as_str);
            let message = format!("source {:?}: the program {program:?} {why}", source.name);
            Some(Fault { line: source.place.0, column: source.place.1, message })
        }));
        if faults.is_empty() { Ok(file) } else { Err(faults) }
    }

    /// The text of the file now, and with the change.
    fn changed(&self, change: &Change<'_>) -> Result<(String, String), EditError> {
        if change.text.len() > LONGEST_TEXT {
            return Err(EditError::TooLong);
        }
        let old = self.text()?;
        if state(&old) != change.base {
            return Err(EditError::Changed(self.name()));
        }
        let range = match change.source {
            None => 0..old.len(),
            Some(name) => {
                let blocks = Block::all(&old).unwrap_or_default();
                let block = blocks.into_iter().find(|block| block.name == name);
                block.ok_or_else(|| EditError::NoSource(self.name(), name.to_string()))?.range
            }
        };
        let new = Block::replace(&old, &range, change.text);
        Ok((old, new))
    }

    /// What `change` would move; labels only if they are wanted. A newer try ends this one.
    pub(crate) fn attempt(
        &self,
        shared: &Shared,
        change: &Change<'_>,
        labels: bool,
    ) -> Result<Outcome, RequestError> {
        let turn = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        let is_newest = || self.newest.load(Ordering::SeqCst) == turn;
        if let Some(watch) = &*locked(&self.running) {
            watch.stop();
        }
        let mut work = locked(&self.work);
        if !is_newest() {
            return Ok(Outcome::Stopped);
        }
        let scene = shared.scene();
        let (_, text) = self.changed(change)?;
        let file = match self.checked(&scene, &text) {
            Ok(file) => file,
            Err(faults) => return Ok(Outcome::Faults(faults)),
        };
        let most = if scene.table.votes.items() > MOST_TRIED { MOST_TRIED } else { usize::MAX };
        let mut trial = match self.tried(&mut work, &scene, &file, text, most, &is_newest)? {
            Tried::Trial(trial) => trial,
            Tried::Stopped => return Ok(Outcome::Stopped),
            Tried::Faults(faults) => return Ok(Outcome::Faults(faults)),
        };
        if labels && trial.study.is_none() {
            let Ok(study) = self.study(&trial.rerun.votes, &is_newest) else {
                work.trial = Some(trial);
                return Ok(Outcome::Stopped);
            };
            trial.study = Some(study.map_err(|error| error.to_string()));
        }
        if labels && work.base.is_none() {
            let Ok(base) = self.base(&scene, most, &is_newest)? else {
                work.trial = Some(trial);
                return Ok(Outcome::Stopped);
            };
            work.base = Some(base);
        }
        let (after, problem) = match trial.study.as_ref().filter(|_| labels) {
            Some(Ok(study)) => {
                (trial.snapshot.clone().labelled(&study.structure, study.labels.clone()), None)
            }
            Some(Err(problem)) => (trial.snapshot.clone(), Some(problem.clone())),
            None => (trial.snapshot.clone(), None),
        };
        let moved = match &work.base {
            Some(base) => Moved::new(Some(base), &after),
            None => Moved::new(Some(&counted(&scene.table.votes, most)?), &after),
        };
        let rerun = trial.rerun.ran.len();
        work.trial = Some(trial);
        Ok(Outcome::Moves(Box::new(Moves { rerun, moved, problem })))
    }

    /// Runs the sources that changed, unless the last try was the same.
    fn tried(
        &self,
        work: &mut Work,
        scene: &Scene,
        file: &SourcesFile,
        text: String,
        most: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Tried, RequestError> {
        let shown = locked(&self.shown).clone();
        if !shown.have_same_data(&self.data) {
            return Err(EditError::OtherData.into());
        }
        let all = most == usize::MAX;
        let now = Origins::new(file, &self.data);
        let same = |trial: &Trial| trial.text == text && trial.rerun.origins == now && (trial.all || !all);
        if let Some(trial) = work.trial.take().filter(|trial| same(trial)) {
            return Ok(Tried::Trial(trial));
        }
        let last = Some((&scene.table.votes, &shown));
        let made = match rerun(file, &self.data, last, most, self.options.clone(), &|_| go_on()) {
            Ok(Some(made)) => made,
            Ok(None) => return Ok(Tried::Stopped),
            Err(error) => return Ok(Tried::Faults(faults(file, error)?)),
        };
        let snapshot = Snapshot::new(&made.votes).map_err(EditError::from)?;
        Ok(Tried::Trial(Box::new(Trial { text, rerun: made, snapshot, all, study: None })))
    }

    /// Learns, fits and labels; a newer try ends it.
    fn study(
        &self,
        votes: &Votes,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Result<Study, StudyError>, Stopped> {
        let watch = Watch::new();
        *locked(&self.running) = Some(Arc::clone(&watch));
        // One that came before it could see this watch.
        if !go_on() {
            watch.stop();
        }
        let work = || watch.finish(|| Study::new(votes, None, &FitOptions::default()));
        let done = match watch.pool(rayon::current_num_threads()) {
            Ok(pool) => pool.install(work),
            Err(_) => watch.over(work),
        };
        *locked(&self.running) = None;
        done
    }

    /// What is shown, with its labels, for the items that changes are tried on.
    fn base(
        &self,
        scene: &Scene,
        most: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Result<Snapshot, Stopped>, RequestError> {
        let snapshot = counted(&scene.table.votes, most)?;
        if most == usize::MAX {
            let study = &scene.views.first().study;
            return Ok(Ok(snapshot.labelled(&study.structure, study.labels.clone())));
        }
        let votes = scene.table.votes.first(most).map_err(EditError::from)?;
        Ok(match self.study(&votes, go_on) {
            Ok(Ok(study)) => Ok(snapshot.labelled(&study.structure, study.labels)),
            // Without labels to compare with, coverage and conflicts are still compared.
            Ok(Err(_)) => Ok(snapshot),
            Err(stopped) => Err(stopped),
        })
    }

    /// Saves `change`, and shows the votes of the new sources.
    pub(crate) fn save(&self, shared: &Shared, change: &Change<'_>) -> Result<Saved, RequestError> {
        let mut work = locked(&self.work);
        let scene = shared.scene();
        let (old, text) = self.changed(change)?;
        let file = match self.checked(&scene, &text) {
            Ok(file) => file,
            Err(faults) => return Ok(Saved::Faults(faults)),
        };
        let trial = match self.tried(&mut work, &scene, &file, text, usize::MAX, &|| true)? {
            Tried::Trial(trial) => trial,
            Tried::Stopped => return Err(RequestError::Interrupted),
            Tried::Faults(faults) => return Ok(Saved::Faults(faults)),
        };
        let Trial { text, rerun, study, .. } = *trial;
        let study = study.unwrap_or_else(|| {
            Study::new(&rerun.votes, None, &FitOptions::default()).map_err(|error| error.to_string())
        });
        let study = study.map_err(EditError::NoLabels)?;
        let table = scene.table.with_votes(rerun.votes, file.compositions());
        let views = Views::over(&table, study)?;
        // All of this may have taken a while.
        if self.text()? != old {
            return Err(EditError::Changed(self.name()).into());
        }
        if text != old {
            let written = Output::create(&self.path).and_then(|output| output.write_whole(text.as_bytes()));
            written.map_err(EditError::from)?;
        }
        *locked(&self.shown) = rerun.origins;
        work.base = None;
        shared.show(Scene::new(table, views, Arc::clone(&scene.search), scene.book.clone()));
        Ok(Saved::Done)
    }
}

/// What became of running the sources that changed.
enum Tried {
    Trial(Box<Trial>),
    Stopped,
    Faults(Vec<Fault>),
}

/// A mark of the state of a text: another text has another one.
pub(crate) fn state(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}-{}", hasher.finish(), text.len())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn counted(votes: &Votes, most: usize) -> Result<Snapshot, EditError> {
    let first = if votes.items() > most { Some(votes.first(most)?) } else { None };
    Ok(Snapshot::new(first.as_ref().unwrap_or(votes))?)
}

/// An error of one source as a fault of the file, at its place.
fn faults(file: &SourcesFile, error: ApplyError) -> Result<Vec<Fault>, EditError> {
    let (name, message) = match error {
        ApplyError::Source { source_name, message, .. } => {
            let message = format!("source {source_name:?}: {message}");
            (source_name, message)
        }
        ApplyError::Fault { source_name, row, message } => {
            let message = format!(
                "source {source_name:?} failed on row {row}: {message}; start the studio with --on-error abstain to continue in such cases"
            );
            (source_name, message)
        }
        error => return Err(EditError::Apply(error.to_string())),
    };
    let (line, column) = file.position(&name).map_or((1, 1), |at| file.sources[at].place);
    Ok(vec![Fault { line, column, message }])
}

#[cfg(test)]
mod tests {
    use consilience_io::ItemNames;

    use super::*;
    use crate::guard::Guard;
    use crate::table::Table;

    const SOURCES: &str = "classes = ['ham', 'spam']\ntext = 'text'\n\n# Offers.\n[[source]]\nname = 'free'\nvote = 'spam'\nkeywords = ['free']\n\n\
                           [[source]]\nname = 'work'\nvote = 'ham'\nkeywords = ['meeting', 'lunch']\n\n\
                           [[source]]\nname = 'short'\nvote = 'ham'\nsql = 'length(text) < 8' # characters\n";

    /// A studio over `items` mails.
    fn studio(folder: &Path, items: usize) -> Shared {
        let texts = ["free money", "lunch", "a meeting", "free lunch", "call me back", "money"];
        let rows: Vec<&str> = (0..items).map(|i| texts[i % 7 % texts.len()]).collect();
        fs::write(folder.join("mails.csv"), format!("text\n{}\n", rows.join("\n"))).unwrap();
        let path = folder.join("sources.toml");
        fs::write(&path, SOURCES).unwrap();
        let file = SourcesFile::read(&path).unwrap();
        let data = Data::find(&[folder.join("mails.csv")], None).unwrap();
        let options = ApplyOptions::default();
        let made = rerun(&file, &data, None, usize::MAX, options.clone(), &|_| true).unwrap().unwrap();
        let desk = Desk::new(&path, &file, data, options);
        let items = Arc::new(ItemNames::row_numbers(made.votes.items()));
        let table = Table {
            name: "mails".to_string(),
            votes: made.votes,
            items,
            gold: None,
            texts: None,
            compositions: Vec::new(),
        };
        Shared::new(table, None, Some(desk), Guard::new(1).unwrap()).unwrap()
    }

    fn moves(shared: &Shared, source: Option<&str>, text: &str, labels: bool) -> Moves {
        let desk = shared.desk.as_ref().unwrap();
        let base = state(&desk.text().unwrap());
        match desk.attempt(shared, &Change { base: &base, source, text }, labels).unwrap() {
            Outcome::Moves(moves) => *moves,
            Outcome::Faults(faults) => panic!("{faults:?}"),
            Outcome::Stopped => panic!("stopped"),
        }
    }

    const CHANGED: &str = "[[source]]\nname = 'free'\nvote = 'spam'\nkeywords = ['free', 'money', 'call']";

    #[test]
    fn a_change_is_tried_and_saved() {
        let folder = tempfile::tempdir().unwrap();
        let shared = studio(folder.path(), 600);
        let desk = shared.desk.as_ref().unwrap();
        let quick = moves(&shared, Some("free"), CHANGED, false);
        assert_eq!((quick.rerun, quick.moved.items), (1, 600));
        assert!(quick.moved.sources[0].after.coverage > quick.moved.sources[0].before.unwrap().coverage);
        assert_eq!(quick.moved.labels, None);
        let all = moves(&shared, Some("free"), CHANGED, true);
        let flipped = all.moved.labels.as_ref().unwrap().flipped;
        assert!(flipped > 0);
        let before = shared.scene();
        let base = state(SOURCES);
        let change = Change { base: &base, source: Some("free"), text: CHANGED };
        assert!(matches!(desk.save(&shared, &change).unwrap(), Saved::Done));
        let text = desk.text().unwrap();
        assert_eq!(text, SOURCES.replace("# Offers.\n", "").replace("['free']", "['free', 'money', 'call']"));
        let after = shared.scene();
        assert!(desk.is_shown(&desk.checked(&after, &text).unwrap()));
        // What was said to flip is what flipped.
        let class = |scene: &Scene, i| scene.views.first().study.labels.class(i).map(str::to_string);
        let differ = (0..600).filter(|&i| class(&before, i) != class(&after, i)).count();
        assert_eq!(differ as u64, flipped);
        // The same change belongs to another file now.
        assert!(matches!(desk.save(&shared, &change), Err(RequestError::Edit(EditError::Changed(_)))));
        let nothing = moves(&shared, None, &text, true);
        assert_eq!((nothing.rerun, nothing.moved.labels.unwrap().flipped), (0, 0));
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let shared = studio(folder.path(), 60);
        let desk = shared.desk.as_ref().unwrap();
        let base = state(SOURCES);
        for (source, text, place, why) in [
            (Some("work"), "[[source]]\nname = 'work'\nvote = 'eggs'\nregex = 'a'", (12, 8), "not a class"),
            (
                Some("work"),
                "[[source]]\nname = 'work'\nvote = 'ham'\non = 'body'\nregex = 'a'",
                (14, 1),
                "no column",
            ),
            (Some("work"), "[[source]]\nname = 'work'\nvote = 'ham'\nregex = 'a", (13, 11), "string"),
            (
                Some("work"),
                "[[source]]\nname = 'work'\ncommand = ['sh']",
                (12, 1),
                "without --allow-commands",
            ),
            (
                Some("short"),
                "[[source]]\nname = 'short'\nvote = 'ham'\nsql = 'lenth(text) < 8'",
                (18, 1),
                "lenth",
            ),
            (
                None,
                "classes = ['ham', 'eggs']\n[[source]]\nname = 'a'\nvote = 'ham'\nsql = 'true'",
                (1, 1),
                "classes",
            ),
        ] {
            let change = Change { base: &base, source, text };
            let tried = desk.attempt(&shared, &change, true).unwrap();
            let Outcome::Faults(faults) = tried else { panic!("{text}") };
            assert_eq!((faults[0].line, faults[0].column), place, "{faults:?}");
            assert!(faults[0].message.contains(why), "{faults:?}");
            assert!(matches!(desk.save(&shared, &change).unwrap(), Saved::Faults(found) if found == faults));
        }
        let change = Change { base: &base, source: Some("none"), text: "" };
        assert!(matches!(desk.save(&shared, &change), Err(RequestError::Edit(EditError::NoSource(..)))));
        assert_eq!(desk.text().unwrap(), SOURCES);
    }

    #[test]
    fn large_data_is_tried_in_part_and_saved_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let shared = studio(folder.path(), MOST_TRIED + 700);
        let tried = moves(&shared, Some("free"), CHANGED, true);
        assert_eq!(tried.moved.items, MOST_TRIED as u64);
        assert!(tried.moved.labels.unwrap().flipped > 0);
        let change = Change { base: &state(SOURCES), source: Some("free"), text: CHANGED };
        let saved = shared.desk.as_ref().unwrap().save(&shared, &change).unwrap();
        assert!(matches!(saved, Saved::Done));
        let votes = &shared.scene().table.votes;
        assert_eq!(votes.items(), MOST_TRIED + 700);
        assert!(votes.row_of_item(MOST_TRIED + 699).eq(votes.row_of_item((MOST_TRIED + 699) % 7)));
    }
}
