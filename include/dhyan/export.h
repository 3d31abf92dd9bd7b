#pragma once

// What libdhyan.so gives to others; all else stays hidden in it.
#if defined(__GNUC__)
#define DHYAN_EXPORT __attribute__((visibility("default")))
#else
#define DHYAN_EXPORT
#endif

// The API is in dhyan::v1, an inline namespace: you write dhyan::Translator. A release that breaks programs has another
// one, so that two versions do not mix unseen. The library's own sources have types of the same names in dhyan; there
// it is not inline, and they write dhyan::v1::Translator.
namespace dhyan {
#ifdef DHYAN_OWN_SOURCES
namespace v1 {}
#else
inline namespace v1 {}
#endif
}  // namespace dhyan
