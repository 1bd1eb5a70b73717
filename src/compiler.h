/* compiler.h - what we ask of gcc and clang beyond C11.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_COMPILER_H
#define MEMROUTE_COMPILER_H

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define EXPORT __attribute__((visibility("default")))

#if defined(__has_attribute)
# if __has_attribute(no_stack_protector)
#  define NO_STACK_PROTECTOR __attribute__((no_stack_protector))
# endif
#endif
#ifndef NO_STACK_PROTECTOR	/* gcc before 11 */
# define NO_STACK_PROTECTOR __attribute__((optimize("no-stack-protector")))
#endif

#if defined(__clang__)
# define NO_SANITIZE __attribute__((no_sanitize("address", "thread",	\
	"memory", "undefined")))
#else
# define NO_SANITIZE __attribute__((no_sanitize("address"),		\
	no_sanitize("thread"), no_sanitize("undefined")))
#endif

/*
 * Marks a function that may run before the library, or the runtime of an
 * instrumentation, is set up: no sanitizer, no stack protector, no -pg,
 * no coverage. Everything that the resolver or an exported function reaches
 * must be BARE, since the user's CFLAGS come after ours.
 */
#define BARE NO_SANITIZE NO_STACK_PROTECTOR				\
	__attribute__((no_instrument_function, no_profile_instrument_function))

/* A BARE function that must vanish into its callers. */
#define BARE_INLINE BARE static inline __attribute__((always_inline))

#endif
