# SPDX-License-Identifier: GPL-2.0-only
"""The machine measured on, and the kernel features that were enabled."""

import glob
import os
import platform
import re
import subprocess


def _read(path, default=""):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read().strip()
    except OSError:
        return default


def _cpu():
    found = re.search(r"^model name\s*:\s*(.*)$", _read("/proc/cpuinfo"), re.M)
    return found.group(1) if found else platform.machine()


def _mitigations():
    if re.search(r"\bmitigations=off\b", _read("/proc/cmdline")):
        return "off"
    on = []
    for path in sorted(glob.glob("/sys/devices/system/cpu/vulnerabilities/*")):
        text = _read(path)
        if text.startswith("Mitigation"):
            on.append(f"{os.path.basename(path)}: {text[len('Mitigation: '):]}")
    return "; ".join(on) or "none needed on this processor"


def _netfilter():
    modules = [name for name in ("nf_tables", "ip_tables", "nf_conntrack")
               if os.path.isdir(f"/sys/module/{name}")]
    if not modules:
        return "no rules (nf_tables, ip_tables and nf_conntrack not loaded)"
    try:
        rules = subprocess.run(["nft", "list", "ruleset"], capture_output=True, text=True,
                               timeout=20, check=False).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        rules = "?"
    return f"{', '.join(modules)} loaded; " + (
        "no nft rules" if not rules else f"{len(rules.splitlines())} lines of nft rules")


def _checksums():
    """Checksums that the loopback device omits are omitted for all protocols."""
    try:
        out = subprocess.run(["ethtool", "-k", "lo"], capture_output=True, text=True, timeout=20,
                             check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        out = ""
    found = re.search(r"^tx-checksumming:\s*(\w+)", out, re.M)
    return "on for all sockets and streams; tx offload of lo: " + (
        found.group(1) if found else "on (the kernel's default)")


def _modules():
    return [name for name in ("streams", "strpipe", "strudp", "strinet", "strsock", "timod",
                              "nullmod", "strfloor", "strpair")
            if os.path.isdir(f"/sys/module/{name}")]


def describe():
    """Facts as a dictionary of strings and numbers."""
    cpu = _cpu()
    return {
        "kernel": platform.release(),
        "kernel_version": platform.version(),
        "cpu": cpu,
        "processors": os.cpu_count(),
        "memory_mb": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
        "emulated": "TCG" in cpu,
        "mitigations": _mitigations(),
        "netfilter": _netfilter(),
        "checksums": _checksums(),
        "observer": "udp and xti-udp works but those named direct: a packet socket whose filter "
                    "takes nothing",
        "modules": _modules(),
        "cmdline": re.sub(r"\s*vm\.job=\S*", "", _read("/proc/cmdline")),
        "clocksource": _read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
    }
