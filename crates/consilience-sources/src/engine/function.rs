//! Our own scalar functions in a plan.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::DataType;
use datafusion_common::{DataFusionError, Result};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};

/// What a function does with its arguments' columns and the number of rows.
type Body = dyn Fn(&[ArrayRef], usize) -> std::result::Result<ArrayRef, String> + Send + Sync;

/// A function whose name and sources' file together say what it does, so that another machine can make it again.
pub(super) struct Function {
    name: String,
    returns: DataType,
    signature: Signature,
    body: Arc<Body>,
}

impl Function {
    /// A function of `arity` arguments.
    pub(super) fn udf(
        name: String,
        arity: usize,
        returns: DataType,
        body: impl Fn(&[ArrayRef], usize) -> std::result::Result<ArrayRef, String> + Send + Sync + 'static,
    ) -> ScalarUDF {
        let signature = Signature::any(arity, Volatility::Immutable);
        ScalarUDF::new_from_impl(Self { name, returns, signature, body: Arc::new(body) })
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.body, &other.body)
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let columns = args.args.into_iter().map(|arg| arg.into_array(rows)).collect::<Result<Vec<_>>>()?;
        let result = (self.body)(&columns, rows).map_err(DataFusionError::Execution)?;
        Ok(ColumnarValue::Array(result))
    }
}
