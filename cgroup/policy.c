// SPDX-License-Identifier: GPL-2.0-only
/*
 * policy.c - the rules and variables of strsock, as a policy for a cgroup
 *
 * The BPF program knows a task by its name alone, of at most 15 characters. Rules that name
 * a path are reported, and left out.
 */
#include <string.h>

#include "policy.h"
#include "variables.h"

#define NOT_HELD	"does not hold for sockets by --all or --cgroup, "

static const unsigned int kinds[RULES_KINDS] = {
	[RULES_UDP] = REDIRECT_UDP,
	[RULES_UDP6] = REDIRECT_UDP6,
	[RULES_TCP] = REDIRECT_TCP,
	[RULES_TCP6] = REDIRECT_TCP6,
};

/* A policy while the rules are read, and the kinds that they decide about */
struct draft {
	struct redirect_group *group;
	unsigned int open;
};

static bool add_rule(void *arg, const struct rules_rule *rule, struct conf_fault *fault)
{
	struct draft *draft = arg;
	struct redirect_group *group = draft->group;
	struct redirect_rule *to = &group->rules[group->nrules];
	size_t len = rule->program.len;
	unsigned int k, named = 0;

	for (k = 0; k < RULES_KINDS; k++)
		if (rule->matches[k])
			named |= kinds[k];
	named &= draft->open;
	if (!named)
		return true;
	fault->at = rule->program;
	fault->reason = NULL;
	if (memchr(rule->program.text, '/', len))
		fault->reason = NOT_HELD "which knows no paths:";
	else if (group->nrules == REDIRECT_RULES)
		fault->reason = NOT_HELD "which has room for 32 rules:";
	if (fault->reason)
		return false;
	/* The kernel cuts the name of a task as well. */
	if (len > REDIRECT_NAME - 1)
		len = REDIRECT_NAME - 1;
	memcpy(to->pattern, rule->program.text, len);
	to->kinds = named;
	to->streams = rule->provider == RULES_STREAMS ? named : 0;
	group->nrules++;
	return true;
}

/* Puts the kinds of a variable on STREAMS, whatever the rules say, or leaves them native. */
static void obey(const char *variable, unsigned int named, struct draft *draft)
{
	int said = variables_said(variable);

	if (said < 0)
		return;
	draft->open &= ~named;
	if (!said)
		draft->group->kinds &= ~named;
}

/**
 * policy_read - read the policy that strsock's variables and rules are
 * @group: the policy
 */
void policy_read(struct redirect_group *group)
{
	struct draft draft = { .group = group, .open = REDIRECT_ALL };

	*group = (struct redirect_group){ .kinds = REDIRECT_ALL };
	obey("STRSOCK_UDP", REDIRECT_UDP | REDIRECT_UDP6, &draft);
	obey("STRSOCK_TCP", REDIRECT_TCP | REDIRECT_TCP6, &draft);
	variables_rules(add_rule, &draft);
}
