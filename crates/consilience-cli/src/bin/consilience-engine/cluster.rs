//! `consilience cluster`: runs a scheduler or an executor.

use anyhow::anyhow;
use consilience_cluster::executor::{self, ExecutorOptions};
use consilience_cluster::scheduler::{self, SchedulerOptions};

use consilience_cli::args::{ClusterArgs, ExecutorArgs, Role, SchedulerArgs};
use consilience_cli::terminal::Talk;

pub(super) fn run(args: ClusterArgs, talk: Talk) -> anyhow::Result<()> {
    // A task that panics must not end the process: the engine makes an error of it and goes on.
    drop(std::panic::take_hook());
    match args.role {
        Role::Scheduler(args) => run_scheduler(args, talk),
        Role::Executor(args) => run_executor(args, talk),
    }
}

fn run_scheduler(args: SchedulerArgs, talk: Talk) -> anyhow::Result<()> {
    let SchedulerArgs { host, port, executor_timeout, stock } = args;
    let options = SchedulerOptions { host, port, executor_timeout, stock };
    let ready = |address: std::net::SocketAddr| {
        talk.say(&format!(
            "scheduler at df://{address}; start `consilience cluster executor df://{address}`"
        ));
    };
    scheduler::run(&options, ready).map_err(|error| anyhow!(error))
}

fn run_executor(args: ExecutorArgs, talk: Talk) -> anyhow::Result<()> {
    let options = ExecutorOptions {
        scheduler: args.scheduler,
        host: args.host,
        advertise: args.advertise,
        port: args.port,
        cores: args.cores.map(usize::from),
        folder: args.folder,
        heartbeat: args.heartbeat,
        wait: args.wait,
        stock: args.stock,
    };
    let ready = |port: u16| talk.say(&format!("executor of {} on port {port}", options.scheduler));
    executor::run(&options, ready).map_err(|error| anyhow!(error))
}
