//! All objects of a run.

use super::{Name, Object, ObjectId};

/// An object of an [`ObjectSet`]: a number that stays its own when the object is renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjRef(u32);

impl ObjRef {
    /// The reference with this number, from 0 in the order of the set.
    pub fn new(index: usize) -> Self {
        ObjRef(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Objects with unique identities, in the order of their ids. The order of files and documents has
/// no say in anything that iterates here.
#[derive(Debug, Default)]
pub struct ObjectSet<'s> {
    objects: Vec<Object<'s>>,
}

impl<'s> ObjectSet<'s> {
    /// Takes objects whose ids are unique and orders them by id.
    pub fn new(mut objects: Vec<Object<'s>>) -> Self {
        objects.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        ObjectSet { objects }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The object behind a reference of this set.
    ///
    /// # Panics
    /// With a reference of another, larger set.
    pub fn get(&self, object: ObjRef) -> &Object<'s> {
        &self.objects[object.index()]
    }

    /// The object behind a reference, to change its tree.
    ///
    /// # Panics
    /// With a reference of another, larger set.
    pub fn get_mut(&mut self, object: ObjRef) -> &mut Object<'s> {
        &mut self.objects[object.index()]
    }

    /// All objects by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ObjRef, &Object<'s>)> {
        self.objects.iter().enumerate().map(|(n, object)| (ObjRef::new(n), object))
    }

    /// All objects by id, to change their trees.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (ObjRef, &mut Object<'s>)> {
        self.objects.iter_mut().enumerate().map(|(n, object)| (ObjRef::new(n), object))
    }

    /// The objects by id, taken out, for a step that makes others of them.
    pub fn into_objects(self) -> Vec<Object<'s>> {
        self.objects
    }

    /// The object of exactly this group, kind, namespace and name.
    pub fn find(&self, group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Option<ObjRef> {
        let key = (group, kind, namespace, false, name);
        let at = self.objects.binary_search_by(|object| sort_key(&object.id).cmp(&key)).ok()?;
        Some(ObjRef::new(at))
    }

    /// The Namespace of an object, where the set holds it.
    pub fn namespace_of(&self, object: &Object<'_>) -> Option<&Object<'s>> {
        let name = object.id.namespace.as_deref()?;
        self.find("", "Namespace", None, name).map(|at| self.get(at))
    }

    /// All objects of a group and kind, by namespace and name.
    pub fn of_kind<'a>(&'a self, group: &'a str, kind: &'a str) -> impl Iterator<Item = (ObjRef, &'a Object<'s>)> {
        let start = self.objects.partition_point(|object| (&*object.id.group, &*object.id.kind) < (group, kind));
        let rest = self.objects[start..].iter().enumerate();
        rest.take_while(move |(_, object)| object.is(group, kind))
            .map(move |(n, object)| (ObjRef::new(start + n), object))
    }
}

/// The order of [`ObjectId`] in borrowed parts; fixed names come before generated ones.
fn sort_key(id: &ObjectId) -> (&str, &str, Option<&str>, bool, &str) {
    let generated = matches!(id.name, Name::Generated { .. });
    (&id.group, &id.kind, id.namespace.as_deref(), generated, id.name.text())
}

#[cfg(test)]
mod tests {
    use super::super::Origin;
    use super::*;
    use crate::source::{DocumentStart, SourceFile, SourceMap};
    use crate::tree::Node;

    fn object(group: &str, kind: &str, namespace: Option<&str>, name: &str) -> Object<'static> {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
        Object {
            id: ObjectId {
                group: group.into(),
                kind: kind.into(),
                namespace: namespace.map(Into::into),
                name: Name::Fixed(name.into()),
            },
            version: "v1".into(),
            tree: Node::default(),
            origin: Origin { document: DocumentStart { file, offset: 0 } },
            patched: Default::default(),
        }
    }

    #[test]
    fn finds_by_every_part_of_the_identity() {
        let set = ObjectSet::new(vec![
            object("", "Service", Some("b"), "web"),
            object("", "ConfigMap", None, "web"),
            object("apps", "Deployment", Some("a"), "web"),
            object("", "Service", Some("a"), "web"),
        ]);
        let found = set.find("", "Service", Some("b"), "web").map(|object| set.get(object).id.to_string());
        assert_eq!(found.as_deref(), Some("Service b/web"));
        assert_eq!(set.find("", "Service", None, "web"), None);
        assert_eq!(set.of_kind("", "Service").count(), 2);
        assert_eq!(set.of_kind("", "Secret").count(), 0);
    }
}
