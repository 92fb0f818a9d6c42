// SPDX-License-Identifier: GPL-2.0-only
/*
 * open() of a name that a pipe is attached to
 *
 * The file is one more on the pipe's end. Its inode is the name's, so that it
 * refers to the pipe by itself.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>

#include "streams/passfp/passfp.h"
#include "file.h"
#include "open.h"
#include "pipe.h"
#include "pipefs.h"

/* Makes a file the pipe's, with the reference of the caller. */
static void become(struct file *file, struct strpipe_end *end)
{
	file->private_data = end;
	*file_version(file) = 0;
	/*
	 * The other operations have the same owner, which keeps its reference.
	 */
	file->f_op = &strpipe_named_fops;
	stream_open(file_inode(file), file);
}

/* Undoes an open whose wait was interrupted. */
static int give_up(struct strpipe_end *end, fmode_t mode, int err)
{
	strpipe_closed(end, mode);
	strpipe_put(end->pipe);
	return err;
}

/*
 * Returns the number of files of the other side, which an opener that only
 * reads or only writes waits for.
 */
static unsigned int others(const struct strpipe_end *end, fmode_t mode)
{
	return mode == FMODE_READ ? READ_ONCE(end->writers) :
				    READ_ONCE(end->readers);
}

/**
 * strpipe_fifo_open() - open a FIFO by its name
 * @end: the FIFO's head
 * @file: the file being opened
 *
 * A reader waits for a writer, and a writer for a reader; O_RDWR waits for
 * neither. With O_NONBLOCK a reader does not wait, and records how many
 * writers had opened the FIFO, for poll().
 *
 * Return: 0; -ENXIO for O_WRONLY with O_NONBLOCK when there is no reader;
 * -ERESTARTSYS. POSIX.1-2001 open(), of a FIFO.
 */
int strpipe_fifo_open(struct strpipe_end *end, struct file *file)
{
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);
	struct strpipe *pipe = end->pipe;
	bool wait = !(file->f_flags & O_NONBLOCK);
	struct strpipe_openers seen;
	const unsigned int *theirs;
	unsigned int before;
	int err = 0;

	if (mode == FMODE_WRITE && !wait && !READ_ONCE(end->readers))
		return -ENXIO;
	/*
	 * Openers that open and close while this one waits count too. So do
	 * those present when this one is counted: they may close right
	 * afterwards.
	 */
	kref_get(&pipe->ref);
	seen = strpipe_opened_by_name(end, mode);
	theirs = &pipe->opens[mode == FMODE_READ];
	before = seen.opens[mode == FMODE_READ];
	if (!seen.both && wait)
		err = wait_var_event_interruptible(pipe->opens,
						   others(end, mode) ||
						   READ_ONCE(*theirs) != before);
	if (err)
		return give_up(end, mode, err);
	become(file, end);
	if (mode == FMODE_READ && !wait && !seen.both)
		*file_version(file) = before + 1ULL;
	return 0;
}

/* The interval of checks for room, where room wakes no waiter. */
#define CONNECT_RETRY	(HZ / 10)

/* Returns whether an end's other end can take a descriptor, or never will. */
static bool connect_ready(struct stream *sd)
{
	/*
	 * The look for room comes first: it also has writers woken when there
	 * is room again.
	 */
	bool room = str_writable(sd, 0);
	queue_t *q = str_rq(sd->sd_mate);

	return str_write_broken(sd) ||
	       (room && READ_ONCE(q->q_count) < READ_ONCE(q->q_hiwat) &&
		!READ_ONCE(sd->sd_mate->sd_flying));
}

/*
 * Sends an end of a new pipe to the server behind the name; waits for room.
 * Room made behind a module with a queue of its own wakes only that queue.
 */
static int connect_send(struct strpipe_end *end, struct file *server,
			struct str_accept *accept, bool wait)
{
	struct stream *sd = &end->sd;
	int err;

	for (;;) {
		err = str_sendfd(sd, server, accept);
		if (err != -EAGAIN || !wait)
			return err;
		if (signal_pending(current))
			return -ERESTARTSYS;
		if (wait_event_interruptible_timeout(sd->sd_wwait,
						     connect_ready(sd),
						     CONNECT_RETRY) < 0)
			return -ERESTARTSYS;
	}
}

static int connect_wait(struct str_accept *accept)
{
	int err = wait_for_completion_interruptible(&accept->done);

	if (err)
		return err;
	return READ_ONCE(accept->taken) ? 0 : -ENXIO;
}

/*
 * Opens a new pipe for an end with connld: the opener gets one end, and the
 * holder of the other end of @end is sent the other.
 */
static int connect_open(struct strpipe_end *end, struct file *file)
{
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);
	bool wait = !(file->f_flags & O_NONBLOCK);
	struct strpipe_end *mine;
	struct str_accept *accept;
	struct strpipe *pipe;
	struct file *server;
	int err = -ENOSR;

	accept = str_accept_alloc();
	if (!accept)
		return -ENOSR;
	pipe = strpipe_alloc(2);
	if (IS_ERR(pipe)) {
		err = PTR_ERR(pipe) == -ENOMEM ? -ENOSR : PTR_ERR(pipe);
		goto put_accept;
	}
	kref_get(&pipe->ref);
	mine = &pipe->end[1];
	mine->ino = get_next_ino();
	/* The file is counted before the server can check whether the other end is open. */
	strpipe_opened_by_name(mine, mode);
	server = strpipe_file(&pipe->end[0], O_RDWR, &strpipe_fops);
	if (IS_ERR(server)) {
		err = give_up(mine, mode, PTR_ERR(server));
		goto put_accept;
	}
	err = connect_send(end, server, accept, wait);
	fput(server);
	if (!err && wait)
		err = connect_wait(accept);
	if (err)
		give_up(mine, mode, err);
	else
		become(file, mine);
put_accept:
	str_accept_put(accept);
	return err;
}

/**
 * strpipe_duplex_open() - open an end of a duplex pipe by its name
 * @end: the end
 * @file: the file being opened
 *
 * Return: 0; -ENXIO when the other end is closed, or was before it took the
 * descriptor that connld sends it; -EAGAIN when its queue is full and the open
 * is not to wait; -EINVAL with connld when the end that would receive the descriptor has
 * a name; -ENOSR, -ERESTARTSYS.
 */
int strpipe_duplex_open(struct strpipe_end *end, struct file *file)
{
	unsigned int gone = STR_NOREADER | STR_NOWRITER;
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);

	if ((READ_ONCE(end->sd.sd_flag) & gone) == gone)
		return -ENXIO;
	if (READ_ONCE(end->connld))
		return connect_open(end, file);
	kref_get(&end->pipe->ref);
	strpipe_opened_by_name(end, mode);
	become(file, end);
	return 0;
}
