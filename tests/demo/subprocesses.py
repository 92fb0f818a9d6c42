# SPDX-License-Identifier: GPL-2.0-only
"""subprocesses.py CHILDREN BYTES: feed children and read what they answer."""
import hashlib
import subprocess
import sys

children, size = int(sys.argv[1]), int(sys.argv[2])

data = bytes(range(251)) * (size // 251 + 1)
answer = subprocess.run(["cat"], input=data[:size], stdout=subprocess.PIPE, check=True).stdout
print(len(answer), hashlib.sha256(answer).hexdigest())

for number in range(children):
    shell = subprocess.Popen(["tr", "a-z", "A-Z"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    print(shell.communicate(f"child {number}\n".encode())[0].decode(), end="")
