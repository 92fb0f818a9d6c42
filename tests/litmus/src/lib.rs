// SPDX-License-Identifier: GPL-2.0-only
//! Litmus tests of the kernel modules; see README.md and tests/.
