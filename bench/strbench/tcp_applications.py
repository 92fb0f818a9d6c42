# SPDX-License-Identifier: GPL-2.0-only
"""Unmodified programs over TCP on one host."""

import os
import random
import subprocess

from .applications import MIB, App

ADDRESS = "127.0.0.1"


def _pages(folder, scale):
    """nginx's configuration, a small page, and a file of MiB for each unit of the scale."""
    with open(os.path.join(folder, "nginx.conf"), "w", encoding="ascii") as f:
        f.write(f"daemon off;\nmaster_process off;\nuser root;\npid {folder}/pid;\n"
                f"error_log {folder}/error.log;\nevents {{}}\nhttp {{\n access_log off;\n"
                " keepalive_requests 1000000000;\n sendfile on;\n"
                + "".join(f" {kind}_temp_path {folder}/{kind};\n" for kind in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
                + f" server {{ listen {ADDRESS}:28080; root {folder}; }}\n}}\n")
    with open(os.path.join(folder, "page"), "wb") as f:
        f.write(random.Random(3).randbytes(612))
    with open(os.path.join(folder, "large"), "wb") as f:
        f.truncate(2 * CURL * max(1, int(1000 * scale)) * MIB)
    os.chmod(folder, 0o755)


# PostgreSQL does not run for root.
_POSTGRES = "setpriv --reuid postgres --regid postgres --clear-groups"


def _database(folder, _):
    """A database of 100,000 accounts."""
    os.chmod(folder, 0o777)
    script = (f"PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin); {_POSTGRES} sh -e -c '"
              "initdb -D data -A trust -N -E UTF8 --locale C; "
              "pg_ctl -D data -w -o \"-p 25432 -k $PWD -h 127.0.0.1\" start; "
              "pgbench -h 127.0.0.1 -p 25432 -i -q postgres; "
              "pg_ctl -D data -w stop' >prepare.log 2>&1")
    subprocess.run(["sh", "-c", script], cwd=folder, check=True)


_REDIS = "exec redis-server --port 26379 --bind 127.0.0.1 --save '' --appendonly no"
_NGINX = "exec nginx -c \"$PWD/nginx.conf\""
CURL = 1


def _redis(name, what, options):
    return App(name, what, ("redis-server", "redis-benchmark"),
               f"redis-benchmark -h 127.0.0.1 -p 26379 {options} -t set,get -d 3 -q "
               "-n $((COUNT / 2)) >log",
               None, _REDIS, -26379, unit="request", each=100, tcp=True)


APPS = [
    _redis("redis-one", "redis-benchmark, SET and GET of 3 bytes by one connection", "-c 1"),
    _redis("redis", "the same by 50 connections", "-c 50"),
    _redis("redis-pipelined", "the same by 50 connections, 16 requests at once", "-c 50 -P 16"),
    App("nginx", "ab gets a page of 612 bytes from nginx, by 4 connections that are kept",
        ("nginx", "ab"),
        "ab -q -k -c 4 -n $COUNT http://127.0.0.1:28080/page >log && "
        "grep -q 'Failed requests: *0$' log",
        _pages, _NGINX, -28080, unit="request", each=20, tcp=True),
    App("nginx-close", "the same, a connection for each request", ("nginx", "ab"),
        "ab -q -c 4 -n $COUNT http://127.0.0.1:28080/page >log && "
        "grep -q 'Failed requests: *0$' log",
        _pages, _NGINX, -28080, unit="request", each=10, tcp=True),
    App("iperf3-tcp", "iperf3, writes of 128 KiB", ("iperf3",),
        "iperf3 -c 127.0.0.1 -p 25201 -n ${COUNT}M >log",
        None, "exec iperf3 -s -p 25201 >/dev/null", -25201, unit="MiB", each=4, tcp=True),
    App("memcached", "memcslap gets values of memcached", ("memcached", "memcslap"),
        "memcslap --servers=127.0.0.1:21211 --concurrency=1 --test=get "
        "--execute-number=$COUNT >log",
        None, "exec memcached -l 127.0.0.1 -p 21211 -U 0 -t 1 -u root", -21211,
        unit="request", each=50, tcp=True),
    App("curl", "curl gets a large file from nginx", ("curl", "nginx"),
        "curl -s -S -f -r 0-$((COUNT * 1048576 - 1)) -o got http://127.0.0.1:28080/large && "
        "[ $(stat -c %s got) -eq $((COUNT * 1048576)) ] && rm got",
        _pages, _NGINX, -28080, unit="MiB", each=CURL, tcp=True),
    App("pgbench", "pgbench -S asks PostgreSQL", ("pgbench", "setpriv"),
        f"{_POSTGRES} pgbench -h 127.0.0.1 -p 25432 -n -S -t $COUNT postgres >log",
        _database,
        f"PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin) exec {_POSTGRES} postgres -D data "
        "-p 25432 -k \"$PWD\" -h 127.0.0.1",
        -25432, unit="request", each=20, tcp=True),
]
