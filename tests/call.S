/* call.S - call a copy function with a known state, and note what is left.
 *
 * void *tests_call(copy_fn *copy, void *dst, const void *src, size_t n,
 *		    struct machine *machine)
 * Offsets as in struct machine, cases_machine.c.
 * SPDX-License-Identifier: BSD-3-Clause */

#if defined(__x86_64__) && defined(__LP64__)

#define FLAGS_BEFORE 0
#define HAS_XGETBV1 8
#define SAVED 16
#define FLAGS 64
#define UPPER 72
#define MXCSR_BEFORE 80
#define MXCSR 84
#define CONTROL_BEFORE 88
#define X87 92

	.text
	.globl tests_call
	.hidden tests_call
	.type tests_call, @function
tests_call:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	push %r8
	sub $32, %rsp
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	ldmxcsr MXCSR_BEFORE(%r8)
	fldcw CONTROL_BEFORE(%r8)
	cmpq $0, HAS_XGETBV1(%r8)
	je 1f
	vzeroupper
1:	mov %rdi, %rax
	mov %rsi, %rdi
	mov %rdx, %rsi
	mov %rcx, %rdx
	mov SAVED(%r8), %rbx
	mov SAVED+8(%r8), %rbp
	mov SAVED+16(%r8), %r12
	mov SAVED+24(%r8), %r13
	mov SAVED+32(%r8), %r14
	mov SAVED+40(%r8), %r15
	pushq FLAGS_BEFORE(%r8)
	popfq
	call *%rax
	pushfq
	mov 40(%rsp), %r8
	popq FLAGS(%r8)
	pushq $0x202		/* no trap, direction forward */
	popfq
	mov %rbx, SAVED(%r8)
	mov %rbp, SAVED+8(%r8)
	mov %r12, SAVED+16(%r8)
	mov %r13, SAVED+24(%r8)
	mov %r14, SAVED+32(%r8)
	mov %r15, SAVED+40(%r8)
	stmxcsr MXCSR(%r8)
	fnstenv X87(%r8)
	ldmxcsr (%rsp)
	fldcw 4(%rsp)
	cmpq $0, HAS_XGETBV1(%r8)
	je 2f
	mov %rax, %r9
	mov $1, %ecx
	xgetbv
	mov %rax, UPPER(%r8)
	vzeroupper
	mov %r9, %rax
2:	add $40, %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret
	.size tests_call, . - tests_call

/* uint64_t tests_upper_in_use(int dirty): xgetbv(1) after vzeroupper, or with
 * something in the upper half of ymm0. */
	.globl tests_upper_in_use
	.hidden tests_upper_in_use
	.type tests_upper_in_use, @function
tests_upper_in_use:
	vzeroupper
	test %edi, %edi
	jz 1f
	vpcmpeqb %xmm0, %xmm0, %xmm0
	vinsertf128 $1, %xmm0, %ymm0, %ymm0
1:	mov $1, %ecx
	xgetbv
	vzeroupper
	ret
	.size tests_upper_in_use, . - tests_upper_in_use

#endif

	.section .note.GNU-stack, "", @progbits
