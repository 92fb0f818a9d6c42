#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# sys/dlpi.h: the values compiled into programs

load common

@test "the values of primitives, states, errors and all else are the standard's" {
	"$HELPERS/dlpi-header" values
}

@test "the structures have the standard's sizes" {
	"$HELPERS/dlpi-header" sizes
}

@test "the fields stand where the standard has them" {
	"$HELPERS/dlpi-header" fields
}
