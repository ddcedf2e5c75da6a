#pragma once

#include "engine/simt/runtime/instruction.hpp"

#include <vector>

namespace gradus::simt {

/// By which calls a lane came to a function: numbers for chains of call sites. 0 is the kernel's own body.
class CallPaths {
public:
    static constexpr std::uint32_t most = 1u << (32 - Site::offset_bits);

    CallPaths() : chains_(1) {}

    /// The chain that goes on from `from` through the call at that offset; `most` when there are too many.
    std::uint32_t enter(std::uint32_t from, std::uint32_t call_offset) {
        for (const std::uint32_t next : chains_[from].nexts)
            if (chains_[next].calls.back() == call_offset) return next;
        if (chains_.size() == most) return most;
        Chain chain{chains_[from].calls, {}};
        chain.calls.push_back(call_offset);
        chains_.push_back(std::move(chain));
        const auto made = static_cast<std::uint32_t>(chains_.size() - 1);
        chains_[from].nexts.push_back(made);
        return made;
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(chains_.size()); }
    const std::vector<std::uint32_t>& calls(std::uint32_t path) const { return chains_[path].calls; } ///< outermost first

    /// Whether a comes before b in the code: at the first call at which their ways part, or within one function.
    bool before(Site a, Site b) const {
        if (a.path() == b.path()) return a.offset() < b.offset();
        const auto &one = chains_[a.path()].calls, &other = chains_[b.path()].calls;
        for (std::size_t i = 0;; ++i) {
            const std::uint32_t x = i < one.size() ? one[i] : a.offset(), y = i < other.size() ? other[i] : b.offset();
            if (x != y) return x < y;
            if (i >= one.size() || i >= other.size()) return one.size() < other.size();
        }
    }

private:
    struct Chain {
        std::vector<std::uint32_t> calls, nexts;
    };
    std::vector<Chain> chains_;
};

} // namespace gradus::simt
