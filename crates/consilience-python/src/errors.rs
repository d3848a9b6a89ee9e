//! Each error of the core as a Python exception of its own, with the same message.

use consilience::answers::AnswersError as CoreAnswersError;
use consilience::certificate::CertifyError;
use consilience::end_model::EndModelError;
use consilience::findings::{ReportError, StudyError};
use consilience::labels::{CorrectError, ExplainError, InferError};
use consilience::model::{FitError, PlantedError, SimulateError};
use consilience::pipeline::PipelineError;
use consilience::sources::NamesError;
use consilience::structure::{
    CurvatureError, ExactError, PlanError, SelectError, SgdError, StructureError, UnknownLinkType,
};
use consilience::votes::{VoteError, VotesError};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

macro_rules! exceptions {
    ($($name:ident: $doc:literal),* $(,)?) => {
        create_exception!(consilience.errors, ConsilienceError, PyValueError, "The input or the request is wrong.");
        create_exception!(consilience.errors, BugError, PyRuntimeError, "A bug in Consilience: please report it.");
        $(create_exception!(consilience.errors, $name, ConsilienceError, $doc);)*

        pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let py = module.py();
            module.add("ConsilienceError", py.get_type::<ConsilienceError>())?;
            module.add("BugError", py.get_type::<BugError>())?;
            $(module.add(stringify!($name), py.get_type::<$name>())?;)*
            Ok(())
        }
    };
}

exceptions! {
    DuplicateNameError: "Two sources or two classes have the same name.",
    TooManyNamesError: "More sources or classes than are supported.",
    TooFewClassesError: "Fewer than two classes.",
    UndeclaredVoteError: "A vote for a class that was not declared.",
    VoteNumberError: "A number that is not a class.",
    TooManyClassesError: "More different votes than classes are supported.",
    NoItemsError: "A table without rows.",
    RowError: "A row that does not match the sources.",
    NoSuchClassError: "A vote number without a class.",
    TwoVotesError: "One source voted twice on one item, differently.",
    OtherSourcesError: "Parts of one table have different sources.",
    GoldLengthError: "Gold and table have different lengths.",
    TooManyPatternsError: "More distinct rows than are supported.",
    CountsError: "The counts do not match the rows.",
    TooManyItemsError: "More items than memory has room for.",
    OptionError: "A setting outside its range.",
    TooFewSourcesError: "Fewer than two sources that vote and differ.",
    TooManySourcesError: "More links than fit into memory.",
    SelectRuleError: "An invalid selection rule.",
    UnknownTypeError: "An unknown type of dependency.",
    UnknownSourcesError: "Votes of sources that a model does not know.",
    UnknownClassesError: "Votes for classes that a model does not know.",
    TooWideError: "Exact inference would take too much memory.",
    AnswersError: "Answers that do not match the table.",
    PatternError: "A regular expression that cannot be used.",
    SourcesError: "Declared sources that cannot be used.",
}

/// An error of the core that has an exception.
pub(crate) trait Raise: std::error::Error {
    /// The exception, with `message` as its text.
    fn with_message(&self, message: String) -> PyErr;

    /// The argument that helps, if there is one.
    fn hint(&self) -> Option<&'static str> {
        None
    }

    /// The exception, with the error's own text and the argument that helps.
    fn raise(&self) -> PyErr {
        let message = self.to_string();
        self.with_message(self.hint().map_or_else(|| message.clone(), |hint| format!("{message} ({hint})")))
    }
}

impl Raise for NamesError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Twice { .. } => DuplicateNameError::new_err(message),
            Self::TooMany { .. } => TooManyNamesError::new_err(message),
            Self::TooFewClasses { .. } => TooFewClassesError::new_err(message),
            Self::OtherClasses { .. } => UnknownClassesError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        matches!(self, Self::TooFewClasses { .. }).then_some("classes=[...] names them")
    }
}

impl Raise for StructureError {
    fn with_message(&self, message: String) -> PyErr {
        ConsilienceError::new_err(message)
    }
}

impl Raise for VoteError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Undeclared { .. } => UndeclaredVoteError::new_err(message),
            Self::Number { .. } | Self::Wrapped { .. } => VoteNumberError::new_err(message),
            Self::TooMany { .. } => TooManyClassesError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for VotesError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Names(error) => error.with_message(message),
            Self::Vote(error) => error.with_message(message),
            Self::NoItems => NoItemsError::new_err(message),
            Self::Row { .. } => RowError::new_err(message),
            Self::NoSuchClass { .. } => NoSuchClassError::new_err(message),
            Self::TwoVotes { .. } => TwoVotesError::new_err(message),
            Self::OtherSources => OtherSourcesError::new_err(message),
            Self::GoldLength { .. } => GoldLengthError::new_err(message),
            Self::TooManyPatterns => TooManyPatternsError::new_err(message),
            Self::Times { .. } => CountsError::new_err(message),
            Self::TooManyItems { .. } => TooManyItemsError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Names(error) => error.hint(),
            _ => None,
        }
    }
}

impl Raise for ExactError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Range { .. } => OptionError::new_err(message),
            Self::TooFewSources { .. } => TooFewSourcesError::new_err(message),
            Self::TooManySources { .. } | Self::TooManyWeights { .. } => {
                TooManySourcesError::new_err(message)
            }
            _ => ConsilienceError::new_err(message),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        matches!(self, Self::TooManySources { .. }).then_some("method=\"sgd\" takes more")
    }
}

impl Raise for SgdError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Range { .. } => OptionError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for CurvatureError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Weights(error) => error.with_message(message),
            Self::Sources(found) if *found < 2 => TooFewSourcesError::new_err(message),
            _ => TooManySourcesError::new_err(message),
        }
    }
}

impl Raise for SelectError {
    fn with_message(&self, message: String) -> PyErr {
        SelectRuleError::new_err(message)
    }
}

impl Raise for UnknownLinkType {
    fn with_message(&self, message: String) -> PyErr {
        UnknownTypeError::new_err(message)
    }
}

impl Raise for FitError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Range { .. } => OptionError::new_err(message),
            Self::OtherSources(_) => OtherSourcesError::new_err(message),
            Self::OtherClasses { .. } => UnknownClassesError::new_err(message),
            Self::TooWide(_) => TooWideError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        matches!(self, Self::OtherClasses { .. }).then_some("Votes(..., classes=[...]) names them")
    }
}

impl Raise for PipelineError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Exact(error) => error.with_message(message),
            Self::Sgd(error) => error.with_message(message),
            Self::Fit(error) => error.with_message(message),
            Self::Infer(error) => error.with_message(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for InferError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::UnknownSources(_) => UnknownSourcesError::new_err(message),
            Self::UnknownClasses(_) => UnknownClassesError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        matches!(self, Self::UnknownSources(_)).then_some("Votes(..., ignore=[...]) leaves columns out")
    }
}

impl Raise for ExplainError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Infer(error) => error.with_message(message),
            Self::NoSuchSource(_) => UnknownSourcesError::new_err(message),
            Self::NoSuchItem { .. } => RowError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for PlanError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Type(error) => error.with_message(message),
            _ => OptionError::new_err(message),
        }
    }
}

impl Raise for PlantedError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Names(error) => error.with_message(message),
            _ => OptionError::new_err(message),
        }
    }
}

impl Raise for SimulateError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Votes(error) => error.with_message(message),
            _ => TooWideError::new_err(message),
        }
    }
}

impl Raise for EndModelError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Option { .. } => OptionError::new_err(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for CoreAnswersError {
    fn with_message(&self, message: String) -> PyErr {
        AnswersError::new_err(message)
    }
}

impl Raise for CorrectError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Infer(error) => error.with_message(message),
            _ => AnswersError::new_err(message),
        }
    }
}

impl Raise for CertifyError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Within(_) => OptionError::new_err(message),
            _ => AnswersError::new_err(message),
        }
    }
}

impl Raise for consilience_sources::rules::PatternError {
    fn with_message(&self, message: String) -> PyErr {
        PatternError::new_err(message)
    }
}

impl Raise for StudyError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Fit(error) => error.with_message(message),
            Self::Infer(error) => error.with_message(message),
            Self::Correct(error) => error.with_message(message),
            Self::Certify(error) => error.with_message(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}

impl Raise for ReportError {
    fn with_message(&self, message: String) -> PyErr {
        match self {
            Self::Votes(error) => error.with_message(message),
            Self::Explain(error) => error.with_message(message),
            Self::Study(error) => error.with_message(message),
            _ => ConsilienceError::new_err(message),
        }
    }
}
