//! Who is let in.
//!
//! Any page that a browser has open can send requests to the loopback interface, and a name of somebody else's can point there.
//! So the Host must be one of ours, exactly; the Origin, if there is one, must be ours; and a cookie that only the printed
//! address sets must come with every request. Requests that change something must say their Origin.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::StudioError;
use crate::routes::Shared;

/// What lets a browser in.
pub(crate) struct Guard {
    port: u16,
    token: String,
    session: String,
}

impl Guard {
    pub(crate) fn new(port: u16) -> Result<Self, StudioError> {
        Ok(Self { port, token: random()?, session: random()? })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Cookies do not know ports, so that their name does.
    fn cookie_name(&self) -> String {
        format!("consilience-{}", self.port)
    }

    fn hosts(&self) -> [String; 3] {
        ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{}", self.port))
    }

    fn is_ours(&self, headers: &HeaderMap, method: &Method, uri: &Uri) -> bool {
        let hosts = self.hosts();
        let Once::Value(host) = Once::of(headers, &header::HOST) else { return false };
        if !hosts.iter().any(|own| own == host) {
            return false;
        }
        // A request to a proxy names its host twice.
        if uri.authority().is_some_and(|named| named.as_str() != host) {
            return false;
        }
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match Once::of(headers, &header::ORIGIN) {
            Once::Missing => reads,
            Once::Value(origin) => origin == format!("http://{host}"),
            Once::Wrong => false,
        }
    }

    fn has_session(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|list| list.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(key, value)| key == name && same(value, &self.session))
    }

    fn set_cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.session)
    }
}

/// A header that may be there once.
enum Once<'a> {
    Missing,
    Value(&'a str),
    /// There twice, or not readable.
    Wrong,
}

impl<'a> Once<'a> {
    fn of(headers: &'a HeaderMap, name: &HeaderName) -> Self {
        let mut values = headers.get_all(name).iter();
        match (values.next().map(HeaderValue::to_str), values.next()) {
            (None, _) => Self::Missing,
            (Some(Ok(value)), None) => Self::Value(value),
            _ => Self::Wrong,
        }
    }
}

/// 32 random bytes in hexadecimal digits.
fn random() -> Result<String, StudioError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| StudioError::Random)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Compares without telling by its time how much is right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Lets requests through that are ours, and turns the token of the printed address into a cookie.
pub(crate) async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let guard = &shared.guard;
    let mut response = if !guard.is_ours(request.headers(), request.method(), request.uri()) {
        refuse("This request does not come from the studio's page.")
    } else if let Some(token) = (request.uri().path() == "/").then(|| token_of(&request)).flatten() {
        if same(&token, guard.token()) {
            let cookie = HeaderValue::from_str(&guard.set_cookie());
            let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response();
            if let Ok(cookie) = cookie {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        } else {
            refuse("The token is wrong. Open the address that consilience studio printed.")
        }
    } else if guard.has_session(request.headers()) {
        next.run(request).await
    } else {
        refuse("Open the address that consilience studio printed.")
    };
    protect(response.headers_mut());
    response
}

fn token_of(request: &Request) -> Option<String> {
    let query = request.uri().query()?;
    query.split('&').find_map(|pair| pair.strip_prefix("token=")).map(str::to_string)
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], why).into_response()
}

/// What the browser may do with our pages.
fn protect(headers: &mut HeaderMap) {
    const RULES: [(&str, &str); 6] = [
        (
            "content-security-policy",
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ];
    for (name, value) in RULES {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn hosts_and_origins_are_compared_exactly() {
        let guard = Guard::new(8080).unwrap();
        let asks = |host: &str, origin: Option<&str>, method: Method| {
            let mut list = vec![("host", host)];
            list.extend(origin.map(|origin| ("origin", origin)));
            guard.is_ours(&headers(&list), &method, &Uri::from_static("/api/items"))
        };
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(asks(host, None, Method::GET), "{host}");
            assert!(asks(host, Some(&format!("http://{host}")), Method::POST), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.evil.com:8080",
            "evil.com",
            "127.0.0.1:8080.evil.com",
            "",
        ] {
            assert!(!asks(host, None, Method::GET), "{host}");
        }
        for origin in [
            "http://evil.com",
            "null",
            "https://127.0.0.1:8080",
            "http://localhost:8080",
            "http://127.0.0.1:8080.evil.com",
        ] {
            assert!(!asks("127.0.0.1:8080", Some(origin), Method::GET), "{origin}");
        }
        assert!(!asks("127.0.0.1:8080", None, Method::POST));
        let reads = |list: &[(&'static str, &str)], uri| {
            guard.is_ours(&headers(list), &Method::GET, &Uri::from_static(uri))
        };
        let ours = ("host", "127.0.0.1:8080");
        assert!(!reads(&[], "/"));
        assert!(reads(&[ours], "http://127.0.0.1:8080/"));
        assert!(!reads(&[ours], "http://evil.com/"));
        assert!(!reads(&[ours, ("host", "evil.com")], "/"));
        assert!(!reads(&[ours, ("origin", "http://127.0.0.1:8080"), ("origin", "http://evil.com")], "/"));
    }

    #[test]
    fn the_cookie_is_the_session_and_not_the_token() {
        let guard = Guard::new(8080).unwrap();
        assert!(
            guard.has_session(&headers(&[("cookie", &format!("a=b; consilience-8080={}", guard.session))]))
        );
        assert!(!guard.has_session(&headers(&[("cookie", &format!("consilience-8080={}", guard.token))])));
        assert!(!guard.has_session(&headers(&[("cookie", "consilience-8080=")])));
        assert!(!guard.has_session(&HeaderMap::new()));
        assert!(guard.set_cookie().ends_with("HttpOnly; SameSite=Strict"));
    }
}
