#pragma once

#include "engine/backend/interface.h"

#include <memory>
#include <new>

namespace gradus::cpu {

/// Runs the fp32 kernel `call->inner` for a call with fp16 or bf16 arrays: each such input is widened to fp32 (exact), whatever
/// its strides, and each such output is rounded once, to nearest, ties to even. Arrays of other types are handed on as they are.
GradusStatus run_in_fp32(const GradusCall* call);

/// Where an opened backend keeps the widened arrays of a call; up to 16 MiB stay for the next one.
class WidenedMemory {
public:
    /// So many floats at a 64-byte boundary, with any contents; null where the system has none.
    float* at_least(std::int64_t floats);
    void trim();

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(float* data) const { ::operator delete(data, alignment); }
    };
    std::unique_ptr<float, Free> data_;
    std::int64_t size_ = 0; // floats
};

} // namespace gradus::cpu
