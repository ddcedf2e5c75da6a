#pragma once
#pragma GCC system_header

// Asynchronous copies from global to shared memory: the read happens at once, the bytes land when the thread waits for them.

#include "cuda_runtime.h"

/// Of `bytes`, 4, 8 or 16, the last `zeros` are not read but set to zero.
SIMT_QUIET void __pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global, size_t bytes, size_t zeros = 0) {
    if (bytes != 4 && bytes != 8 && bytes != 16) return simt_runtime->trap("__pipeline_memcpy_async copies 4, 8 or 16 bytes");
    if (zeros > bytes) return simt_runtime->trap("__pipeline_memcpy_async: more zeros than bytes");
    simt_runtime->copy_async(shared, global, static_cast<uint32_t>(bytes), static_cast<uint32_t>(zeros));
}
SIMT_QUIET void __pipeline_commit() { simt_runtime->commit(); }
/// Until all batches of this thread but so many of the newest have landed.
SIMT_QUIET void __pipeline_wait_prior(size_t batches) { simt_runtime->wait(static_cast<uint32_t>(batches)); }
