// SPDX-License-Identifier: GPL-2.0-only
//! The perimeter, and the queues that it serves (kmod/streams/perim).

use loom::cell::UnsafeCell;
use loom::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering::*};
use loom::sync::Arc;
use loom::thread;

/// The owner, 0: none; the items in the inbox; and how often procedures have run, which only
/// the owner may change.
struct Perim {
    owner: AtomicUsize,
    inbox: AtomicUsize,
    ran: UnsafeCell<usize>,
}

impl Perim {
    fn new() -> Self {
        Perim {
            owner: AtomicUsize::new(0),
            inbox: AtomicUsize::new(0),
            ran: UnsafeCell::new(0),
        }
    }

    /// llist_add(), a full barrier
    fn deposit(&self) {
        fence(SeqCst);
        self.inbox.fetch_add(1, AcqRel);
        fence(SeqCst);
    }

    /// perim_take(): a full barrier on success
    fn take(&self) -> bool {
        if self.owner.load(Relaxed) != 0 {
            return false;
        }
        fence(SeqCst);
        let taken = self
            .owner
            .compare_exchange(0, 1, AcqRel, Relaxed)
            .is_ok();
        if taken {
            fence(SeqCst);
        }
        taken
    }

    /// perim_drop(): the exchange is a full barrier.
    fn drop_it(&self, barrier: bool) -> bool {
        if barrier {
            fence(SeqCst);
            self.owner.swap(0, AcqRel);
            fence(SeqCst);
        } else {
            self.owner.store(0, Release);
        }
        self.inbox.load(Relaxed) == 0 || !self.take()
    }

    /// perim_next() for all items
    fn handle(&self) {
        let items = self.inbox.swap(0, AcqRel);
        self.ran.with_mut(|ran| unsafe { *ran += items });
    }

    /// perim_put()
    fn put(&self, barrier: bool) {
        self.deposit();
        if self.take() {
            loop {
                self.handle();
                if self.drop_it(barrier) {
                    break;
                }
            }
        }
    }
}

fn two_callers(barrier: bool) {
    loom::model(move || {
        let perim = Arc::new(Perim::new());
        let other = perim.clone();
        let caller = thread::spawn(move || other.put(barrier));
        perim.put(barrier);
        caller.join().unwrap();
        assert_eq!(perim.owner.load(Relaxed), 0);
        assert_eq!(perim.inbox.load(Relaxed), 0, "an item is stranded");
        assert_eq!(perim.ran.with(|ran| unsafe { *ran }), 2);
    });
}

/// kmod/streams/perim/perim.c perim_take() and perim_drop(): one owner at a time, and no item
/// is stranded.
#[test]
fn perim_drop() {
    two_callers(true);
}

#[test]
#[should_panic(expected = "an item is stranded")]
fn perim_drop_without_barrier() {
    two_callers(false);
}

fn look_whether_idle(inbox_first: bool) {
    loom::model(move || {
        let perim = Arc::new(Perim::new());
        let done = Arc::new(AtomicBool::new(false));
        perim.inbox.store(1, Relaxed);
        let (other, effect) = (perim.clone(), done.clone());
        let owner = thread::spawn(move || {
            if other.take() {
                other.inbox.swap(0, AcqRel);
                effect.store(true, Relaxed);
                fence(SeqCst);
                other.owner.swap(0, AcqRel);
                fence(SeqCst);
            }
        });
        let idle = if inbox_first {
            let empty = perim.inbox.load(Relaxed) == 0;
            fence(Acquire);
            empty && perim.owner.load(Acquire) == 0
        } else {
            perim.owner.load(Acquire) == 0 && perim.inbox.load(Relaxed) == 0
        };
        assert!(!idle || done.load(Relaxed), "the item is not handled yet");
        owner.join().unwrap();
    });
}

/// kmod/streams/perim/perim.h perim_idle(): the inbox is read before the owner.
#[test]
fn perim_idle() {
    look_whether_idle(true);
}

#[test]
#[should_panic(expected = "the item is not handled yet")]
fn perim_idle_with_owner_first() {
    look_whether_idle(false);
}

fn enable_and_serve(barrier: bool) {
    loom::model(move || {
        let message = Arc::new(AtomicUsize::new(0));
        let scheduled = Arc::new(AtomicBool::new(true));
        let (m, s) = (message.clone(), scheduled.clone());
        // A message is queued, and the queue enabled: test_and_set_bit() is a full barrier.
        let putter = thread::spawn(move || {
            m.store(1, Relaxed);
            fence(SeqCst);
            s.swap(true, AcqRel);
            fence(SeqCst);
        });
        // item_serve()
        scheduled.store(false, Relaxed);
        if barrier {
            fence(SeqCst);
        }
        let seen = message.load(Relaxed) == 1;
        putter.join().unwrap();
        assert!(seen || scheduled.load(Relaxed), "the message is missed");
    });
}

/// kmod/streams/perim/perim.c item_serve(): the bit is cleared before the service procedure
/// looks.
#[test]
fn item_serve() {
    enable_and_serve(true);
}

#[test]
#[should_panic(expected = "the message is missed")]
fn item_serve_without_barrier() {
    enable_and_serve(false);
}
