//! A bare axum server that gives back what it gets, under the same TLS.

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use tidegate::webhook::tls::{Identity, Pair};

/// Serves until it is killed.
pub(crate) fn serve(certificate: &str, key: &str) {
    let pair = Pair { certificate: certificate.into(), key: key.into() };
    let identity = Identity::load(pair).expect("a pair");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        println!("listening on https://{}", listener.local_addr().expect("an address"));
        let routes = Router::new().route("/convert", post(|body: Bytes| async { body }));
        let server = axum_server::from_tcp_rustls(listener, identity.config()).expect("a server").http1_only();
        server.serve(routes.into_make_service()).await.expect("it serves");
    });
}
