// SPDX-License-Identifier: LGPL-2.1-or-later
/* text.c - text of others, such as the name of a command, which may be any bytes */
#include "text.h"

int text_utf8_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int len = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 :
		  *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;
	int i;

	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	/*
	 * These encodings are invalid: longer than need be, half of a pair of
	 * UTF-16, beyond Unicode.
	 */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

const char *text_next(const char *text, bool ascii, size_t *len)
{
	int bytes = text_utf8_len(text);
	/* The control characters of 0x80 to 0x9f are C2 80 to C2 9F. */
	bool control = (unsigned char)*text < ' ' || *text == '\177' ||
		       (bytes == 2 && *text == '\xc2' && (unsigned char)text[1] < 0xa0);

	*len = bytes ?: 1;
	return !bytes || control || (ascii && bytes > 1) ? "?" : text;
}

void text_print(const char *text, bool ascii, FILE *to)
{
	const char *shown;
	size_t len;

	for (; *text; text += len) {
		shown = text_next(text, ascii, &len);
		fwrite(shown, shown == text ? len : 1, 1, to);
	}
}
