#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# sys/dlpi.h: the values compiled into programs

load common

@test "the values of primitives, states, errors and all else are the standard's" {
	for group in primitives states errors "provider values" "request values"; do
		"$HELPERS/dlpi-header" "$group"
	done
}

@test "the structures have the standard's sizes" {
	"$HELPERS/dlpi-header" sizes
	"$HELPERS/dlpi-header" "connection sizes"
}

@test "the fields stand where the standard has them" {
	"$HELPERS/dlpi-header" fields
}
