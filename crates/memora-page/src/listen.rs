//! Where the page listens: at both addresses of this machine that nobody else reaches, under one port.
//!
//! A browser may ask either address for a name below `localhost`. If another program could listen at the other one, it would be asked for
//! our pages, with the cookie.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use memora_engine::Hint;

/// How often another port is tried, if the system chooses one that is taken at the other address.
const TRIES: usize = 16;

/// The two addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loopback {
    V4,
    V6,
}

impl Loopback {
    fn at(self, port: u16) -> SocketAddr {
        let address = match self {
            Self::V4 => IpAddr::from(Ipv4Addr::LOCALHOST),
            Self::V6 => IpAddr::from(Ipv6Addr::LOCALHOST),
        };
        SocketAddr::new(address, port)
    }
}

/// The page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program has the port, or this one may have none.
    #[error("cannot listen on {address}")]
    Port {
        /// The address, with the port that was asked for.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// No runtime could be started for the connections.
    #[error("the page cannot be served")]
    Runtime(#[source] std::io::Error),
}

impl Hint for BindError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Port { .. } => "leave out --port, and the system chooses one that is free",
            Self::Runtime(_) => "the system lets this program have no more threads or files",
        }
    }
}

/// What listens.
#[derive(Debug)]
pub(crate) struct Listeners {
    pub(crate) v4: TcpListener,
    /// Nothing where the machine has no such address.
    pub(crate) v6: Option<TcpListener>,
    pub(crate) port: u16,
}

/// Listens at one address.
pub(crate) fn listen(loopback: Loopback, port: u16) -> Result<TcpListener, BindError> {
    let address = loopback.at(port);
    let failed = |source| BindError::Port { address, source };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

impl Listeners {
    /// Listens at both addresses; 0 is a port that the system chooses.
    pub(crate) fn open(
        port: u16,
        listen: &dyn Fn(Loopback, u16) -> Result<TcpListener, BindError>,
    ) -> Result<Self, BindError> {
        // Those that were tried are held meanwhile, so that the system chooses another.
        let mut tried = Vec::new();
        loop {
            let v4 = listen(Loopback::V4, port)?;
            let address = Loopback::V4.at(port);
            let own = v4.local_addr().map_err(|source| BindError::Port { address, source })?.port();
            match listen(Loopback::V6, own) {
                Ok(v6) => return Ok(Self { v4, v6: Some(v6), port: own }),
                Err(error) if !is_taken(&error) => return Ok(Self { v4, v6: None, port: own }),
                Err(error) if port != 0 || tried.len() == TRIES => return Err(error),
                Err(_) => tried.push(v4),
            }
        }
    }
}

/// Whether another program has the port; otherwise there is no such address here.
fn is_taken(error: &BindError) -> bool {
    let BindError::Port { source, .. } = error else { return false };
    matches!(source.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn failed(kind: ErrorKind, port: u16) -> BindError {
        BindError::Port { address: Loopback::V6.at(port), source: kind.into() }
    }

    #[test]
    fn a_port_that_somebody_has_at_the_other_address_is_passed_over() {
        let asked = RefCell::new(Vec::new());
        let opened = Listeners::open(0, &|loopback, port| {
            asked.borrow_mut().push((loopback, port));
            let first = asked.borrow().iter().filter(|(loopback, _)| *loopback == Loopback::V6).count() == 1;
            // What stands for the other address here need not be one: the machine may have none.
            match loopback {
                Loopback::V6 if first => Err(failed(ErrorKind::AddrInUse, port)),
                _ => listen(Loopback::V4, 0),
            }
        })
        .expect("another port");
        let asked = asked.into_inner();
        assert_eq!(asked.len(), 4, "{asked:?}");
        assert!(opened.v6.is_some() && asked[3].1 == opened.port && asked[1].1 != asked[3].1, "{asked:?}");
    }

    #[test]
    fn a_port_that_was_asked_for_and_is_taken_is_an_error_and_no_address_is_none() {
        let port = listen(Loopback::V4, 0).expect("a port").local_addr().expect("an address").port();
        let with = |kind: ErrorKind| {
            Listeners::open(port, &|loopback, port| match loopback {
                Loopback::V4 => listen(loopback, port),
                Loopback::V6 => Err(failed(kind, port)),
            })
        };
        let taken = with(ErrorKind::AddrInUse).expect_err("it is taken");
        assert!(taken.to_string().contains(&format!("[::1]:{port}")), "{taken}");
        assert!(with(ErrorKind::AddrNotAvailable).expect("without it").v6.is_none());
    }
}
