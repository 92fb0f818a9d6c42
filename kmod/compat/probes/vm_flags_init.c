// SPDX-License-Identifier: GPL-2.0-only
/* 6.3: the flags of a mapping are not written directly */
#include <linux/mm.h>

void probe(struct vm_area_struct *vma);
void probe(struct vm_area_struct *vma)
{
	vm_flags_init(vma, VM_IO);
}
