// SPDX-License-Identifier: MIT
// Whether this build has a sanitizer that maps terabytes of memory and makes calls of its own.
#ifndef SLV_TOOLS_SANITIZER_H
#define SLV_TOOLS_SANITIZER_H

#if defined(__has_feature)
#define SLV_HAS_FEATURE(name) __has_feature(name)
#else
#define SLV_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    SLV_HAS_FEATURE(address_sanitizer) || SLV_HAS_FEATURE(thread_sanitizer)
#define SLV_SANITIZED 1
#else
#define SLV_SANITIZED 0
#endif

#endif
