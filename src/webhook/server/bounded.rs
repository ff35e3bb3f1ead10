//! As many connections as there are places, and no more.

use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::metrics::Metrics;

/// Gives each connection one of the places, before its first byte is read; without one it is closed.
#[derive(Clone)]
pub(crate) struct Bounded {
    pub(crate) places: Arc<Semaphore>,
    pub(crate) metrics: Arc<Metrics>,
}

impl<S> Accept<TcpStream, S> for Bounded {
    type Stream = Placed;
    type Service = S;
    type Future = Ready<io::Result<(Placed, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(match self.places.clone().try_acquire_owned() {
            Ok(place) => stream.set_nodelay(true).map(|()| (Placed { stream, _place: place }, service)),
            Err(_) => {
                self.metrics.turned_away.inc();
                Err(io::Error::other("too many connections"))
            }
        })
    }
}

/// A connection that has a place until it ends.
pub(crate) struct Placed {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Placed {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Placed {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
