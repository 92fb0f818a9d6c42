// SPDX-License-Identifier: GPL-2.0-only
//! The ring of bytes of a pipe, and the wakeups at its ends (kmod/streams/head).

use loom::cell::UnsafeCell;
use loom::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering, Ordering::*};
use loom::sync::Arc;
use loom::thread;

const SIZE: usize = 2;
const BYTES: usize = 3;

struct Ring {
    bytes: [UnsafeCell<usize>; SIZE],
    head: AtomicUsize,
    tail: AtomicUsize,
}

impl Ring {
    fn new() -> Self {
        Ring {
            bytes: [UnsafeCell::new(0), UnsafeCell::new(0)],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }
}

/// A writer and a reader of one ring, with the orders of the two positions' stores.
fn fill_and_take(head: Ordering, tail: Ordering) {
    loom::model(move || {
        let ring = Arc::new(Ring::new());
        let writers = ring.clone();
        let writer = thread::spawn(move || {
            for byte in 0..BYTES {
                // ring_room(): without room the write ends here.
                if byte - writers.tail.load(Acquire) == SIZE {
                    return;
                }
                // ring_fill()
                writers.bytes[byte % SIZE].with_mut(|slot| unsafe { *slot = byte + 1 });
                writers.head.store(byte + 1, head);
            }
        });
        // ring_unread()
        for byte in 0..BYTES {
            if ring.head.load(Acquire) == byte {
                break;
            }
            let got = ring.bytes[byte % SIZE].with(|slot| unsafe { *slot });
            assert_eq!(got, byte + 1);
            // ring_freed()
            ring.tail.store(byte + 1, tail);
        }
        writer.join().unwrap();
    });
}

/// kmod/streams/head/ringcopy.h ring_fill() with ring.h ring_unread(): the bytes before the
/// position; wake.h ring_freed() with ring.h ring_room(): the bytes are read before a writer
/// overwrites them.
#[test]
fn ring_fill() {
    fill_and_take(Release, Release);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn ring_fill_without_release_of_head() {
    fill_and_take(Relaxed, Release);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn ring_fill_without_release_of_tail() {
    fill_and_take(Release, Relaxed);
}

/// A task that changes a position and looks for one that waits, and a task that waits: it is in
/// the list, sees no change, and sleeps until it is woken.
fn change_and_wait(barrier: bool) {
    loom::model(move || {
        let position = Arc::new(AtomicUsize::new(0));
        let waits = Arc::new(AtomicBool::new(false));
        let woken = Arc::new(AtomicBool::new(false));
        let (p, q, r) = (position.clone(), waits.clone(), woken.clone());
        let changer = thread::spawn(move || {
            p.store(1, Release);
            if barrier {
                fence(SeqCst);
            }
            if q.load(Relaxed) {
                r.store(true, Relaxed);
            }
        });
        // prepare_to_wait(), or poll_wait() with the barrier of str_poll()
        waits.store(true, Relaxed);
        fence(SeqCst);
        let sleeps = position.load(Acquire) == 0;
        changer.join().unwrap();
        assert!(!sleeps || woken.load(Relaxed), "the task is not woken");
    });
}

/// kmod/streams/head/wake.h ring_filled() and ring_freed(), with kmod/streams/call/poll.c
/// str_poll() and tasks in wait_event(): no task sleeps that missed the change.
#[test]
fn ring_filled() {
    change_and_wait(true);
}

#[test]
#[should_panic(expected = "the task is not woken")]
fn ring_filled_without_barrier() {
    change_and_wait(false);
}

/// A look at both positions of a full ring, while a reader makes room that a writer fills.
fn look_at_full(head_order: Ordering) {
    loom::model(move || {
        let ring = Arc::new(Ring::new());
        ring.head.store(SIZE, Relaxed);
        let (w, r) = (ring.clone(), ring.clone());
        let reader = thread::spawn(move || r.tail.store(1, Release));
        let writer = thread::spawn(move || {
            if w.tail.load(Acquire) == 1 {
                w.head.store(SIZE + 1, Release);
            }
        });
        // One round of the loop, which is repeated while the tail moves
        let tail = ring.tail.load(Acquire);
        let head = ring.head.load(head_order);
        if tail == ring.tail.load(Relaxed) {
            assert!(head - tail <= SIZE, "more bytes than the ring has");
        }
        writer.join().unwrap();
        reader.join().unwrap();
    });
}

/// A look at both positions of an empty ring, while a writer adds a byte that a reader takes
fn look_at_empty(tail_order: Ordering) {
    loom::model(move || {
        let ring = Arc::new(Ring::new());
        let (w, r) = (ring.clone(), ring.clone());
        let writer = thread::spawn(move || w.head.store(1, Release));
        let reader = thread::spawn(move || {
            if r.head.load(Acquire) == 1 {
                r.tail.store(1, Release);
            }
        });
        let tail = ring.tail.load(tail_order);
        let head = ring.head.load(Acquire);
        assert!(head >= tail, "fewer bytes than none");
        writer.join().unwrap();
        reader.join().unwrap();
    });
}

/// kmod/streams/head/ring.h ring_bytes(): the two positions are of one moment.
#[test]
fn ring_bytes() {
    look_at_full(Acquire);
    look_at_empty(Acquire);
}

#[test]
#[should_panic(expected = "more bytes than the ring has")]
fn ring_bytes_without_acquire_of_head() {
    look_at_full(Relaxed);
}

#[test]
#[should_panic(expected = "fewer bytes than none")]
fn ring_bytes_without_acquire_of_tail() {
    look_at_empty(Relaxed);
}

/// A writer that asks for room and sleeps if there is none, while a reader makes room that
/// another writer fills.
fn ask_for_room(head_first: bool) {
    loom::model(move || {
        let ring = Arc::new(Ring::new());
        ring.head.store(SIZE, Relaxed);
        let waits = Arc::new(AtomicBool::new(false));
        let woken = Arc::new(AtomicBool::new(false));
        let (r, q, s) = (ring.clone(), waits.clone(), woken.clone());
        let reader = thread::spawn(move || {
            r.tail.store(1, Release);
            fence(SeqCst);
            if q.load(Relaxed) {
                s.store(true, Relaxed);
            }
        });
        let w = ring.clone();
        let writer = thread::spawn(move || {
            if w.tail.load(Acquire) == 1 {
                w.head.store(SIZE + 1, Release);
            }
        });
        waits.store(true, Relaxed);
        fence(SeqCst);
        let (head, tail);
        if head_first {
            head = ring.head.load(Relaxed);
            fence(SeqCst);
            tail = ring.tail.load(Relaxed);
        } else {
            tail = ring.tail.load(Relaxed);
            head = ring.head.load(Relaxed);
        }
        // Never too small: not more used than the size, and what looks full was full.
        assert!(head - tail <= SIZE, "less room than none");
        let sleeps = head - tail == SIZE && tail == 0;
        reader.join().unwrap();
        writer.join().unwrap();
        assert!(!sleeps || woken.load(Relaxed), "the task is not woken");
    });
}

/// kmod/streams/head/ring.h ring_room_asked(): the head is read before the tail.
#[test]
fn ring_room_asked() {
    ask_for_room(true);
}

#[test]
#[should_panic(expected = "less room than none")]
fn ring_room_asked_with_tail_first() {
    ask_for_room(false);
}
