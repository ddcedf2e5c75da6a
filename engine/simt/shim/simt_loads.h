#pragma once
#pragma GCC system_header

// Loads and stores with a hint for the caches: plain ones. Macros, so that the access is the kernel's own, in its own line.

#include "simt_base.h"

template <class T>
using SimtValue = std::remove_cv_t<std::remove_reference_t<T>>;

#define SIMT_LOAD(...) static_cast<SimtValue<decltype(*(__VA_ARGS__))>>(*(__VA_ARGS__))
#define __ldg(...) SIMT_LOAD(__VA_ARGS__)
#define __ldca(...) SIMT_LOAD(__VA_ARGS__)
#define __ldcg(...) SIMT_LOAD(__VA_ARGS__)
#define __ldcs(...) SIMT_LOAD(__VA_ARGS__)
#define __ldcv(...) SIMT_LOAD(__VA_ARGS__)
#define __ldlu(...) SIMT_LOAD(__VA_ARGS__)

#define SIMT_STORE(pointer, ...) static_cast<void>(*(pointer) = (__VA_ARGS__))
#define __stwb(pointer, ...) SIMT_STORE(pointer, __VA_ARGS__)
#define __stcg(pointer, ...) SIMT_STORE(pointer, __VA_ARGS__)
#define __stcs(pointer, ...) SIMT_STORE(pointer, __VA_ARGS__)
#define __stwt(pointer, ...) SIMT_STORE(pointer, __VA_ARGS__)

// Which memory an address lies in is not the address's own here.
SIMT_QUIET size_t __cvta_generic_to_shared(const void* address) { return reinterpret_cast<size_t>(address); }
SIMT_QUIET size_t __cvta_generic_to_global(const void* address) { return reinterpret_cast<size_t>(address); }
