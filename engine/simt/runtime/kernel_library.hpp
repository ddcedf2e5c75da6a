#pragma once

#include "engine/simt/runtime/launch.hpp"

#include <string>
#include <vector>

namespace gradus::simt {

/// A kernel's library (engine/simt/compile.hpp makes it), loaded into this process.
class KernelLibrary {
public:
    /// Throws FileError if it cannot be loaded or is not such a library.
    explicit KernelLibrary(const std::string& path);
    ~KernelLibrary();
    KernelLibrary(const KernelLibrary&) = delete;
    KernelLibrary& operator=(const KernelLibrary&) = delete;

    void attach(const SimtRuntime& runtime) const;
    SimtHooked& hooked() const; ///< throws FileError if it was compiled without hooks
    /// The i-th of the launches that it was made for.
    KernelEntry entry(int i) const;

    struct Segment {
        std::uint64_t begin = 0, bytes = 0;
    };
    Segment text() const { return text_; }
    const std::vector<Segment>& data() const { return data_; } ///< __device__ and __constant__ variables, text of messages
    Segment shared() const;                                    ///< of the thread that asks
    std::uint64_t base() const { return base_; }               ///< what is added to an address in the file

private:
    std::string path_;
    void* handle_ = nullptr;
    std::uint64_t base_ = 0, shared_bytes_ = 0;
    Segment text_;
    std::vector<Segment> data_;
};

} // namespace gradus::simt
