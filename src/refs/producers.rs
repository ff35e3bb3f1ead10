//! The table of producers: which objects make which others, or write into them, when they run.
//!
//! Most are rows of [`makes::Row`]: a kind, what it makes, where the name stands, which keys it has.
//! What needs more to be told (templates, users of a database, annotations) is a function. Where the
//! keys depend on a version or an option that is not in the object, they are said to be unknown: a
//! key is only called missing where its producer is known not to write it.

mod annotations;
mod cert_manager;
mod clouds;
mod databases;
mod external_secrets;
mod kafka;
mod makes;
mod rook;
mod sealed_secrets;
mod secret_stores;
mod services;
mod vault;
mod workloads;

use std::collections::HashMap;
use std::sync::Arc;

use makes::{Maker, Row};

use crate::flow::Product;
use crate::object::ObjectSet;

/// What an object of a kind makes, where a row cannot say it.
type Special = (&'static str, &'static str, Makes);

/// The products of one object.
type Makes = fn(&Maker<'_>) -> Vec<Product>;

/// Every file's rows.
static ROWS: &[&[Row]] =
    &[clouds::ROWS, databases::ROWS, kafka::ROWS, rook::ROWS, secret_stores::ROWS, services::ROWS, vault::ROWS];

/// Every file's functions, by the kind they are for.
static SPECIAL: &[&[Special]] = &[
    annotations::SPECIAL,
    cert_manager::SPECIAL,
    databases::SPECIAL,
    external_secrets::SPECIAL,
    kafka::SPECIAL,
    rook::SPECIAL,
    sealed_secrets::SPECIAL,
    secret_stores::SPECIAL,
    services::SPECIAL,
    workloads::SPECIAL,
];

/// Functions that are asked about every object outside the core group.
static ANY: &[Makes] = &[clouds::connection, clouds::azure];

/// What the objects of an input make, by maker. A name that only a controller can complete
/// (`{{…}}`, `$(…)`) is nobody's.
pub(super) fn products(objects: &ObjectSet<'_>) -> Vec<Product> {
    let mut rows: HashMap<(&str, &str), Vec<makes::Compiled>> = HashMap::new();
    for row in ROWS.iter().copied().flatten() {
        rows.entry((row.maker.0, row.maker.1)).or_default().push(makes::compile(row));
    }
    let mut special: HashMap<(&str, &str), Vec<Makes>> = HashMap::new();
    for (group, kind, makes) in SPECIAL.iter().copied().flatten() {
        special.entry((group, kind)).or_default().push(*makes);
    }
    let mut found = Vec::new();
    for (at, object) in objects.iter() {
        let maker = Maker { at, object };
        let kind = (&*object.id.group, &*object.id.kind);
        for row in rows.get(&kind).into_iter().flatten() {
            row.follow(&maker, &mut found);
        }
        let any = ANY.iter().filter(|_| !object.id.group.is_empty());
        for makes in special.get(&kind).into_iter().flatten().chain(any) {
            found.extend(makes(&maker));
        }
    }
    found.retain(|product| is_name(&product.target.name));
    found
}

fn is_name(name: &Arc<str>) -> bool {
    !name.is_empty() && !name.contains(['{', '}', '$', '(', '<'])
}

#[cfg(test)]
mod tests;
