#pragma once

// DHYAN_ADDRESS_SANITIZER and DHYAN_THREAD_SANITIZER are defined in code that is compiled for these sanitizers. g++ and
// clang tell it in different ways.
#if defined(__SANITIZE_ADDRESS__)
#define DHYAN_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define DHYAN_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DHYAN_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define DHYAN_THREAD_SANITIZER
#endif
#endif
