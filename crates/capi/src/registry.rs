//! The living objects. A handle looks like a pointer to C, and is a number that is looked up here: a handle that was freed, or
//! never was one, is found out, and nothing is read through it.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::failure::{Code, Failure};

/// What handles stand for.
pub(crate) trait Object: Any + Send + Sync {
    /// What it is called in messages.
    const NAME: &'static str;
}

/// All living objects, by number.
struct Registry {
    /// Numbers are not used again: a handle that was freed stays one that was freed.
    next: usize,
    living: BTreeMap<usize, Arc<dyn Any + Send + Sync>>,
}

static REGISTRY: RwLock<Registry> = RwLock::new(Registry { next: 1, living: BTreeMap::new() });

// Nothing panics while the registry is held: what is in it is whole.
fn read() -> RwLockReadGuard<'static, Registry> {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Registry> {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an object, and returns its handle.
pub(crate) fn insert<T: Object>(object: T) -> Result<*mut T, Failure> {
    let object = Arc::new(object);
    let mut registry = write();
    let number = registry.next;
    registry.next = number.checked_add(1).ok_or_else(|| {
        Failure::new(Code::INTERNAL, "there have been as many objects as there are addresses: start the program again")
    })?;
    registry.living.insert(number, object);
    Ok(std::ptr::without_provenance_mut(number))
}

/// The object of a handle. It lives on until its last user is done, even if the handle is freed meanwhile.
pub(crate) fn get<T: Object>(handle: *const T) -> Result<Arc<T>, Failure> {
    if handle.is_null() {
        return Err(Failure::new(Code::NULL_POINTER, format!("the handle of a {name} is NULL", name = T::NAME)));
    }
    let object = read().living.get(&handle.addr()).cloned();
    object.and_then(|object| object.downcast().ok()).ok_or_else(|| unknown(handle))
}

/// The object of a handle; nothing when it is NULL.
pub(crate) fn get_if_there<T: Object>(handle: *const T) -> Result<Option<Arc<T>>, Failure> {
    if handle.is_null() { Ok(None) } else { get(handle).map(Some) }
}

/// Forgets an object, which ends when its last user is done. NULL is no object, and nothing is done.
pub(crate) fn remove<T: Object>(handle: *const T) -> Result<(), Failure> {
    if handle.is_null() {
        return Ok(());
    }
    let mut registry = write();
    let is_it = registry.living.get(&handle.addr()).is_some_and(|object| object.is::<T>());
    let removed = if is_it { registry.living.remove(&handle.addr()) } else { None };
    // Whatever its end takes, others need not wait for it.
    drop(registry);
    removed.map(drop).ok_or_else(|| unknown(handle))
}

fn unknown<T: Object>(handle: *const T) -> Failure {
    let name = T::NAME;
    let text = format!(
        "{handle:?} is not the handle of a living {name}: it has been freed, or is another thing; use what tilebase returned, \
         until it is freed"
    );
    Failure::new(Code::BAD_HANDLE, text)
}

/// How many objects live.
pub(crate) fn count() -> usize {
    read().living.len()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Ball(&'static AtomicUsize);

    impl Object for Ball {
        const NAME: &'static str = "ball";
    }

    impl Drop for Ball {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[derive(Debug)]
    struct Cube;

    impl Object for Cube {
        const NAME: &'static str = "cube";
    }

    fn code<T>(done: Result<T, Failure>) -> Code {
        done.map_or_else(|failure| failure.code, |_| Code::OK)
    }

    #[test]
    fn a_handle_is_good_until_it_is_freed_and_never_again() {
        static DROPPED: AtomicUsize = AtomicUsize::new(0);
        let ball = insert(Ball(&DROPPED)).unwrap();
        let used = get(ball).ok().unwrap();
        assert_eq!(code(remove(ball)), Code::OK);
        assert_eq!(DROPPED.load(Ordering::Relaxed), 0, "somebody uses it");
        drop(used);
        assert_eq!(DROPPED.load(Ordering::Relaxed), 1);
        for _ in 0..100 {
            let other = insert(Ball(&DROPPED)).unwrap();
            assert_ne!(other, ball);
            assert_eq!((code(get(ball)), code(remove(ball))), (Code::BAD_HANDLE, Code::BAD_HANDLE));
            remove(other).unwrap();
        }
    }

    #[test]
    fn a_handle_of_another_type_and_any_other_address_are_refused() {
        let cube = insert(Cube).unwrap();
        assert_eq!(code(get(cube.cast::<Ball>())), Code::BAD_HANDLE);
        assert_eq!(code(remove(cube.cast::<Ball>())), Code::BAD_HANDLE);
        assert_eq!(code(get((&raw const REGISTRY).cast::<Cube>())), Code::BAD_HANDLE);
        assert_eq!(code(get(std::ptr::null::<Cube>())), Code::NULL_POINTER);
        assert_eq!(code(remove(std::ptr::null::<Cube>())), Code::OK);
        let text = get(std::ptr::without_provenance::<Cube>(usize::MAX)).unwrap_err().text;
        assert!(text.starts_with("0xffff") && text.contains("not the handle of a living cube"), "{text}");
        assert_eq!(code(remove(cube)), Code::OK);
    }

    #[test]
    fn of_many_threads_that_free_the_same_handle_one_does() {
        let cube = insert(Cube).unwrap().addr();
        let free = || code(remove(std::ptr::without_provenance::<Cube>(cube)));
        let freed: Vec<Code> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(free)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(freed.iter().filter(|&&code| code == Code::OK).count(), 1, "{freed:?}");
    }
}
