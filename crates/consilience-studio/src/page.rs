//! The built page, packed once when it was built.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

struct Asset {
    path: &'static str,
    kind: &'static str,
    plain: &'static [u8],
    packed: &'static [u8],
}

macro_rules! asset {
    ($path:literal, $kind:literal, $file:literal) => {
        Asset {
            path: $path,
            kind: $kind,
            plain: include_bytes!(concat!("../page/", $file)),
            packed: include_bytes!(concat!("../page/", $file, ".gz")),
        }
    };
}

static ASSETS: [Asset; 4] = [
    asset!("/", "text/html; charset=utf-8", "index.html"),
    asset!("/app.js", "text/javascript; charset=utf-8", "app.js"),
    asset!("/app.css", "text/css; charset=utf-8", "app.css"),
    asset!("/icon.svg", "image/svg+xml", "icon.svg"),
];

/// The file at `path`, packed if the browser takes that.
pub(crate) fn serve(path: &str, headers: &HeaderMap) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let takes_gzip = accepted.split(',').any(|kind| {
        let mut parts = kind.split(';').map(str::trim);
        parts.next() == Some("gzip") && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
    });
    let kind = [
        (header::CONTENT_TYPE, asset.kind),
        (header::VARY, "accept-encoding"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Some(if takes_gzip {
        (kind, [(header::CONTENT_ENCODING, "gzip")], asset.packed).into_response()
    } else {
        (kind, asset.plain).into_response()
    })
}
