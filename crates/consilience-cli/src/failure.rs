//! How a run ends: exit codes, and the one line that says why.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use consilience_io::{Output, WriteError};

use crate::args::Cli;
use crate::commands::Heavy;
use crate::{hint, terminal};

/// The input or the request is wrong.
const WRONG: u8 = 1;
/// The program is wrong.
const BUG: u8 = 2;

/// The exit code of a run, after its error, if any, has been printed.
pub fn report(result: anyhow::Result<()>, heavy: &dyn Heavy) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Who closes the pipe has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error(&error, heavy);
            ExitCode::from(WRONG)
        }
    }
}

/// Says what is wrong and which flag helps. An error may have several messages, one per line.
pub fn tell_error(error: &anyhow::Error, heavy: &dyn Heavy) {
    if let Some(messages) = heavy.messages(error) {
        for message in messages {
            tell(&message);
        }
        return;
    }
    let hint =
        hint::error(error).or_else(|| heavy.hint(error)).map(|hint| format!("; {hint}")).unwrap_or_default();
    tell(&format!("{error:#}{hint}"));
}

/// The exit code if the arguments cannot be read, or ask for help only.
pub(crate) fn report_usage(error: &clap::Error, heavy: &dyn Heavy) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            let colour = io::stdout().is_terminal() && terminal::colours_allowed();
            let text = if colour { text.ansi().to_string() } else { text.to_string() };
            report(Output::stdout().write_whole(text.as_bytes()).map_err(Into::into), heavy)
        }
        // Shown in place of an error, so it goes where errors go.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(WRONG)
        }
        _ => {
            tell(&usage_line(error));
            ExitCode::from(WRONG)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<WriteError>().is_some_and(WriteError::is_broken_pipe)
}

/// clap's message as one line: what is wrong, what may be meant, and where to read on.
fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let what = text.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ").replace("subcommand", "command");
    #[cfg(not(feature = "cluster"))]
    if is_for_a_cluster(error) {
        return format!(
            "{what}: this build cannot use clusters; install one that can with cargo install --path crates/consilience-cli --features cluster"
        );
    }
    let suggestion =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(name) => Some(name.clone()),
                ContextValue::Strings(names) => names.first().cloned(),
                _ => None,
            });
    let suggestion = suggestion.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default();
    format!("{what}{suggestion}; see consilience{} --help", typed_verb())
}

/// Whether the unknown flag or verb is one of the builds with the feature `cluster`.
#[cfg(not(feature = "cluster"))]
fn is_for_a_cluster(error: &clap::Error) -> bool {
    [ContextKind::InvalidArg, ContextKind::InvalidSubcommand].into_iter().any(|kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.trim_start_matches('-').split('-').next() == Some("cluster"),
        _ => false,
    })
}

/// The verb among the arguments, with a blank before it; `None` if there is none.
fn typed_verb() -> String {
    let command = Cli::command();
    let is_verb = |arg: &String| command.get_subcommands().any(|verb| verb.get_name() == arg);
    std::env::args().skip(1).find(is_verb).map(|verb| format!(" {verb}")).unwrap_or_default()
}

/// Makes a panic one line that says it is a bug, and the exit code 2.
pub(crate) fn expect_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        // Some decoders panic over damaged files; the reader makes an error of it.
        if consilience_io::is_decoding() {
            return;
        }
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        let what = panic.payload_as_str().unwrap_or("no message");
        tell(&format!(
            "this is a bug in consilience {}: {what}{}; please report it with the command you ran",
            env!("CARGO_PKG_VERSION"),
            place.unwrap_or_default()
        ));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            let _ = writeln!(io::stderr(), "{}", std::backtrace::Backtrace::force_capture());
        }
        // A panic in a worker thread must not be taken for success by the others.
        std::process::exit(i32::from(BUG));
    }));
}

/// Says what is wrong, on one line whatever the message holds.
fn tell(message: &str) {
    let message: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let colour = io::stderr().is_terminal() && terminal::colours_allowed();
    let head = if colour { "\x1b[1;31merror\x1b[0m" } else { "error" };
    let _ = writeln!(io::stderr(), "{head}: {message}");
}
