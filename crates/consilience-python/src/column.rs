//! Columns of whole numbers as Python has them, without a copy.

use numpy::ndarray::ArrayView1;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

macro_rules! number_types {
    ($($variant:ident $type:ty),*) => {
        /// The numbers of one column.
        #[derive(Clone, Copy)]
        pub(crate) enum Numbers<'a> {
            $(#[doc = stringify!($type)] $variant(ArrayView1<'a, $type>),)*
        }

        /// A vector that Python owns.
        pub(crate) enum Held<'py> {
            $(#[doc = stringify!($type)] $variant(PyReadonlyArray1<'py, $type>),)*
        }

        /// A matrix that Python owns.
        pub(crate) enum HeldMatrix<'py> {
            $(#[doc = stringify!($type)] $variant(PyReadonlyArray2<'py, $type>),)*
        }

        impl<'a, 'py> FromPyObject<'a, 'py> for Held<'py> {
            type Error = PyErr;
            fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                $(if let Ok(array) = object.extract::<PyReadonlyArray1<'py, $type>>() {
                    return Ok(Self::$variant(array));
                })*
                Err(PyTypeError::new_err("expected a vector of whole numbers"))
            }
        }

        impl<'a, 'py> FromPyObject<'a, 'py> for HeldMatrix<'py> {
            type Error = PyErr;
            fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                $(if let Ok(array) = object.extract::<PyReadonlyArray2<'py, $type>>() {
                    return Ok(Self::$variant(array));
                })*
                Err(PyTypeError::new_err("expected a matrix of whole numbers"))
            }
        }

        impl Held<'_> {
            fn view(&self) -> Numbers<'_> {
                match self {
                    $(Self::$variant(array) => Numbers::$variant(array.as_array()),)*
                }
            }
        }

        impl HeldMatrix<'_> {
            fn columns(&self) -> Vec<Numbers<'_>> {
                match self {
                    $(Self::$variant(array) => {
                        // Columns of one view would live no longer than it; these borrow the array itself.
                        let column = |j| array.as_array().index_axis_move(numpy::ndarray::Axis(1), j);
                        (0..array.as_array().ncols()).map(|j| Numbers::$variant(column(j))).collect()
                    })*
                }
            }
        }

        impl Cells<'_> {
            /// Cells in all.
            pub(crate) fn len(&self) -> usize {
                match &self.numbers {
                    $(Numbers::$variant(array) => array.len(),)*
                }
            }

            /// Calls `visit` with each of `rows` and its number; `None` if the cell is missing.
            #[inline]
            pub(crate) fn for_each(&self, rows: std::ops::Range<usize>, mut visit: impl FnMut(usize, Option<i64>)) {
                match &self.numbers {
                    $(Numbers::$variant(array) => {
                        for row in rows {
                            let missing = self.missing.is_some_and(|missing| missing[row]);
                            let number = i64::from(array[row]);
                            let none = missing || (self.texts.is_some() && number < 0);
                            visit(row, (!none).then_some(number));
                        }
                    })*
                }
            }
        }
    };
}

number_types!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32);

/// What Python hands over: a matrix, or a column with its mask and its texts.
pub(crate) enum Column<'py> {
    /// All columns of a matrix.
    Matrix(HeldMatrix<'py>),
    /// One column.
    Single {
        /// Its numbers.
        numbers: Held<'py>,
        /// True if a cell is missing.
        missing: Option<PyReadonlyArray1<'py, bool>>,
        /// What the numbers stand for, where these are not votes themselves.
        texts: Option<Vec<String>>,
    },
}

/// A column to be read.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    numbers: Numbers<'a>,
    missing: Option<ArrayView1<'a, bool>>,
    /// What the numbers stand for, where these are not votes themselves.
    pub(crate) texts: Option<&'a [String]>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Column<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(matrix) = object.extract::<HeldMatrix<'py>>() {
            return Ok(Self::Matrix(matrix));
        }
        let (numbers, missing, texts) = object.extract()?;
        Ok(Self::Single { numbers, missing, texts })
    }
}

/// A matrix of bytes, row by row.
pub(crate) enum Bytes<'a> {
    /// From -128 on.
    Signed(&'a [i8]),
    /// From 0 on.
    Unsigned(&'a [u8]),
}

impl Column<'_> {
    /// All cells of a matrix of bytes, if they are stored row by row.
    pub(crate) fn bytes(&self) -> Option<Bytes<'_>> {
        match self {
            Self::Matrix(HeldMatrix::I8(array)) => array.as_array().to_slice().map(Bytes::Signed),
            Self::Matrix(HeldMatrix::U8(array)) => array.as_array().to_slice().map(Bytes::Unsigned),
            _ => None,
        }
    }

    /// Adds its columns to `cells`.
    pub(crate) fn cells<'a>(&'a self, cells: &mut Vec<Cells<'a>>) {
        match self {
            Self::Matrix(matrix) => {
                let columns = matrix.columns().into_iter();
                cells.extend(columns.map(|numbers| Cells { numbers, missing: None, texts: None }));
            }
            Self::Single { numbers, missing, texts } => cells.push(Cells {
                numbers: numbers.view(),
                missing: missing.as_ref().map(|missing| missing.as_array()),
                texts: texts.as_deref(),
            }),
        }
    }
}
