#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Frames at full rate, by DLPI and by a packet socket at the same time
#
# bats file_tags=longdebug

load common
load streams
load netns
load dlpi

@test "5,000 frames: each is received as it was sent, or counted as lost" {
	left dlpi-capture some
}

# bats test_tags=slow
@test "100,000 frames" {
	left dlpi-capture all
}
