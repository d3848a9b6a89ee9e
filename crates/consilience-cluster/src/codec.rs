//! Sends nodes of ours between machines, next to those of Ballista.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::node::ApplyExec;
use crate::write::WriteExec;

/// Nodes of ours begin so. A message of Ballista's cannot: its first byte says which field follows.
const MARK: &[u8] = b"\0consilience-1:";

/// Which node follows the mark.
const APPLY: u8 = b'a';
const WRITE: u8 = b'w';

/// Knows nodes of ours and leaves the others to Ballista.
#[derive(Debug, Default)]
pub(crate) struct Codec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(ours) = bytes.strip_prefix(MARK) else {
            return self.0.try_decode(bytes, inputs, context, converter);
        };
        let damaged = || DataFusionError::Internal("a node of Consilience is damaged".to_string());
        let [input] = inputs else { return Err(damaged()) };
        let input = Arc::clone(input);
        let node: Option<Arc<dyn ExecutionPlan>> = match ours.split_first() {
            Some((&APPLY, rest)) => ApplyExec::decode(rest, input).map(|node| Arc::new(node) as _),
            Some((&WRITE, rest)) => WriteExec::decode(rest, input).map(|node| Arc::new(node) as _),
            _ => None,
        };
        node.ok_or_else(damaged)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if let Some(ours) = node.downcast_ref::<ApplyExec>() {
            bytes.extend_from_slice(MARK);
            bytes.push(APPLY);
            ours.encode(bytes);
        } else if let Some(ours) = node.downcast_ref::<WriteExec>() {
            bytes.extend_from_slice(MARK);
            bytes.push(WRITE);
            ours.encode(bytes);
        } else {
            self.0.try_encode(node, bytes, converter)?;
        }
        Ok(())
    }
}
