//! Asks the scheduler whether it has executors, as probes of its health do.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Address;

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a scheduler reports about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// It has executors, or does not say.
    Ready,
    /// It has none.
    NoExecutors,
}

/// Asks a scheduler; an error says that none is there.
pub(crate) async fn health(address: &Address) -> Result<Health, String> {
    let asked = tokio::time::timeout(PATIENCE, status(address, "/readyz")).await;
    match asked {
        Ok(Ok(503)) => Ok(Health::NoExecutors),
        Ok(Ok(_)) => Ok(Health::Ready),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(format!("no answer within {} seconds", PATIENCE.as_secs())),
    }
}

async fn status(address: &Address, path: &str) -> Result<u16, String> {
    let mut stream =
        TcpStream::connect((address.host.as_str(), address.port)).await.map_err(|error| error.to_string())?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", address.authority());
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.map_err(|_| "it does not speak HTTP".to_string())?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let code = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..)?.trim().parse().ok());
    code.ok_or_else(|| "it does not speak HTTP".to_string())
}
