//! How plans are made and run: settings of the engine, the same here and on the cluster.

use ballista_core::extension::SessionConfigExt as _;
use datafusion::prelude::SessionConfig;

/// The largest message between the machines; patterns that are joined travel in one.
pub(crate) const MESSAGE: u32 = 1 << 30;

/// Settings for jobs whose shuffles have so many partitions.
pub(crate) fn config(partitions: usize) -> SessionConfig {
    let mut config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .with_ballista_job_name("consilience")
        .with_ballista_grpc_client_max_message_size(MESSAGE as usize);
    let most = usize::MAX.to_string();
    let settings = [
        // One part is one task, so that little is lost with an executor.
        ("ballista.scheduler.max_partitions_per_task", "1"),
        // Rows keep their order, and parts stay what they are.
        ("datafusion.optimizer.enable_round_robin_repartition", "false"),
        ("datafusion.optimizer.repartition_file_scans", "false"),
        // Patterns are few next to items: they are what is sent around.
        ("datafusion.optimizer.join_reordering", "false"),
        ("datafusion.optimizer.repartition_joins", "false"),
        ("datafusion.optimizer.hash_join_single_partition_threshold", most.as_str()),
        ("datafusion.optimizer.hash_join_single_partition_threshold_rows", most.as_str()),
        // These connect nodes that may run on different machines.
        ("datafusion.optimizer.enable_dynamic_filter_pushdown", "false"),
        // Texts are what they are in the plan.
        ("datafusion.execution.parquet.schema_force_view_types", "false"),
    ];
    for (key, value) in settings {
        // What another version of the engine does not know, it does not do either.
        let _ = config.options_mut().set(key, value);
    }
    config.options_mut().sql_parser.enable_ident_normalization = false;
    config
}
