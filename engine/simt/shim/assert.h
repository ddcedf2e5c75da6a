// assert of a kernel: ends the launch with a sentence. Like C's own it may be read again with another NDEBUG.
#pragma GCC system_header

#include "simt_block.h"

#undef assert
#ifdef NDEBUG
#define assert(...) static_cast<void>(0)
#else
#define SIMT_TEXT_OF(x) #x
#define SIMT_TEXT(x) SIMT_TEXT_OF(x)
#define assert(...) ((__VA_ARGS__) ? static_cast<void>(0) : simt_trap("assert(" #__VA_ARGS__ ") failed in line " SIMT_TEXT(__LINE__)))
#endif
