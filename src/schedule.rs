//! What goes before what: stages, kind orders, waves.

pub mod kind_order;
pub mod stage;

pub use stage::Stage;
