// SPDX-License-Identifier: GPL-2.0-only
/*
 * The settings of a module, as text
 *
 * I_STR with STRIO_PARAM sends MODULE:NAME=VALUE:NAME=VALUE. All of it is the user's.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <sys/strio.h>
#include <sys/strparam.h>
#include <sys/strsun.h>

/* Copies the data of an ioctl, as a string. Returns its length; -1 if it is too long. */
static int text_copy(const mblk_t *mp, char text[STRIO_PARAM_MOST + 1])
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	const mblk_t *bp;
	int n = 0;

	if (ioc->ioc_count > STRIO_PARAM_MOST || msgdsize(mp->b_cont) != ioc->ioc_count)
		return -1;
	for (bp = mp->b_cont; bp; bp = bp->b_cont) {
		if (bp->b_wptr <= bp->b_rptr)
			continue;
		memcpy(text + n, bp->b_rptr, MBLKL(bp));
		n += MBLKL(bp);
	}
	text[n] = '\0';
	return n;
}

/**
 * strparam_mine() - is it an ioctl with settings of this module?
 * @wq: the module's write queue
 * @mp: any message
 *
 * Context: any. Return: whether it is; otherwise the message is for other modules.
 */
bool strparam_mine(queue_t *wq, const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	const char *name = wq->q_qinfo->qi_minfo->mi_idname;
	char text[STRIO_PARAM_MOST + 1];
	size_t len = strlen(name);

	if (DB_TYPE(mp) != M_IOCTL || ioc->ioc_cmd != STRIO_PARAM || text_copy(mp, text) < 0)
		return false;
	return !strncmp(text, name, len) && text[len] == ':';
}
EXPORT_SYMBOL_GPL(strparam_mine);

/**
 * strparam_each() - take each setting of an ioctl
 * @mp: the M_IOCTL, which is this module's
 * @take: called for each; its first error ends that
 * @arg: handed to @take: a copy of the settings, so that all are set or none
 *
 * Context: any. Return: 0; EINVAL if the text is not of the form NAME=VALUE:NAME=VALUE; an
 * error of @take.
 */
int strparam_each(const mblk_t *mp, strparam_fn *take, void *arg)
{
	char text[STRIO_PARAM_MOST + 1], *rest = text, *value;
	int n = text_copy(mp, text), err = 0;

	/* A zero byte would hide what follows it. */
	if (n < 0 || strlen(text) != n)
		return EINVAL;
	/* The name of the module */
	strsep(&rest, ":");
	if (!rest)
		return EINVAL;
	while (!err && (value = strsep(&rest, ":"))) {
		const char *name = strsep(&value, "=");

		err = value ? take(arg, name, value) : EINVAL;
	}
	return err;
}
EXPORT_SYMBOL_GPL(strparam_each);

/**
 * strparam_answer() - answer an ioctl with settings
 * @wq: the write queue it arrived at
 * @mp: the M_IOCTL; consumed
 * @error: 0, or the error that the caller gets
 *
 * Context: any.
 */
void strparam_answer(queue_t *wq, mblk_t *mp, int error)
{
	if (error)
		miocnak(wq, mp, 0, error);
	else
		miocack(wq, mp, 0, 0);
}
EXPORT_SYMBOL_GPL(strparam_answer);

/* Returns by how much the letter behind a number multiplies it; 0: there is no such letter. */
static u64 letter_times(const char *letter)
{
	if (!*letter)
		return 1;
	if (letter[1])
		return 0;
	switch (*letter) {
	case 'k':
		return 1000;
	case 'M':
		return 1000 * 1000;
	case 'G':
		return 1000 * 1000 * 1000;
	default:
		return 0;
	}
}

/**
 * strparam_number() - read a number
 * @value: the digits, and k, M or G for thousands, millions or thousands of millions
 * @least: the least value
 * @most: the largest value
 * @n: receives it
 *
 * Context: any. Return: 0; EINVAL if it is not a number; ERANGE.
 */
int strparam_number(const char *value, u64 least, u64 most, u64 *n)
{
	size_t digits = strspn(value, "0123456789");
	u64 times = letter_times(value + digits), number;
	char copy[24];

	if (!digits || !times)
		return EINVAL;
	if (digits >= sizeof(copy))
		return ERANGE;
	memcpy(copy, value, digits);
	copy[digits] = '\0';
	if (kstrtou64(copy, 10, &number) || number > most / times || number * times < least)
		return ERANGE;
	*n = number * times;
	return 0;
}
EXPORT_SYMBOL_GPL(strparam_number);

/**
 * strparam_word() - read one of several words
 * @value: the word
 * @words: those that there are, and NULL
 * @n: receives its place among them
 *
 * Context: any. Return: 0; EINVAL if it is not in the list.
 */
int strparam_word(const char *value, const char *const *words, unsigned int *n)
{
	unsigned int i;

	for (i = 0; words[i]; i++) {
		if (!strcmp(words[i], value)) {
			*n = i;
			return 0;
		}
	}
	return EINVAL;
}
EXPORT_SYMBOL_GPL(strparam_word);
