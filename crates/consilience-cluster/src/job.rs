//! One plan on the cluster: sent, watched while it runs, its results fetched.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use ballista_core::client::BallistaClient;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::get_job_status_result::FlightProxy;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobStatusParams, KeyValuePair,
    PartitionLocation, execute_query_result, job_status,
};
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use ballista_core::version::{check_compatibility, insert_version_header, version_from_metadata};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::physical_plan::AsExecutionPlan as _;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::TryStreamExt as _;
use tonic::transport::Channel;

use crate::codec::Codec;
use crate::error::told;
use crate::http::{Health, health};
use crate::session::MESSAGE;
use crate::{Address, ClusterError};

/// How often the state of a job is asked for.
const EVERY: Duration = Duration::from_millis(50);
/// How often the scheduler is asked for its executors.
const HEALTH_EVERY: Duration = Duration::from_secs(2);

/// What stock schedulers and executors say about a node that they do not know.
const UNKNOWN: [&str; 2] =
    ["Could not deserialize BallistaPhysicalPlanNode", "PhysicalExtensionCodec is not provided"];

/// A scheduler that answered.
pub(crate) struct Scheduler {
    pub(crate) address: Address,
    client: SchedulerGrpcClient<Channel>,
    session: String,
    /// How long it may be without executors.
    wait: Duration,
    /// Why plain SQL does not do, for messages.
    pub(crate) why: String,
}

/// A job that ended well, and where its results are, by partition.
pub(crate) struct Finished {
    id: String,
    pub(crate) results: Vec<(usize, PartitionLocation)>,
    proxy: Option<FlightProxy>,
}

fn client_config() -> GrpcClientConfig {
    GrpcClientConfig {
        connect_timeout_seconds: 10,
        timeout_seconds: 60,
        http2_keepalive_interval_seconds: 20,
        max_message_size: MESSAGE as usize,
        ..GrpcClientConfig::default()
    }
}

impl Scheduler {
    /// Connects to a scheduler and waits until it has executors.
    pub(crate) async fn connect(address: &Address, wait: Duration) -> Result<Self, ClusterError> {
        let not_there = |detail: String| ClusterError::NotThere { address: address.clone(), detail };
        let started = Instant::now();
        while health(address).await.map_err(not_there)? == Health::NoExecutors {
            if started.elapsed() >= wait {
                return Err(ClusterError::NoExecutors { address: address.clone(), seconds: wait.as_secs() });
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        let endpoint = create_grpc_client_endpoint(address.url(), Some(&client_config()));
        let channel = endpoint.map_err(|error| not_there(error.to_string()))?.connect().await;
        let channel = channel.map_err(|error| not_there(error.to_string()))?;
        let client = SchedulerGrpcClient::new(channel)
            .max_encoding_message_size(MESSAGE as usize)
            .max_decoding_message_size(MESSAGE as usize);
        let session = uuid::Uuid::new_v4().to_string();
        Ok(Self { address: address.clone(), client, session, wait, why: String::new() })
    }

    fn gone(&self, detail: impl Into<String>) -> ClusterError {
        ClusterError::Gone { address: self.address.clone(), detail: detail.into() }
    }

    fn failed(&self, error: &str) -> ClusterError {
        if UNKNOWN.iter().any(|text| error.contains(text)) {
            return ClusterError::Stock { address: self.address.clone(), why: self.why.clone() };
        }
        ClusterError::Failed { address: self.address.clone(), detail: told(error) }
    }

    /// What a call that failed means: the scheduler answered with an error, or it is not there any more.
    fn refused(&self, status: &tonic::Status) -> ClusterError {
        use tonic::Code;
        match status.code() {
            Code::Internal | Code::InvalidArgument | Code::FailedPrecondition | Code::Unimplemented
                if !status.message().contains("h2 protocol error") =>
            {
                self.failed(status.message())
            }
            _ => self.gone(told(status.message())),
        }
    }

    /// Runs a plan to its end.
    pub(crate) async fn run(
        &mut self,
        plan: Arc<dyn ExecutionPlan>,
        config: &SessionConfig,
    ) -> Result<Finished, ClusterError> {
        let message = PhysicalPlanNode::try_from_physical_plan(plan, &Codec::default())?;
        let mut bytes = Vec::new();
        message.try_encode(&mut bytes)?;
        let setting =
            |entry: datafusion::config::ConfigEntry| KeyValuePair { key: entry.key, value: entry.value };
        let mut request = tonic::Request::new(ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(bytes)),
            settings: config.options().entries().into_iter().map(setting).collect(),
            session_id: self.session.clone(),
            operation_id: uuid::Uuid::new_v4().to_string(),
        });
        insert_version_header(request.metadata_mut());
        let answer = self.client.execute_query(request).await.map_err(|status| self.refused(&status))?;
        let theirs = version_from_metadata(answer.metadata());
        let fits = check_compatibility(Some(ballista_core::BALLISTA_VERSION), theirs);
        let accepted = answer.into_inner().result;
        fits.map_err(|detail| ClusterError::Failed { address: self.address.clone(), detail })?;
        let id = match accepted {
            Some(execute_query_result::Result::Success(job)) => job.job_id,
            Some(execute_query_result::Result::Failure(failure)) => {
                return Err(self.failed(&format!("{failure:?}")));
            }
            None => return Err(self.gone("it did not say what became of the job")),
        };
        let ended = self.ended(&id).await;
        if ended.is_err() {
            // Nobody will fetch the results. That it cannot be told changes nothing.
            let _ = self.client.cancel_job(CancelJobParams { job_id: id }).await;
        }
        ended
    }

    async fn ended(&mut self, id: &str) -> Result<Finished, ClusterError> {
        let (mut asked, mut alive) = (Instant::now(), Instant::now());
        loop {
            let request = GetJobStatusParams { job_id: id.to_string() };
            let answer = self.client.get_job_status(request).await.map_err(|status| self.refused(&status))?;
            let answer = answer.into_inner();
            match answer.status.and_then(|status| status.status) {
                Some(job_status::Status::Failed(job)) => return Err(self.failed(&job.error)),
                Some(job_status::Status::Successful(job)) => {
                    let place = |location: PartitionLocation| {
                        let number = location.partition_id.as_ref().map_or(0, |id| id.partition_id as usize);
                        (number, location)
                    };
                    let mut results: Vec<_> = job.partition_location.into_iter().map(place).collect();
                    results.sort_by_key(|result| result.0);
                    return Ok(Finished { id: id.to_string(), results, proxy: answer.flight_proxy });
                }
                _ => {}
            }
            if asked.elapsed() >= HEALTH_EVERY {
                asked = Instant::now();
                if health(&self.address).await.map_err(|detail| self.gone(detail))? == Health::Ready {
                    alive = Instant::now();
                } else if alive.elapsed() >= self.wait {
                    let seconds = self.wait.as_secs();
                    return Err(ClusterError::NoExecutors { address: self.address.clone(), seconds });
                }
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// The rows of one partition, in order.
    pub(crate) async fn fetch(
        &self,
        job: &Finished,
        location: &PartitionLocation,
    ) -> Result<Vec<RecordBatch>, ClusterError> {
        let lost = |detail: String| self.gone(detail);
        let layout = location.layout();
        let (Some(executor), Some(partition)) = (&location.executor_meta, &location.partition_id) else {
            return Err(lost("the results have no place".to_string()));
        };
        let own = (executor.host.clone(), executor.port as u16);
        let (host, port) = match &job.proxy {
            Some(FlightProxy::Local(true)) => (self.address.host.clone(), self.address.port),
            Some(FlightProxy::External(place)) => place
                .rsplit_once(':')
                .and_then(|(host, port)| Some((host.to_string(), port.parse().ok()?)))
                .unwrap_or_else(|| own.clone()),
            _ => own.clone(),
        };
        let what = |error: ballista_core::error::BallistaError| {
            lost(format!(
                "results of the executor at {}:{} were lost: {}",
                own.0,
                own.1,
                told(&error.to_string())
            ))
        };
        let size = MESSAGE as usize;
        let client = BallistaClient::try_new(&host, port, size, false, None, 2, 200, 0, 0).await;
        let mut client = client.map_err(what)?;
        let partition = partition.clone().into();
        let rows = client.fetch_partition_proxied(
            &executor.id,
            &partition,
            location.file_id,
            layout,
            &own.0,
            own.1,
            true,
        );
        let rows = rows.await.map_err(what)?;
        rows.try_collect().await.map_err(|error| lost(told(&error.to_string())))
    }

    /// Lets the executors forget the results.
    pub(crate) async fn forget(&mut self, job: &Finished) {
        let _ = self
            .client
            .clean_job_data(CleanJobDataParams { job_id: job.id.clone(), ..CleanJobDataParams::default() })
            .await;
    }
}
