//! `consilience cluster`: what was typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use consilience_cluster::Address;

const EXAMPLE: &str = "\
Example:
  consilience cluster scheduler --host 10.0.0.5
  consilience cluster executor df://10.0.0.5:50050
  consilience apply sources.toml /data/mails/*.parquet --cluster df://10.0.0.5:50050 -o votes.parquet

Start one scheduler, and an executor on every worker machine. All of them must
see the data and the folder of the sources under the same path. There is no
authentication: keep the ports inside a network you trust.";

/// Start a scheduler or an executor for --cluster
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE, arg_required_else_help = true)]
#[command(subcommand_value_name = "ROLE", subcommand_help_heading = "Roles")]
pub struct ClusterArgs {
    /// What to start.
    #[command(subcommand)]
    pub role: Role,
}

/// The role of a process in a cluster.
#[derive(Debug, Subcommand)]
pub enum Role {
    Scheduler(SchedulerArgs),
    Executor(ExecutorArgs),
}

/// Accept jobs and assign their tasks to executors, until stopped
#[derive(Debug, Args)]
pub struct SchedulerArgs {
    /// Address to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 50050)]
    pub port: u16,
    /// Seconds without a heartbeat after which an executor counts as lost
    ///
    /// Its tasks are then reassigned.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(2..=86400))]
    pub executor_timeout: u64,
    /// Support plain SQL only, like Ballista itself
    #[arg(long, hide = true)]
    pub stock: bool,
}

/// Run tasks of a scheduler, until stopped
#[derive(Debug, Args)]
pub struct ExecutorArgs {
    /// The scheduler, such as df://10.0.0.5:50050
    #[arg(value_name = "SCHEDULER")]
    pub scheduler: Address,
    /// Address to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// Host name under which others reach it [default: as the scheduler sees it]
    #[arg(long, value_name = "NAME")]
    pub advertise: Option<String>,
    /// Port for its results; its tasks use the next one [default: free ports]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Number of concurrent tasks [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub cores: Option<u16>,
    /// Folder for results until they are fetched [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Seconds between heartbeats, at most a third of the scheduler's --executor-timeout
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub heartbeat: u64,
    /// Seconds to wait for the scheduler to start
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub wait: u64,
    /// Support plain SQL only, like Ballista itself
    #[arg(long, hide = true)]
    pub stock: bool,
}
