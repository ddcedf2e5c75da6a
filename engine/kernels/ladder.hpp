#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace gradus {

/// CUDA's dim3.
struct Dim3 {
    int x = 1, y = 1, z = 1;
    bool operator==(const Dim3&) const = default;
    std::int64_t count() const { return std::int64_t{x} * y * z; }
};

/// What the elements of a buffer are in the kernel's source: float, __half, __nv_bfloat16, double, int, unsigned, long long,
/// signed char, unsigned char.
enum class ElementType : std::uint8_t { f32, f16, bf16, f64, i32, u32, i64, i8, u8 };

/// Bytes of one element.
constexpr std::size_t size_of(ElementType type) {
    switch (type) {
    case ElementType::f64:
    case ElementType::i64: return 8;
    case ElementType::f32:
    case ElementType::i32:
    case ElementType::u32: return 4;
    case ElementType::f16:
    case ElementType::bf16: return 2;
    case ElementType::i8:
    case ElementType::u8: return 1;
    }
    return 0;
}

/// A buffer in global memory, and what stands in it before the first launch.
struct KernelBuffer {
    enum class Fill : std::uint8_t {
        normal,  ///< standard normal, rounded to the type; times `scale`
        uniform, ///< in [0, scale)
        index,   ///< whole numbers in [0, scale)
        zero,
        garbage, ///< NaN, or the largest number of an integer type: who reads it before it was written is found out
    };
    std::string name = {}; ///< as the kernel's parameter is called
    ElementType type = ElementType::f32;
    std::vector<std::int64_t> sizes; ///< row-major; outermost first
    Fill fill = Fill::normal;
    double scale = 1;
    bool output = false; ///< compared with the reference's
    std::int64_t count() const {
        std::int64_t elements = 1;
        for (const std::int64_t size : sizes) elements *= size;
        return elements;
    }
};

/// The sizes of a problem by their names in the kernel: rows, n, …
using Problem = std::map<std::string, std::int64_t>;

/// Every element of every buffer as a number: what an fp32, an fp16 or an integer of up to 53 bits holds, exactly.
using KernelValues = std::map<std::string, std::vector<double>>;

/// One launch: kernel<<<grid, block, shared_bytes>>>(arguments).
struct KernelStep {
    /// A buffer's name, or a scalar of exactly the parameter's type.
    using Argument = std::variant<std::string, int, unsigned, long long, float, double>;
    std::string kernel; ///< as in a launch: "transpose_tiled<32>"
    Dim3 grid, block;
    std::int64_t shared_bytes = 0; ///< dynamic
    std::vector<Argument> arguments;
};

/// All launches of a rung, and the buffers that it needs beside the ladder's.
struct KernelPlan {
    std::vector<KernelBuffer> scratch;
    std::vector<KernelStep> steps;
};

/// What the head of a rung's file says of its accesses, for the ladder's default problem and the rung's first block.
struct Expected {
    enum class Access : std::uint8_t { load, store, atomic, branch };
    enum class Counter : std::uint8_t {
        sectors_per_request,    ///< global: distinct 32-byte sectors of a warp's request, on average
        wavefronts_per_request, ///< shared: 1 is free of conflicts for 4-byte accesses
        requests,               ///< warp instructions
        bytes,                  ///< that the lanes asked for
        active_lanes,           ///< of 32, on average
    };
    std::string buffer; ///< or the name of a __shared__ variable; of a branch, a piece of its line
    Access access = Access::load;
    Counter counter = Counter::sectors_per_request;
    double value = 0;
};

/// One kernel of a ladder: one idea, one file.
struct Rung {
    std::string id;    ///< "2_tiled": its file is engine/kernels/<ladder>/2_tiled.cu
    std::string title; ///< a few words
    std::vector<Dim3> blocks; ///< every shape that is legal for some problem; the first is the usual one
    std::function<KernelPlan(const Problem&, Dim3 block)> plan;
    /// ‖y − reference‖₂ ≤ tolerance · condition · ‖reference‖₂ for each output (Ladder::condition); 0: equal to the rounded reference.
    double tolerance = 0;
    int lowest = 75;      ///< compute capability times ten
    std::vector<Expected> expected = {};
    /// Whether its outputs have the bits of the engine's own fp32 op on a processor with fused multiply-adds: the same operations in the
    /// same order, each rounded alike.
    bool exact = false;
};

struct ProblemSize {
    std::string name;
    std::int64_t usual = 0;
    std::vector<std::int64_t> odd; ///< further sizes that every rung must get right, edges among them
};

/// Kernels that compute the same thing, from the plainest to the fastest. Rung 0 is the reference: plain C++ in double precision.
struct Ladder {
    std::string id; ///< its folder
    std::string title;
    std::vector<ProblemSize> sizes;
    std::function<std::vector<KernelBuffer>(const Problem&)> buffers = {};
    /// Fills the outputs from the inputs. Inputs are as the kernel sees them, rounded to their types.
    std::function<void(const Problem&, KernelValues&)> reference = {};
    /// By how much an output may err more than at the usual sizes, for what these very inputs make of the same roundings; at least 1, and 1
    /// without it. `values`: the inputs and the reference's outputs.
    std::function<double(const Problem&, const KernelValues& values, const std::string& output)> condition = {};
    /// Its kernels are about the ways that lanes go: each basic block is a step, also one that touches no memory.
    bool branches = false;
    std::vector<Rung> rungs = {};
};

/// All ladders, in the order in which one climbs them.
const std::vector<Ladder>& all_ladders();

/// How many pieces of that size cover so many: ⌈n / piece⌉.
constexpr int pieces(std::int64_t n, std::int64_t piece) { return static_cast<int>((n + piece - 1) / piece); }

/// Blocks of a grid whose threads go on in a loop, where a block takes so many elements in a round: 32, but as many as it takes for no thread
/// to have more than 64 rounds. So a small launch has a loop to show, and a large one fills a GPU of more than 32 multiprocessors.
constexpr int looping_blocks(std::int64_t n, std::int64_t round) { return std::min(pieces(n, round), std::max(32, pieces(n, 64 * round))); }

} // namespace gradus
