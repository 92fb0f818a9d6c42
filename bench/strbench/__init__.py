# SPDX-License-Identifier: GPL-2.0-only
"""Measures STREAMS against the native kernel; bench/README.md tells how."""
