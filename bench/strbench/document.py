# SPDX-License-Identifier: GPL-2.0-only
"""A document of headings, paragraphs, tables and pictures, as Markdown and HTML."""

import html

STYLE = ("body{font:15px/1.45 sans-serif;max-width:80em;margin:2em auto;padding:0 1em}"
         "table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #ccc;"
         "padding:.2em .6em;text-align:right}th:first-child,td:first-child{text-align:left}"
         "img{max-width:100%}pre{background:#f4f4f4;padding:1em;overflow:auto}")


class Document:
    """Blocks in order."""

    def __init__(self):
        self.blocks = []

    def heading(self, level, text):
        """A heading; level from 1."""
        self.blocks.append(("heading", level, text))

    def paragraph(self, text):
        """Running text."""
        self.blocks.append(("paragraph", text))

    def verbatim(self, text):
        """As it is."""
        self.blocks.append(("verbatim", text))

    def table(self, head, rows):
        """Rows of strings."""
        if rows:
            self.blocks.append(("table", [str(h) for h in head],
                                [[str(c) for c in row] for row in rows]))

    def picture(self, name, text):
        """NAME.svg, and NAME.png for viewers that cannot show it."""
        self.blocks.append(("picture", name, text))

    def markdown(self):
        """The document as Markdown."""
        out = []
        for kind, *block in self.blocks:
            if kind == "heading":
                out.append("#" * block[0] + " " + block[1])
            elif kind == "paragraph":
                out.append(block[0])
            elif kind == "verbatim":
                out.append("```\n" + block[0] + "\n```")
            elif kind == "picture":
                out.append(f"![{block[1]}]({block[0]}.svg)\n\n([PNG]({block[0]}.png))")
            else:
                head, rows = block
                lines = ["| " + " | ".join(row) + " |" for row in
                         ([c.replace("|", "\\|") for c in r] for r in [head, *rows])]
                lines.insert(1, "|" + "---|" * len(head))
                out.append("\n".join(lines))
        return "\n\n".join(out) + "\n"

    def html(self, title):
        """The document as one page of HTML."""
        out = [f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{html.escape(title)}"
               f"</title><style>{STYLE}</style>"]
        for kind, *block in self.blocks:
            if kind == "heading":
                out.append(f"<h{block[0]}>{html.escape(block[1])}</h{block[0]}>")
            elif kind == "paragraph":
                out.append(f"<p>{html.escape(block[0])}</p>")
            elif kind == "verbatim":
                out.append(f"<pre>{html.escape(block[0])}</pre>")
            elif kind == "picture":
                out.append(f'<p><a href="{block[0]}.png"><img src="{block[0]}.svg" '
                           f'alt="{html.escape(block[1])}"></a></p>')
            else:
                head, rows = block
                cells = "".join(f"<th>{html.escape(c)}</th>" for c in head)
                out.append(f"<table><tr>{cells}</tr>" + "".join(
                    "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>"
                    for row in rows) + "</table>")
        return "\n".join(out) + "\n</html>\n"
