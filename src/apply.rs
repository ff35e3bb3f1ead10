//! Waves to a cluster, by the user's kubectl: apply one, wait for its gates, go on.
//!
//! [`Install`] is what a plan comes to: waves of manifests, and behind each wave the objects that must be
//! ready before the next one. [`apply()`] drives it, [`script()`] writes the same as a shell script, [`rehearse()`]
//! asks the cluster what would become of it. Whether an object is ready is decided by [`judge`], from its JSON
//! alone. This room starts kubectl and nothing else, and speaks to no cluster itself.

mod backends;
mod conduct;
mod heal;
mod hidden;
mod interrupt;
mod inventory;
mod kubectl;
mod live;
mod plan;
mod progress;
mod prune;
mod rehearse;
mod script;
mod state;
mod wait;

pub use backends::ServiceName;
pub use conduct::{Options, Outcome, Report, WaveState, apply};
pub use hidden::Hidden;
pub use interrupt::Interrupt;
pub use inventory::{Inventory, InventoryError};
pub use kubectl::{Kubectl, Trouble};
pub use plan::{Form, Gate, Install, Item, Wave, install};
pub use progress::{Event, Lines, Progress, line};
pub use rehearse::{Failure, Rehearsal, rehearse};
pub use script::{Script, script};
pub use state::{State, judge};
