//! An executor: works on tasks, and keeps their results until they are fetched.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};

use crate::codec::Codec;
use crate::session::MESSAGE;
use crate::{Address, ClusterError, http, ports};

/// How an executor runs.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// Its scheduler.
    pub scheduler: Address,
    /// The address that it listens on.
    pub host: String,
    /// The name under which others reach it; as the scheduler sees it without.
    pub advertise: Option<String>,
    /// The port of its results; the next one is that of its tasks. Any two that are free without.
    pub port: Option<u16>,
    /// Tasks at a time; one per core without.
    pub cores: Option<usize>,
    /// Where it keeps results; a folder for temporary files without.
    pub folder: Option<PathBuf>,
    /// Seconds between signs of life.
    pub heartbeat: u64,
    /// Seconds to wait for the scheduler.
    pub wait: u64,
    /// Whether it is Ballista as it comes, without nodes of ours.
    pub stock: bool,
}

/// Runs an executor until it is stopped. `ready` is called with its port once it has found the scheduler.
pub fn run(options: &ExecutorOptions, ready: impl FnOnce(u16)) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(32 << 20)
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let ports = match options.port {
        Some(u16::MAX) => {
            return Err("the port must leave room for the next one; use a smaller one".to_string());
        }
        Some(port) => vec![port, port + 1],
        None => ports::free(&options.host, 2)
            .map_err(|error| format!("cannot listen on {}: {error}; choose another host", options.host))?,
    };
    // Goes away with the executor, with all results in it.
    let mut own = None;
    let folder = if let Some(folder) = &options.folder {
        folder.clone()
    } else {
        let made = tempfile::Builder::new().prefix("consilience-executor-").tempdir();
        let made = made.map_err(|error| format!("cannot create a folder for results: {error}"))?;
        own.insert(made).path().to_path_buf()
    };
    let cores = options.cores.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let config = ExecutorProcessConfig {
        bind_host: options.host.clone(),
        external_host: options.advertise.clone(),
        port: ports[0],
        grpc_port: ports[1],
        scheduler_host: options.scheduler.host.clone(),
        scheduler_port: options.scheduler.port,
        vcores: cores.unwrap_or(1),
        work_dir: Some(folder.to_string_lossy().into_owned()),
        job_data_ttl_seconds: 24 * 3600,
        job_data_clean_up_interval_seconds: 600,
        grpc_max_decoding_message_size: MESSAGE,
        grpc_max_encoding_message_size: MESSAGE,
        executor_heartbeat_interval_seconds: options.heartbeat,
        override_physical_codec: (!options.stock).then(|| Arc::new(Codec::default()) as _),
        ..ExecutorProcessConfig::default()
    };
    runtime.block_on(async {
        found(options).await.map_err(|error| error.to_string())?;
        ready(ports[0]);
        let ended = start_executor_process(Arc::new(config)).await;
        ended.map_err(|error| format!("the executor of {} stopped: {error}", options.scheduler))
    })
}

/// Waits until the scheduler answers: the machines of a cluster start in any order.
async fn found(options: &ExecutorOptions) -> Result<(), ClusterError> {
    let started = Instant::now();
    loop {
        let Err(detail) = http::health(&options.scheduler).await else { return Ok(()) };
        if started.elapsed() >= Duration::from_secs(options.wait) {
            return Err(ClusterError::NotThere { address: options.scheduler.clone(), detail });
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}
