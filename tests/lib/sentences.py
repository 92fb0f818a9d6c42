# SPDX-License-Identifier: GPL-2.0-only
"""Finds comments of C whose first sentence is a fragment.

A fragment begins with an ellipsis, with a value and a colon, with a pronoun that nothing in
the comment explains, or with a preposition or conjunction but without a main clause after a
comma; or it has no finite verb, or none outside of its relative clauses. The rules are rough:
they are meant for the share of fragments in a folder.

Not read: comments behind code on their line, which name a value and its unit; the title of a
file; kernel-doc, which has a form of its own; and headings: a few words without a period.
A definition of data may have a noun without a verb.
"""

import dataclasses
import re
from typing import Iterator, List

# A comment, or a string, in which none begins
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|/\*.*?\*/', re.S)
# The licence and the title at the beginning of a file
HEAD = re.compile(r"(?://[^\n]*|/\* SPDX[^\n]*)?\s*(?:/\*.*?\*/)?", re.S)
HEADING = 6                     # words, at most
# A definition of data, which a noun describes
DATA = re.compile(r"\s*(?:(?:static|const|extern|typedef|volatile)\s+)*"
                  r"(?:#\s*define|\[\w+\]|struct\s+\w+\s*\{|union\s+\w*\s*\{|enum\b|"
                  r"DEFINE_|DECLARE_|"
                  r"[\w *]+?\b\w+(?:\[[^]]*\])*\s*(?:=|;|\{\s*$))", re.M)
MACRO = re.compile(r"\s*\\")
END = re.compile(r"(?<=[.;?!])\s|(?<=:)\s+(?=[A-Z])")
WORD = re.compile(r"[a-z][a-z0-9_'-]*|\.\.\.")
# Each of these words begins a clause, which has a verb of its own; "of that" does not.
RELATIVE = re.compile(r"(?<!of )(?<!in )(?<!to )(?<!on )(?<!at )(?<!for )(?<!from )(?<!with )"
                      r"(?<!before )(?<!after )\bthat\b(?![.,;:]|$)|\b(?:which|whose|whom|where)\b")

# A value and what it stands for, in place of a sentence
VALUE = re.compile(r"(?:False|false|True|true|NULL|-?\d+|-E[A-Z]+):")
PRONOUNS = frozenset("it they its their them none".split())
# These are bare unless a noun follows.
DETERMINERS = frozenset("this that these those both one ones each either neither such".split())
OPENERS = frozenset("""
    of as for by with without before after from in on at to until like beside besides because
    than since into onto about above below between during except under unless when whenever
    where while if though although lest whether how so or and but nor once""".split())
# After one of these a main clause may follow without a comma.
PREPOSITIONS = frozenset("""
    at with without before after from in on until between during by for of while when""".split())
# These are verbs, and nouns that may follow a determiner.
NOUNS = frozenset("act call copy end look note put report return run stay stop use wait".split())
# Finite forms of verbs; those in -s are also plurals of nouns, some of them.
FINITE = frozenset("""
    is are was were am has have had does do did can cannot could may might must shall should
    will would need isn't aren't wasn't doesn't don't can't won't didn't accepts acknowledges
    acts adds agrees allocates allows answers appends applies arrives asks attaches avoids
    becomes begins behaves belongs binds blocks breaks brings calls cancels carries changes
    charges checks chooses clears closes combines comes compares computes concerns connects
    consists contains continues converts copies costs counts covers creates cuts decides
    declares defines deletes delivers demands depends describes detaches differs discards drops
    embeds empties enables ends ensures enters erases evaluates excludes executes exists expects
    expires exports fails fetches fills finds fits flushes follows forbids forgets forms frees
    gathers gets gives guards handles hands happens helps hides holds identifies ignores
    includes indicates informs initialises inserts invokes joins keeps knows lacks lasts lays
    learns leaves lets lies lists loads locks looks loses makes marks matches matters means
    measures meets moves names needs obeys occurs offers opens orders outlives overflows
    overtakes overwrites owns passes picks places points polls prefers prepares prevents prints
    processes promises protects provides pulls puts pushes raises reaches reads receives records
    refers refuses registers rejects releases relies remains removes repairs repeats replaces
    reports represents requests requires resets resumes returns reuses reverses rewrites runs
    saves says searches seems sees selects sends separates serves sets shares shortens shows
    signals skips sleeps speaks splits stands starts states stays stops stores strips subtracts
    succeeds suffices sums supports takes tells terminates tests treats tries trims truncates
    turns undoes unhooks unlinks unlocks unmounts updates uses visits waits wakes walks wants
    warns wins withdraws wraps writes yields manages ranks limits gains grows consumes bars
    links escapes performs notes arrived asked began became called came caused changed chose
    closed counted dropped ended failed fell filled found freed gave got held kept knew left
    lost made met moved opened passed ran reached returned said saw sent set stood stopped took
    tried used waited woke went wrote call mean run make leave copy allocate fill return end see
    note stop keep let put take use act arrive belong come count differ exist follow pass remain
    report stay wait apply arms bypass compare contribute disconnects generates get hold lead
    logs look move overtake permits pops queues reach receive refer refuse release scales send
    share spare splices work works become exchanges restores kills obtains forks echoes sorts
    fitted crossed overlap rely know fail accepted released reset listed doubles transfers
    queued scale load unload""".split())


@dataclasses.dataclass(frozen=True)
class Comment:
    """A comment, by its first sentence."""
    line: int
    sentence: str
    data: bool                  # it describes a definition of data


def comments(text: str) -> Iterator[Comment]:
    """Yields the comments that stand on lines of their own."""
    head = HEAD.match(text)
    begin = head.end() if head else 0
    for token in TOKEN.finditer(text, begin):
        word = token[0]
        line = text.rfind("\n", 0, token.start()) + 1
        if not word.startswith("/*") or word.startswith("/**") or text[line:token.start()].strip():
            continue
        if MACRO.match(text, token.end()):
            continue            # it describes an item of a macro
        inner = re.sub(r"\n\s*\* ?", "\n", word[2:-2])
        # A list or drawing below the text has no sentences.
        paragraph = re.split(r"\n\s*\n|\n(?=\s*(?:@\w+:|[-*+] |\t))", inner.strip(), maxsplit=1)[0]
        flat = " ".join(paragraph.split())
        if flat.endswith((".", "!", "?", ":")) or len(flat.split()) > HEADING:
            yield Comment(text.count("\n", 0, token.start()) + 1, END.split(flat, maxsplit=1)[0],
                          bool(DATA.match(text, token.end())))


def finite(text: str) -> bool:
    """Returns whether a clause has a finite verb outside of its relative clauses."""
    words = WORD.findall(text.lower())
    return sum(word in FINITE for word in words) > len(RELATIVE.findall(text, 1))


def opening(sentence: str, words: List[str]) -> str:
    """Returns what is wrong with the first words of a sentence, or an empty string."""
    if sentence.startswith("..."):
        return "begins with an ellipsis"
    if VALUE.match(sentence):
        return "begins with a value"
    first = words[0] if words else ""
    bare = words[1:2] and words[1] in FINITE - NOUNS | OPENERS - {"of"} | DETERMINERS
    if first in PRONOUNS or first in DETERMINERS and bare:
        return f"begins with '{first}'"
    return ""


def fault(comment: Comment) -> str:
    """Returns why a comment is a fragment; empty: it is a sentence."""
    main = comment.sentence
    words = WORD.findall(main.lower())
    wrong = opening(main, words)
    if wrong or not words:
        return wrong
    first = words[0]
    if first in OPENERS:
        main = main.partition(",")[2]
        if not main and first in PREPOSITIONS and finite(" ".join(words[3:])):
            return ""
        if not main:
            return f"begins with '{first}' and has no main clause"
    return "" if comment.data or finite(main) else "has no finite verb"
