//! Where a cluster is: `df://host:port`, as Ballista writes it.

use std::fmt;
use std::str::FromStr;

/// The port of a scheduler, if none is named.
pub(crate) const PORT: u16 = 50050;

/// The address of a scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its name or number; numbers of version 6 without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
}

impl Address {
    /// The address for clients of its services.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.authority())
    }

    pub(crate) fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "df://{}", self.authority())
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is not the address of a cluster; write df://host:port, such as df://10.0.0.5:{PORT}"
            )
        };
        let rest = text.strip_prefix("df://").ok_or_else(wrong)?.trim_end_matches('/');
        let (host, port) = match rest.strip_prefix('[') {
            Some(six) => {
                let (host, port) = six.split_once(']').ok_or_else(wrong)?;
                (host, port.strip_prefix(':'))
            }
            None => rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map_or(Ok(PORT), |port| port.parse().map_err(|_| wrong()))?;
        let odd = |c: char| c.is_whitespace() || "/@?#".contains(c);
        if host.is_empty() || host.contains(odd) || port == 0 {
            return Err(wrong());
        }
        Ok(Self { host: host.to_string(), port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for (text, host, port) in [
            ("df://localhost:50050", "localhost", 50050),
            ("df://10.0.0.5", "10.0.0.5", PORT),
            ("df://[::1]:7000", "::1", 7000),
            ("df://host:1/", "host", 1),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((address.host.as_str(), address.port), (host, port));
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        for text in [
            "",
            "localhost:50050",
            "http://a:1",
            "df://",
            "df://a:x",
            "df://a:0",
            "df://a b:1",
            "df://u@a:1",
            "df://[::1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
