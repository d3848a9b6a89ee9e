//! A column of texts, and what is looked for in it without the interpreter's lock.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use consilience_sources::rules::{self, Dictionary, KeywordFinder, TooLong, lowered};
use hashbrown::HashMap;
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyString};
use rayon::prelude::*;

use crate::errors::Raise as _;
use crate::run::run;

/// Texts that one thread takes at a time.
const CHUNK: usize = 1024;

pub(crate) struct Column {
    data: String,
    /// Where each text starts and ends.
    places: Vec<(usize, usize)>,
    missing: Vec<bool>,
    /// All of the data in small letters, if it is ASCII, so that all texts stay where they are.
    lowered: OnceLock<Option<String>>,
}

impl Column {
    fn new(data: String, places: Vec<(usize, usize)>, missing: Vec<bool>) -> Self {
        Self { data, places, missing, lowered: OnceLock::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn text(&self, i: usize) -> Option<&str> {
        let (start, end) = self.places[i];
        (!self.missing[i]).then(|| &self.data[start..end])
    }

    /// All of the data as it is, or in small letters; `None` if a letter may take another place when it becomes small.
    fn searched(&self, lower: bool) -> Option<&str> {
        if !lower {
            return Some(&self.data);
        }
        let make = || self.data.is_ascii().then(|| self.data.to_ascii_lowercase());
        self.lowered.get_or_init(make).as_deref()
    }
}

/// A column of texts, some of which may be missing.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Texts {
    column: Arc<Column>,
    faults: usize,
}

impl Texts {
    /// The texts themselves.
    pub(crate) fn column(&self) -> Arc<Column> {
        Arc::clone(&self.column)
    }
}

#[pymethods]
impl Texts {
    /// The texts of a list; None and NaN are missing, anything else is a fault: counted if they are tolerated, else a TypeError.
    #[staticmethod]
    fn from_list(values: &Bound<'_, PyList>, tolerant: bool) -> PyResult<Self> {
        let mut data = String::new();
        let mut places = Vec::with_capacity(values.len());
        let mut missing = vec![false; values.len()];
        let mut faults = 0;
        for (row, value) in values.iter().enumerate() {
            let start = data.len();
            if let Ok(text) = value.cast::<PyString>() {
                match text.to_cow() {
                    Ok(text) => data.push_str(&text),
                    // A lone surrogate is not valid text in any encoding.
                    Err(_) if tolerant => {
                        missing[row] = true;
                        faults += 1;
                    }
                    Err(error) => return Err(error),
                }
            } else if value.is_none() || value.cast::<PyFloat>().is_ok_and(|x| x.value().is_nan()) {
                missing[row] = true;
            } else if tolerant {
                missing[row] = true;
                faults += 1;
            } else {
                let kind = value.get_type();
                let message = format!("row {row}: expected a text, got {value:?} of {kind}");
                return Err(PyTypeError::new_err(message));
            }
            places.push((start, data.len()));
        }
        Ok(Self { column: Arc::new(Column::new(data, places, missing)), faults })
    }

    /// The `count` texts that were joined by zero characters; None where these are part of a text.
    #[staticmethod]
    fn from_joined(py: Python<'_>, joined: String, count: usize) -> Option<Self> {
        py.detach(|| {
            let mut places = Vec::with_capacity(count);
            let mut start = 0;
            for end in memchr::memchr_iter(0, joined.as_bytes()).chain([joined.len()]) {
                places.push((start, end));
                start = end + 1;
            }
            let missing = vec![false; places.len()];
            (places.len() == count)
                .then(|| Self { column: Arc::new(Column::new(joined, places, missing)), faults: 0 })
        })
    }

    /// The texts of an Arrow column: all bytes, the offsets of the texts in them, and a mask of the missing ones.
    #[staticmethod]
    fn from_arrow(
        py: Python<'_>,
        data: PyReadonlyArray1<'_, u8>,
        offsets: PyReadonlyArray1<'_, i64>,
        missing: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<Self> {
        let bytes = data.as_slice()?;
        let offsets = offsets.as_array();
        let wrong = || PyValueError::new_err("the offsets of an Arrow column do not fit its bytes");
        let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else { return Err(wrong()) };
        let ascending = offsets.windows(2).into_iter().all(|pair| pair[0] <= pair[1]);
        if !ascending || first < 0 || last as usize > bytes.len() {
            return Err(wrong());
        }
        let missing = match missing {
            Some(missing) if missing.as_array().len() + 1 != offsets.len() => return Err(wrong()),
            Some(missing) => missing.as_array().to_vec(),
            None => vec![false; offsets.len() - 1],
        };
        let places: Vec<(usize, usize)> = offsets
            .windows(2)
            .into_iter()
            .map(|pair| ((pair[0] - first) as usize, (pair[1] - first) as usize))
            .collect();
        let data = &bytes[first as usize..last as usize];
        let data = py.detach(|| str::from_utf8(data).map(str::to_string)).map_err(|_| wrong())?;
        if places.iter().any(|&(_, end)| !data.is_char_boundary(end)) {
            return Err(wrong());
        }
        Ok(Self { column: Arc::new(Column::new(data, places, missing)), faults: 0 })
    }

    /// How many texts there are.
    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// How many entries were no texts.
    #[getter]
    fn faults(&self) -> usize {
        self.faults
    }

    /// The number of each text among the distinct ones, in the order of their appearance, -1 if it is missing; and these.
    fn factorize<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i64>>, Vec<&str>) {
        let (codes, distinct) = py.detach(|| {
            let mut numbers: HashMap<&str, i64> = HashMap::new();
            let mut distinct = Vec::new();
            let number = |i| {
                self.column.text(i).map_or(-1, |text| {
                    *numbers.entry(text).or_insert_with(|| {
                        distinct.push(text);
                        distinct.len() as i64 - 1
                    })
                })
            };
            let codes: Vec<i64> = (0..self.column.len()).map(number).collect();
            (codes, distinct)
        });
        (codes.into_pyarray(py), distinct)
    }

    /// The texts as a list, None where missing.
    fn to_list(&self) -> Vec<Option<&str>> {
        (0..self.column.len()).map(|i| self.column.text(i)).collect()
    }
}

/// The votes of `vote`, which fills in those on the texts of a range; -1 if a text is missing.
fn votes<'py>(
    py: Python<'py>,
    texts: &Texts,
    vote: impl Fn(&Column, Range<usize>, &mut [i64]) + Send + Sync + 'static,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let column = Arc::clone(&texts.column);
    let votes = run(py, None, move || {
        let mut votes = vec![-1; column.len()];
        votes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, votes)| {
            let first = chunk * CHUNK;
            vote(&column, first..first + votes.len(), votes);
            let missing = &column.missing[first..first + votes.len()];
            votes.iter_mut().zip(missing).filter(|(_, missing)| **missing).for_each(|(vote, _)| *vote = -1);
        });
        votes
    })?;
    Ok(votes.into_pyarray(py))
}

/// Fills in the vote of `vote` on each text, in lower case if requested.
fn one_by_one(
    column: &Column,
    rows: Range<usize>,
    votes: &mut [i64],
    lower: bool,
    vote: impl Fn(&str) -> i64,
) {
    let searched = column.searched(lower);
    for (row, to) in rows.zip(votes) {
        let (start, end) = column.places[row];
        *to = match searched {
            Some(all) => vote(&all[start..end]),
            None => vote(&column.data[start..end].to_lowercase()),
        };
    }
}

/// Whether texts have one of some keywords.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Keywords {
    finder: Arc<KeywordFinder>,
}

#[pymethods]
impl Keywords {
    /// Looks for `keywords`; in the lower-cased text with `lower`, as whole words with `words`.
    #[new]
    fn new(keywords: Vec<String>, lower: bool, words: bool) -> PyResult<Self> {
        if keywords.is_empty() || keywords.iter().any(String::is_empty) {
            return Err(PyValueError::new_err("keywords must be one or more texts, none of them empty"));
        }
        let finder = KeywordFinder::new(&keywords, lower, words);
        Ok(Self { finder: Arc::new(finder.map_err(|error| PyValueError::new_err(error.to_string()))?) })
    }

    /// The vote on each text: `label` if it has a keyword, `otherwise` if it has none, -1 if it is missing.
    fn vote<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        label: i64,
        otherwise: i64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let finder = Arc::clone(&self.finder);
        votes(py, texts, move |column, rows, votes| match column.searched(finder.lower()) {
            Some(all) if !finder.words() => {
                votes.fill(otherwise);
                finder.search(all, &column.places[rows], |at| votes[at] = label);
            }
            _ => one_by_one(column, rows, votes, finder.lower(), |text| {
                if finder.is_in_lowered(text) { label } else { otherwise }
            }),
        })
    }

    /// Whether `text` has a keyword.
    fn is_in(&self, text: &str) -> bool {
        self.finder.is_in(text)
    }
}

/// Whether texts match a regular expression.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Pattern {
    regex: rules::Pattern,
    lower: bool,
}

#[pymethods]
impl Pattern {
    /// Takes a regular expression; it is looked for in the lower-cased text with `lower`.
    #[new]
    fn new(pattern: &str, lower: bool, ignore_case: bool) -> PyResult<Self> {
        let regex = rules::Pattern::new(pattern, ignore_case);
        Ok(Self { regex: regex.map_err(|error| error.raise())?, lower })
    }

    /// The vote on each text: `label` if it matches, `otherwise` if it does not, -1 if it is missing.
    fn vote<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        label: i64,
        otherwise: i64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (regex, lower) = (self.regex.clone(), self.lower);
        let given_up = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&given_up);
        let votes = votes(py, texts, move |column, rows, votes| {
            one_by_one(column, rows, votes, lower, |text| match regex.is_in(text) {
                Ok(true) => label,
                Ok(false) => otherwise,
                Err(TooLong { .. }) => {
                    noted.store(true, Ordering::Relaxed);
                    otherwise
                }
            });
        })?;
        if given_up.load(Ordering::Relaxed) {
            Err(PyValueError::new_err(TooLong.to_string()))
        } else {
            Ok(votes)
        }
    }

    /// Whether the expression is found in `text`.
    fn is_in(&self, text: &str) -> PyResult<bool> {
        let found = self.regex.is_in(&lowered(text, self.lower));
        found.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// The votes of a dictionary.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Lookup {
    dictionary: Arc<Dictionary>,
    /// What the dictionary's votes are called here.
    labels: Arc<Vec<i64>>,
}

#[pymethods]
impl Lookup {
    /// Takes whole texts and their votes; texts are compared lower-cased with `lower`, without white space around with `strip`.
    #[new]
    fn new(table: Vec<(String, i64)>, lower: bool, strip: bool) -> PyResult<Self> {
        let wrong = |message: String| PyValueError::new_err(message);
        let mut dictionary = Dictionary::new(lower, strip);
        let mut labels = Vec::new();
        let mut numbers: HashMap<i64, u16> = HashMap::new();
        for (text, label) in table {
            let number = if let Some(number) = numbers.get(&label) {
                *number
            } else {
                let many = |_| wrong("the dictionary has more than 65,536 different votes".to_string());
                let number = u16::try_from(labels.len()).map_err(many)?;
                labels.push(label);
                numbers.insert(label, number);
                number
            };
            dictionary.add(&[&text], number).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(Self { dictionary: Arc::new(dictionary), labels: Arc::new(labels) })
    }

    /// The vote on each text: that of the dictionary, `otherwise` if it has none, -1 if the text is missing.
    fn vote<'py>(
        &self,
        py: Python<'py>,
        texts: &Texts,
        otherwise: i64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (dictionary, labels) = (Arc::clone(&self.dictionary), Arc::clone(&self.labels));
        votes(py, texts, move |column, rows, votes| {
            one_by_one(column, rows, votes, false, |text| {
                dictionary.find(&[text]).map_or(otherwise, |number| labels[usize::from(number)])
            });
        })
    }

    /// The vote on `text`, if the dictionary has one.
    fn find(&self, text: &str) -> Option<i64> {
        self.dictionary.find(&[text]).map(|number| self.labels[usize::from(number)])
    }
}
