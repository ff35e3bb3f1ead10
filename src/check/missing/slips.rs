//! Near names among many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::finding::{is_near, nearest};
use crate::flow::Target;

/// Pairs of names that are looked at, and pairs that are compared letter by letter. Beyond that a near
/// name is not looked for: an input with so much missing needs no suggestions, and must not take long.
const GLANCES: usize = 20_000_000;
const COMPARISONS: usize = 50_000;

/// Group, kind and namespace: where a name is looked for.
pub(super) type Home<'n> = (&'n str, &'n str, Option<&'n str>);

/// Where a target is looked for.
pub(super) fn home(target: &Target) -> Home<'_> {
    (&target.group, &target.kind, target.namespace.as_deref())
}

/// A name with what tells in passing that it is far from another.
#[derive(Clone, Copy)]
struct Entry<'n> {
    name: &'n str,
    length: usize,
    letters: u64,
}

impl<'n> Entry<'n> {
    fn new(name: &'n str) -> Self {
        let letters = name.bytes().fold(0, |letters, byte| letters | 1 << (byte & 63));
        Entry { name, length: name.chars().count(), letters }
    }

    /// Whether more than two edits lie between the names: an edit changes the length by one at most,
    /// and takes one letter away and brings one in at most.
    fn is_far(&self, other: &Entry<'_>) -> bool {
        self.length.abs_diff(other.length) > 2 || (self.letters ^ other.letters).count_ones() > 4
    }
}

/// Names by where they are, and by what near names share: all letters but for case and `-_.`, or the
/// digits.
#[derive(Default)]
pub(super) struct Names<'n> {
    folded: HashMap<(Home<'n>, String), Vec<&'n str>>,
    digits: HashMap<(Home<'n>, String), Vec<Entry<'n>>>,
    glances: usize,
    comparisons: usize,
}

impl<'n> Names<'n> {
    /// Adds a name. Names of one home come in the order in which they are to be found.
    pub(super) fn add(&mut self, home: Home<'n>, name: &'n str) {
        self.folded.entry((home, folded(name))).or_default().push(name);
        self.digits.entry((home, digits(name))).or_default().push(Entry::new(name));
    }

    /// The name of a home that is nearest to this one, if any is near.
    pub(super) fn nearest(&mut self, home: Home<'_>, name: &str) -> Option<&'n str> {
        let folded = self.folded.get(&(home, folded(name))).into_iter().flatten().copied();
        let mut near: Vec<&'n str> = folded.filter(|other| is_near(name, other)).collect();
        let wanted = Entry::new(name);
        for entry in self.digits.get(&(home, digits(name))).into_iter().flatten() {
            if self.glances >= GLANCES || self.comparisons >= COMPARISONS {
                break;
            }
            self.glances += 1;
            if !wanted.is_far(entry) {
                self.comparisons += 1;
                near.extend(is_near(name, entry.name).then_some(entry.name));
            }
        }
        nearest(name, near)
    }
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

/// What the references of an input name.
#[derive(Default)]
pub(super) struct Named<'n> {
    exactly: BTreeSet<&'n Target>,
    anywhere: BTreeMap<(&'n str, &'n str), BTreeSet<&'n str>>,
}

impl<'n> Named<'n> {
    /// Takes in everything that is named.
    pub(super) fn new(targets: impl Iterator<Item = &'n Target>) -> Self {
        let mut named = Named::default();
        for target in targets {
            named.exactly.insert(target);
            named.anywhere.entry((&target.group, &target.kind)).or_default().insert(&target.name);
        }
        named
    }

    /// Whether something names exactly this.
    pub(super) fn has(&self, target: &Target) -> bool {
        self.exactly.contains(target)
    }

    /// Whether something names an object of this kind and name in any namespace.
    pub(super) fn has_anywhere(&self, target: &Target) -> bool {
        let names = self.anywhere.get(&(&*target.group, &*target.kind));
        names.is_some_and(|names| names.contains(&*target.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Home<'_> = ("", "ConfigMap", Some("shop"));

    #[test]
    fn finds_the_nearest_of_its_home() {
        let mut names = Names::default();
        for name in ["app-config", "AppConfig", "web-1", "totally-different"] {
            names.add(HOME, name);
        }
        names.add(("", "Secret", Some("shop")), "app-confg");
        assert_eq!(names.nearest(HOME, "app-confg"), Some("app-config"));
        assert_eq!(names.nearest(HOME, "app.config"), Some("app-config"));
        assert_eq!(names.nearest(HOME, "web-2"), None);
        assert_eq!(names.nearest(("", "ConfigMap", None), "app-confg"), None);
    }

    /// Every pair that the glance takes for far is not near.
    #[test]
    fn a_glance_misses_no_near_name() {
        let alphabet = ["a", "b", "ab", "-", "c1", "x", "yz"];
        let mut all = vec![String::new()];
        for _ in 0..3 {
            all = all.iter().flat_map(|start| alphabet.iter().map(move |end| format!("{start}{end}"))).collect();
        }
        for a in &all {
            for b in &all {
                let near = is_near(a, b) && folded(a) != folded(b);
                assert!(!(near && Entry::new(a).is_far(&Entry::new(b))), "{a} {b}");
            }
        }
    }

    #[test]
    fn many_names_do_not_take_long() {
        let letters = |mut n: usize| -> String {
            let mut name = String::from("settings-");
            for _ in 0..6 {
                name.push(char::from(b'a' + u8::try_from(n % 26).unwrap()));
                n /= 26;
            }
            name
        };
        let have: Vec<String> = (0..20_000).map(|n| letters(n * 31)).collect();
        let mut names = Names::default();
        have.iter().for_each(|name| names.add(HOME, name));
        for n in 0..20_000 {
            names.nearest(HOME, &letters(n * 37 + 5));
        }
        assert!(names.glances <= GLANCES && names.comparisons <= COMPARISONS);
    }
}
