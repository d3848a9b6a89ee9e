//! The scheduler: takes plans, gives their tasks to executors, and gives a lost executor's tasks to others.

use std::net::SocketAddr;
use std::sync::Arc;

use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};

use crate::codec::Codec;
use crate::session::MESSAGE;

/// How a scheduler runs.
#[derive(Clone, Debug)]
pub struct SchedulerOptions {
    /// The address that it listens on.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Seconds without a sign of life after which an executor is lost.
    pub executor_timeout: u64,
    /// Whether it is Ballista as it comes, without nodes of ours.
    pub stock: bool,
}

/// Runs a scheduler until the process ends. `ready` hears the address once executors and clients can connect.
pub fn run(options: &SchedulerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Plans are trees that are walked.
        .thread_stack_size(32 << 20)
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    runtime.block_on(serve(options, ready))
}

async fn serve(options: &SchedulerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), String> {
    let place = format!("{}:{}", options.host, options.port);
    let busy = |error| format!("cannot listen on {place}: {error}; choose another host or port");
    let listener =
        tokio::net::TcpListener::bind((options.host.as_str(), options.port)).await.map_err(busy)?;
    let address = listener.local_addr().map_err(busy)?;
    let config = SchedulerConfig {
        bind_host: options.host.clone(),
        bind_port: address.port(),
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: (options.executor_timeout / 3).clamp(1, 15),
        no_executors_grace_period_seconds: options.executor_timeout,
        grpc_server_max_decoding_message_size: MESSAGE,
        grpc_server_max_encoding_message_size: MESSAGE,
        grpc_client_max_message_size: MESSAGE,
        // No page of another site may ask for the state of the cluster.
        cors_allowed_origins: "http://localhost".to_string(),
        override_physical_codec: (!options.stock).then(|| Arc::new(Codec::default()) as _),
        ..SchedulerConfig::default()
    };
    let failed = |error: ballista_core::error::BallistaError| format!("the scheduler stopped: {error}");
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(failed)?;
    let server = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
    let server = server.await.map_err(failed)?;
    ready(address);
    start_grpc_service_with_listener(listener, server).await.map_err(failed)
}
