// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends pseudo-random bytes through a pipe to standard output
 *
 * pipe-integrity BYTES			writes them, without a pipe
 * pipe-integrity BYTES WRITE READ	from a child by writes and reads of these
 *					sizes; 0: of all sizes up to 70000, mixed
 */
#include "pipe-check.h"

#define LARGEST	70000

/* Generates numbers by xorshift64, for the data and the sizes each. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t pick(size_t block, uint64_t *state)
{
	return block ? block : 1 + next(state) % (next(state) % 4 ? 5000 : LARGEST);
}

static void put(int fd, const char *buf, size_t len)
{
	while (len) {
		ssize_t n = write(fd, buf, len);

		if (n <= 0)
			broken("write");
		buf += n;
		len -= n;
	}
}

static void source(int fd, long long bytes, size_t block)
{
	static uint64_t words[LARGEST];
	uint64_t state = 88172645463325252ULL, sizes = 7;
	char *data = (char *)words;
	size_t at = sizeof(words), len;

	while (bytes) {
		len = pick(block, &sizes);
		if ((long long)len > bytes)
			len = bytes;
		if (at + len > sizeof(words)) {
			size_t left = sizeof(words) - at, i;

			/*
			 * The unsent bytes move to the front; the rest is
			 * filled again.
			 */
			memmove(data, data + at, left);
			at = -left & 7;
			memmove(data + at, data, left);
			for (i = (at + left) / 8; i < LARGEST; i++)
				words[i] = next(&state);
		}
		put(fd, data + at, len);
		at += len;
		bytes -= len;
	}
}

int main(int argc, char **argv)
{
	static char buf[LARGEST], out[1 << 18];
	long long bytes = argc > 1 ? atoll(argv[1]) : 0;
	size_t block, have = 0;
	uint64_t sizes = 99;
	ssize_t n;
	int fds[2];
	pid_t pid;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: pipe-integrity BYTES [WRITE READ]\n");
		return 2;
	}
	if (argc == 2) {
		source(STDOUT_FILENO, bytes, 65536);
		return 0;
	}
	block = atol(argv[3]);
	if (block > LARGEST || atol(argv[2]) > LARGEST) {
		fprintf(stderr, "pipe-integrity: blocks of at most %d bytes\n", LARGEST);
		return 2;
	}
	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		close(fds[0]);
		source(fds[1], bytes, atol(argv[2]));
		_exit(0);
	}
	close(fds[1]);
	while ((n = read(fds[0], buf, pick(block, &sizes))) > 0) {
		if (have + n > sizeof(out)) {
			put(STDOUT_FILENO, out, have);
			have = 0;
		}
		memcpy(out + have, buf, n);
		have += n;
	}
	put(STDOUT_FILENO, out, have);
	if (n < 0)
		broken("read");
	if (waitpid(pid, (int *)buf, 0) != pid || *(int *)buf)
		return 1;
	return 0;
}
