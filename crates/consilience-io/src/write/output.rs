//! Files that are written completely or not at all.
//!
//! A file grows without a name in the folder of its target and gets the target's name only when it is complete and on
//! the disk. A run that fails or is killed leaves the old file, or none, and no litter. Where the system has no unnamed
//! files, a hidden temporary name is used, which a killed run leaves behind. Anything but a regular file (a pipe, a terminal,
//! `/dev/null`) is written to directly.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::{WriteError, WriteProblem};

const BUFFER: usize = 1 << 17;

/// A file that gets its name when it is complete.
///
/// ```
/// use std::io::Write as _;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("labels.csv");
/// let mut output = consilience_io::Output::create(&path)?;
/// output.write_all(b"item,label\n")?;
/// assert!(!path.exists());
/// output.commit()?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Output {
    name: String,
    path: Option<PathBuf>,
    sink: BufWriter<Sink>,
}

enum Sink {
    Stdout(io::Stdout),
    Direct(File),
    #[cfg(target_os = "linux")]
    Unnamed {
        file: File,
        target: PathBuf,
        old: Option<fs::Metadata>,
    },
    Named {
        file: NamedTempFile,
        target: PathBuf,
        old: Option<fs::Metadata>,
    },
}

impl Output {
    /// Interprets a command-line argument: `-` and `/dev/stdout` are standard output, anything else a path.
    ///
    /// `/dev/stdout` is not opened again, which would write over a file that is being appended to.
    pub fn from_arg(arg: impl AsRef<OsStr>) -> Result<Self, WriteError> {
        let arg = arg.as_ref();
        if arg == "-" || arg == "/dev/stdout" { Ok(Self::stdout()) } else { Self::create(Path::new(arg)) }
    }

    /// Standard output.
    pub fn stdout() -> Self {
        Self::over("standard output".to_string(), None, Sink::Stdout(io::stdout()))
    }

    /// The file `path`, which stays unchanged until [`Self::commit`].
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let name = path.display().to_string();
        match sink_for(path) {
            Ok(sink) => Ok(Self::over(name, Some(path.to_path_buf()), sink)),
            Err(problem) => Err(WriteError::new(&name, problem)),
        }
    }

    fn over(name: String, path: Option<PathBuf>, sink: Sink) -> Self {
        Self { name, path, sink: BufWriter::with_capacity(BUFFER, sink) }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path, unless it is standard output.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether data is written immediately: to a pipe, a terminal or anything but a regular file.
    pub fn is_direct(&self) -> bool {
        matches!(self.sink.get_ref(), Sink::Stdout(_) | Sink::Direct(_))
    }

    /// An error about this output.
    pub(crate) fn error(&self, problem: impl Into<WriteProblem>) -> WriteError {
        WriteError::on(&self.name, self.is_direct(), problem)
    }

    /// Writes `bytes` and completes the file.
    pub fn write_whole(mut self, bytes: &[u8]) -> Result<(), WriteError> {
        match self.write_all(bytes) {
            Ok(()) => self.commit(),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Writes everything to the disk and renames the file to its final name.
    pub fn commit(self) -> Result<(), WriteError> {
        let direct = self.is_direct();
        let Self { name, sink, .. } = self;
        let failed = |error: io::Error| WriteError::on(&name, direct, error);
        let sink = sink.into_inner().map_err(|error| failed(error.into_error()))?;
        sink.commit().map_err(failed)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Direct(file) => file.write(bytes),
            #[cfg(target_os = "linux")]
            Self::Unnamed { file, .. } => file.write(bytes),
            Self::Named { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Direct(file) => file.flush(),
            #[cfg(target_os = "linux")]
            Self::Unnamed { file, .. } => file.flush(),
            Self::Named { file, .. } => file.flush(),
        }
    }
}

impl Sink {
    fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::Stdout(_) | Self::Direct(_) => Ok(()),
            #[cfg(target_os = "linux")]
            Self::Unnamed { file, target, old } => {
                keep_owner_and_mode(&file, old.as_ref())?;
                file.sync_all()?;
                unnamed::give_name(&file, &target)?;
                sync_folder(&target);
                Ok(())
            }
            Self::Named { file, target, old } => {
                keep_owner_and_mode(file.as_file(), old.as_ref())?;
                file.as_file().sync_all()?;
                file.persist(&target).map_err(|error| error.error)?;
                sync_folder(&target);
                Ok(())
            }
        }
    }
}

fn sink_for(path: &Path) -> Result<Sink, WriteProblem> {
    // Names of open files: what stands behind them is somebody else's to replace.
    if ["/proc", "/dev/fd", "/dev/stdout", "/dev/stderr"].iter().any(|open| path.starts_with(open)) {
        return Ok(Sink::Direct(OpenOptions::new().write(true).open(path)?));
    }
    let target = follow_links(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    match &old {
        Some(old) if old.is_dir() => return Err(WriteProblem::Directory),
        Some(old) if !old.is_file() => {
            return Ok(Sink::Direct(OpenOptions::new().write(true).open(&target)?));
        }
        // Replacing a file asks for the folder's permission only; a file marked read-only is meant to stay.
        Some(_) => drop(OpenOptions::new().append(true).open(&target)?),
        None if target.file_name().is_none() => return Err(WriteProblem::Directory),
        None => {}
    }
    let folder = folder_of(&target);
    if !folder.is_dir() {
        return Err(WriteProblem::MissingFolder);
    }
    #[cfg(target_os = "linux")]
    if let Some(file) = unnamed::create(folder)? {
        return Ok(Sink::Unnamed { file, target, old });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    Ok(Sink::Named { file, target, old })
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file that a chain of symbolic links ends in, whether it exists or not.
fn follow_links(path: &Path) -> Result<PathBuf, WriteProblem> {
    const LONGEST_CHAIN: usize = 40;
    let mut target = path.to_path_buf();
    for _ in 0..LONGEST_CHAIN {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::from(io::ErrorKind::Other).into())
}

/// The new file takes the mode of the one it replaces, and its owner if the system lets it.
fn keep_owner_and_mode(file: &File, old: Option<&fs::Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(old.permissions())?;
    }
    Ok(())
}

/// A name is safe from a power cut once its folder is on the disk; if that cannot be asked for, the file is still valid.
fn sync_folder(target: &Path) {
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
}

#[cfg(target_os = "linux")]
mod unnamed {
    //! Files without a name, which the system forgets when their process ends.

    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use rustix::io::Errno;

    use super::folder_of;

    /// An unnamed file in `folder`; `None` if the file system has no such thing.
    pub(super) fn create(folder: &Path) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        match openat(CWD, folder, flags, Mode::from_raw_mode(0o666)) {
            // Without /proc the file could never get its name.
            Ok(file) => Ok(Path::new("/proc/self/fd").is_dir().then(|| File::from(file))),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Calls the file `target`, in place of what has that name now.
    pub(super) fn give_name(file: &File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Err(Errno::EXIST) => {}
            result => return Ok(result?),
        }
        // A link cannot replace a file but a rename can, so the file has a name of its own for an instant.
        let passing = passing_name(target);
        link(file, &passing)?;
        fs::rename(&passing, target).inspect_err(|_| {
            let _ = fs::remove_file(&passing);
        })
    }

    fn link(file: &File, name: &Path) -> Result<(), Errno> {
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        linkat(CWD, open.as_str(), CWD, name, AtFlags::SYMLINK_FOLLOW)
    }

    fn passing_name(target: &Path) -> PathBuf {
        let id = std::process::id();
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let time = time.map_or(0, |time| time.as_nanos());
        folder_of(target).join(format!(".{id}-{time}.tmp"))
    }
}
