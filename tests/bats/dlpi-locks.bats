#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Data links and the locks of network devices

load common
load streams
load netns
load dlpi

@test "frames that the host sends are sent on, there and back: no lock is taken inside another" {
	require_loaded testmux strlink
	left dlpi-locks ring
}
