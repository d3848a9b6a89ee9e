//! The studio: a local app over the report types.
//!
//! The core computes, this crate answers requests. It listens on the loopback interface alone, lets in whoever has the token
//! that was printed at the start, and writes to the file of answers and to that of the sources, if they were named, and nowhere else.
//!
//! | file | holds |
//! |---|---|
//! | `table.rs` | the table that is shown: votes, names, texts, gold |
//! | `views.rs` | the table under one choice of who repeats whom; the latest few are kept |
//! | `bits.rs` | sets of items |
//! | `items.rs` | which items a query finds, page by page |
//! | `latest.rs` | the latest few results of each kind |
//! | `search.rs` | which items have some words in their name or text |
//! | `edit.rs` | the file of the sources: what a change would move, and saving it; `edit/change.rs` holds what comes in and goes out |
//! | `answers.rs` | the queue of items to label, and the file of answers |
//! | `guard.rs` | who is let in: Host, Origin, token, cookie |
//! | `page.rs` | the built page |
//! | `routes/` | what each address answers |
//! | `error.rs` | responses to invalid requests |

mod answers;
mod bits;
#[cfg(feature = "edit")]
mod edit;
#[cfg(not(feature = "edit"))]
#[path = "edit_left_out.rs"]
mod edit;
mod error;
mod guard;
mod items;
mod latest;
mod page;
mod routes;
mod search;
mod table;
mod views;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

pub use answers::{AnswerBook, AnswerBookError};
pub use edit::Desk;
pub use table::{Table, Texts};

/// Why the studio cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudioError {
    /// The port is taken, or there is no loopback interface.
    #[error("cannot listen on 127.0.0.1:{port} ({source}); choose another --port")]
    Listen {
        /// The port.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// The server ended.
    #[error("the server stopped: {0}")]
    Serve(#[source] std::io::Error),
    /// No source of random numbers for the token.
    #[error("the system provides no random numbers for a token")]
    Random,
    /// The votes cannot be studied or shown.
    #[error("{0}")]
    Study(String),
}

/// A studio that is ready to serve.
pub struct Studio {
    shared: Arc<routes::Shared>,
    listener: std::net::TcpListener,
    address: SocketAddr,
}

impl Studio {
    /// Studies `table` and takes a port: `port`, or a free one if it is 0. With a desk, the sources can be edited.
    pub fn open(
        table: Table,
        answers: Option<AnswerBook>,
        desk: Option<Desk>,
        port: u16,
    ) -> Result<Self, StudioError> {
        let listen = |source| StudioError::Listen { port, source };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let guard = guard::Guard::new(address.port())?;
        let shared = Arc::new(routes::Shared::new(table, answers, desk, guard)?);
        Ok(Self { shared, listener, address })
    }

    /// The address to open, with its token.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.shared.guard.token())
    }

    /// Serves until the process ends.
    pub fn serve(self) -> Result<(), StudioError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(StudioError::Serve)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(StudioError::Serve)?;
            axum::serve(listener, routes::router(self.shared)).await.map_err(StudioError::Serve)
        })
    }
}
