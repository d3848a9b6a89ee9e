//! All sources as one plan: what columns are read, and the expressions that make votes of them.
//!
//! Expressions come in layers; each reads the data and the layers above it. First come the text rules, all rules over one
//! column in one function; then the sources themselves; then compositions.

use std::path::Path;
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use consilience::sources::{ABSTAIN, Classes, Vote};
use datafusion_common::{Column, DataFusionError};
use datafusion_expr::{Expr, LogicalPlan, LogicalPlanBuilder, ScalarUDF, TableSource, cast};

use super::class::{code, of_names, of_truth};
use super::command::Judge;
use super::compose::compose;
use super::data::{Data, DataError};
use super::error::ApplyError;
use super::function::Function;
use super::layers::layers;
use super::open::TEXT;
use super::session::Session;
use super::survey::Survey;
use super::{columns, dictionary, keywords, sql};
use crate::below;
use crate::file::{Declared, Keywords, Kind, SourcesFile};
use crate::rules::{
    Cells, Dictionary, Keyword, Pattern, TextRule, TextRules, Way, load_dictionary, load_keywords,
};

/// A column of the plan.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) expr: Expr,
    /// The source whose votes it holds, if it does.
    pub(super) source: Option<usize>,
}

/// Sources, ready to be applied to data.
pub struct Plan {
    pub(super) sources: Vec<Declared>,
    pub(super) classes: Classes,
    /// What each source votes for if its condition does not hold.
    pub(super) otherwise: Vec<Vote>,
    /// The columns that are read.
    pub(super) schema: SchemaRef,
    pub(super) layers: Vec<Vec<Step>>,
    pub(super) session: Session,
    /// The program behind a source, for messages.
    pub(super) judges: Vec<Option<Arc<Judge>>>,
    /// All columns of the data.
    pub(super) survey: Survey,
}

/// What the plan needs in addition to the sources and the data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlanOptions<'a> {
    pub(super) allow_commands: bool,
    pub(super) cache: Option<&'a Path>,
    /// Columns that are read for the result.
    pub(super) carried: &'a [String],
}

/// The name of a column that the data cannot have.
pub(super) fn outcome(source: usize) -> String {
    format!("__consilience_source_{source}")
}

pub(super) fn column(name: &str) -> Expr {
    Expr::Column(Column::new_unqualified(name))
}

impl Plan {
    pub(super) fn new(file: &SourcesFile, data: &Data, options: PlanOptions<'_>) -> Result<Self, ApplyError> {
        Self::over(file, Survey::of(data)?, data.name(), options)
    }

    /// The same over data called `data` whose columns are known.
    pub(super) fn over(
        file: &SourcesFile,
        survey: Survey,
        data: String,
        options: PlanOptions<'_>,
    ) -> Result<Self, ApplyError> {
        let classes =
            Classes::new(file.classes.clone()).map_err(|error| ApplyError::Sink(Box::new(error)))?;
        let mut maker = Maker {
            file,
            survey: &survey,
            classes: &classes,
            session: Session::new(),
            wanted: Vec::new(),
            options,
            data,
            judges: vec![None; file.sources.len()],
        };
        for name in options.carried {
            maker.want(name).map_err(|columns| DataError::NoColumn {
                file: maker.data.clone(),
                column: name.clone(),
                wanted: "the result".to_string(),
                columns,
            })?;
        }
        let (groups, mut layer) = maker.texts()?;
        for (i, source) in file.sources.iter().enumerate() {
            if layer[i].is_none() && source.kind.parts().is_empty() {
                layer[i] = Some(maker.single(i, source)?);
            }
        }
        let composed = layers(file).map_err(|source| maker.error(source, "depends on itself"))?;
        let mut layers = vec![groups, layer.into_iter().flatten().collect()];
        layers.extend(
            composed.iter().skip(1).map(|layer| layer.iter().map(|&i| maker.composed(i)).collect::<Vec<_>>()),
        );
        let class = |name: &Option<String>| {
            name.as_ref().map_or(ABSTAIN, |name| classes.vote(name).unwrap_or(ABSTAIN))
        };
        let otherwise = file.sources.iter().map(|source| class(&source.otherwise)).collect();
        let wanted = |name: &String| maker.wanted.iter().any(|&at| survey.columns[at].name() == name);
        if let Some(conflict) = survey.conflicts.iter().find(|conflict| wanted(&conflict.column)) {
            return Err(conflict.error().into());
        }
        let fields: Vec<Field> = maker.wanted.iter().map(|&at| survey.columns[at].clone()).collect();
        let (session, judges) = (maker.session, maker.judges);
        Ok(Self {
            sources: file.sources.clone(),
            otherwise,
            schema: Arc::new(Schema::new(fields)),
            layers,
            session,
            judges,
            classes,
            survey,
        })
    }

    /// The columns of the data that are read.
    pub fn columns(&self) -> &SchemaRef {
        &self.schema
    }

    /// The same plan over any table with these columns: one column per source, in the order of the file, with the number of
    /// the class, 0 if the source's condition does not hold, -1 if it failed, and null if its text is missing.
    pub fn logical(&self, table: Arc<dyn TableSource>) -> Result<LogicalPlan, DataFusionError> {
        let mut plan = LogicalPlanBuilder::scan("data", table, None)?;
        let mut known: Vec<String> = self.schema.fields().iter().map(|field| field.name().clone()).collect();
        for layer in self.layers.iter().filter(|layer| !layer.is_empty()) {
            let kept = known.iter().map(|name| column(name));
            let new = layer.iter().map(|step| step.expr.clone().alias(&step.name));
            plan = plan.project(kept.chain(new).collect::<Vec<_>>())?;
            known.extend(layer.iter().map(|step| step.name.clone()));
        }
        let votes =
            self.sources.iter().enumerate().map(|(i, source)| column(&outcome(i)).alias(&source.name));
        plan.project(votes.collect::<Vec<_>>())?.build()
    }
}

/// A column, whether its texts are lower-cased, and the sources that read it so.
type Group = (String, bool, Vec<(usize, TextRule)>);

struct Maker<'a> {
    file: &'a SourcesFile,
    survey: &'a Survey,
    classes: &'a Classes,
    session: Session,
    /// Columns that are read, by their position in the data.
    wanted: Vec<usize>,
    options: PlanOptions<'a>,
    data: String,
    judges: Vec<Option<Arc<Judge>>>,
}

impl Maker<'_> {
    fn error(&self, source: usize, message: impl Into<String>) -> ApplyError {
        let Declared { name, place, .. } = &self.file.sources[source];
        ApplyError::Source { source_name: name.clone(), line: place.0, message: message.into() }
    }

    /// Reads the column `name`; the error lists those that there are.
    fn want(&mut self, name: &str) -> Result<Expr, String> {
        let Some(at) = self.survey.position(name) else {
            let columns: Vec<&str> = self.survey.columns.iter().map(|field| field.name().as_str()).collect();
            return Err(columns.join(", "));
        };
        if !self.wanted.contains(&at) {
            self.wanted.push(at);
        }
        Ok(column(name))
    }

    fn read(&mut self, source: usize, name: &str) -> Result<Expr, ApplyError> {
        self.want(name).map_err(|columns| {
            let message = format!("{} has no column {name:?}; its columns are {columns}", self.data);
            self.error(source, message)
        })
    }

    /// A column as texts.
    fn read_text(&mut self, source: usize, name: &str) -> Result<Expr, ApplyError> {
        let expr = self.read(source, name)?;
        let own = self.survey.position(name).map(|at| self.survey.columns[at].data_type().clone());
        match own {
            Some(TEXT) => Ok(expr),
            Some(own) if arrow::compute::can_cast_types(&own, &TEXT) && !own.is_nested() => {
                Ok(cast(expr, TEXT))
            }
            _ => Err(self.error(source, format!("the column {name:?} has nested values, not texts"))),
        }
    }

    /// The vote of a source whose kind says none; the file was checked for it.
    fn class(&self, source: usize) -> i16 {
        let name = self.file.sources[source].vote.as_deref();
        name.and_then(|name| self.classes.vote(name)).map_or(0, code)
    }

    fn step(source: usize, function: &Arc<ScalarUDF>, arguments: Vec<Expr>) -> Step {
        Step { name: outcome(source), expr: function.call(arguments), source: Some(source) }
    }

    fn function(
        source: usize,
        arity: usize,
        body: impl Fn(&[ArrayRef], usize) -> Result<ArrayRef, String> + Send + Sync + 'static,
    ) -> Arc<ScalarUDF> {
        let name = format!("consilience_source_{source}");
        Arc::new(Function::udf(name, arity, DataType::Int16, body))
    }

    /// All text rules: one function per column and case, and for each source the byte of its rule.
    fn texts(&mut self) -> Result<(Vec<Step>, Vec<Option<Step>>), ApplyError> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, source) in self.file.sources.iter().enumerate() {
            let rule = match &source.kind {
                Kind::Keywords { keywords, words } => {
                    let keywords = match keywords {
                        Keywords::List(list) => list.clone(),
                        Keywords::File(file) => below::inside(&self.file.folder, file)
                            .and_then(|path| load_keywords(&path))
                            .map_err(|message| self.error(i, message))?,
                    };
                    TextRule::Keywords(Keyword { keywords, words: *words })
                }
                Kind::Regex { pattern, ignore_case } => TextRule::Pattern(
                    Pattern::new(pattern, *ignore_case).map_err(|error| self.error(i, error.to_string()))?,
                ),
                _ => continue,
            };
            let name = self.file.text_column(source).unwrap_or_default().to_string();
            match groups.iter_mut().find(|(column, lower, _)| *column == name && *lower == source.lower) {
                Some((_, _, rules)) => rules.push((i, rule)),
                None => groups.push((name, source.lower, vec![(i, rule)])),
            }
        }
        let mut steps = Vec::new();
        let mut sources: Vec<Option<Step>> = vec![None; self.file.sources.len()];
        for (number, (name, lower, rules)) in groups.into_iter().enumerate() {
            let first = rules[0].0;
            let text = self.read_text(first, &name)?;
            let (numbers, rules): (Vec<usize>, Vec<TextRule>) = rules.into_iter().unzip();
            let width = rules.len() as i32;
            let rules =
                TextRules::new(&rules, lower).map_err(|error| self.error(first, error.to_string()))?;
            let function = Function::udf(
                format!("consilience_texts_{number}"),
                1,
                DataType::FixedSizeBinary(width),
                move |columns, _| Ok(Arc::new(keywords::look(&rules, &columns[0])?)),
            );
            let found = format!("__consilience_texts_{number}");
            steps.push(Step { name: found.clone(), expr: function.call(vec![text]), source: None });
            for (position, i) in numbers.into_iter().enumerate() {
                let class = self.class(i);
                let function = Self::function(i, 1, move |columns, _| {
                    Ok(Arc::new(keywords::said(&columns[0], position, class)?))
                });
                sources[i] = Some(Self::step(i, &function, vec![column(&found)]));
            }
        }
        Ok((steps, sources))
    }

    fn single(&mut self, i: usize, source: &Declared) -> Result<Step, ApplyError> {
        match &source.kind {
            Kind::Sql(text) => self.sql(i, source, text),
            Kind::Lookup { file, keys, vote, strip } => {
                let class = if vote.is_some() { ABSTAIN } else { self.class(i) as Vote };
                let columns: Vec<&str> = keys.iter().map(|(_, column)| column.as_str()).collect();
                let empty = Dictionary::new(source.lower, *strip);
                let dictionary = below::inside(&self.file.folder, file)
                    .and_then(|path| {
                        load_dictionary(&path, &columns, vote.as_deref(), class, self.classes, empty)
                    })
                    .map_err(|message| self.error(i, message))?;
                let mut arguments = Vec::new();
                for (data, _) in keys {
                    arguments.push(self.read_text(i, data)?);
                }
                let function = Self::function(i, keys.len(), move |columns, rows| {
                    Ok(Arc::new(dictionary::look_up(&dictionary, columns, rows)?))
                });
                Ok(Self::step(i, &function, arguments))
            }
            Kind::Column { column, reading } => {
                let cells = Cells::new(reading, self.classes);
                let numeric = self
                    .survey
                    .position(column)
                    .is_some_and(|at| self.survey.columns[at].data_type().is_numeric());
                let keep = numeric && cells.are_numbers();
                let argument = if keep { self.read(i, column)? } else { self.read_text(i, column)? };
                let function =
                    Self::function(i, 1, move |columns, _| Ok(Arc::new(columns::read(&cells, &columns[0])?)));
                Ok(Self::step(i, &function, vec![argument]))
            }
            Kind::Command(command) => {
                if !self.options.allow_commands {
                    return Err(ApplyError::CommandsNotAllowed {
                        source_name: source.name.clone(),
                        line: source.place.0,
                        program: command.argv[0].clone(),
                    });
                }
                let text = self.file.text_column(source).unwrap_or_default().to_string();
                let names = if command.columns.is_empty() { vec![text] } else { command.columns.clone() };
                let mut arguments = Vec::new();
                for name in &names {
                    arguments.push(self.read_text(i, name)?);
                }
                let judge = Judge::new(command, &self.file.folder, names, self.classes, self.options.cache)
                    .map_err(|message| self.error(i, message))?;
                let judge = Arc::new(judge);
                self.judges[i] = Some(Arc::clone(&judge));
                let function = Self::function(i, arguments.len(), move |columns, rows| {
                    Ok(Arc::new(judge.ask(columns, rows)?))
                });
                Ok(Self::step(i, &function, arguments))
            }
            _ => Err(self.error(i, "has an unknown kind")),
        }
    }

    fn sql(&mut self, i: usize, source: &Declared, text: &str) -> Result<Step, ApplyError> {
        let parsed =
            sql::parse(text, self.survey, &self.session).map_err(|message| self.error(i, message))?;
        for name in &parsed.columns {
            self.read(i, name)?;
        }
        let classes = self.classes.clone();
        let class = self.class(i);
        let function = match (&parsed.returns, &source.vote) {
            (DataType::Boolean, Some(_)) => {
                Self::function(i, 1, move |columns, _| Ok(Arc::new(of_truth(&columns[0], class)?)))
            }
            (DataType::Boolean, None) => {
                return Err(self.error(i, "the SQL is true or false; name the class with vote = \"...\""));
            }
            (_, Some(_)) => {
                let message = format!(
                    "the SQL returns {}, not true or false; leave out vote if it returns the class, or compare it with something",
                    parsed.returns
                );
                return Err(self.error(i, message));
            }
            (returns, None) if returns.is_string() || returns.is_integer() || returns.is_null() => {
                Self::function(i, 1, move |columns, _| Ok(Arc::new(of_names(&columns[0], &classes)?)))
            }
            (returns, None) => {
                let message =
                    format!("the SQL returns {returns}; it must be true or false, or the name of a class");
                return Err(self.error(i, message));
            }
        };
        Ok(Self::step(i, &function, vec![parsed.expr]))
    }

    fn composed(&self, i: usize) -> Step {
        let kind = &self.file.sources[i].kind;
        let way = Way::of(kind).unwrap_or(Way::Not);
        let class = self.class(i);
        let parts: Vec<Expr> = kind
            .parts()
            .iter()
            .filter_map(|part| self.file.position(part))
            .map(|part| column(&outcome(part)))
            .collect();
        let function = Self::function(i, parts.len(), move |columns, rows| {
            Ok(Arc::new(compose(way, class, columns, rows)?))
        });
        Self::step(i, &function, parts)
    }
}
