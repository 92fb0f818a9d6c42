# SPDX-License-Identifier: GPL-2.0-only
# Streams of every kind, for tests of the tools that show them

require_demo() {
	require_modules pipe udp
	require_root
	require_loaded strecho strmux strcount
	require_nullmod
}

# with_streams COMMAND...: while streams of every kind are open
with_streams() {
	STRSOCK_BUILD=$STRSOCK_BUILD python3 "$STRSOCK_SRC/tests/demo/streams.py" "$@"
}
