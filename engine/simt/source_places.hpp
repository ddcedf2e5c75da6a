#pragma once

#include "engine/trace/kernel/value_kind.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gradus::simt {

/// A place in a kernel's source.
struct SourcePlace {
    std::string file; ///< as the compiler was given it
    int line = 0, column = 0; ///< 0: not known
    std::string function;
    bool operator==(const SourcePlace&) const = default;
};

/// A variable that all threads of a block, or of all blocks, share.
struct NamedVariable {
    std::string name;                    ///< as in the source
    std::uint64_t offset = 0, bytes = 0; ///< from where its memory begins; 0 bytes: as many as the launch gives it
    ValueKind kind = ValueKind::bits;    ///< of shared memory: of each of its numbers; bits: of several kinds, or not known
    std::vector<std::uint32_t> sizes = {}; ///< of an array; of one whose size the launch gives, 0
    int line = 0;                        ///< where shared memory is declared; 0: not known
};

/// What the debug information of a kernel's library says. Addresses are the file's.
class SourcePlaces {
public:
    /// Throws FileError if the library cannot be read. Without debug information every place is empty.
    explicit SourcePlaces(const std::string& library);
    ~SourcePlaces();
    SourcePlaces(const SourcePlaces&) = delete;
    SourcePlaces& operator=(const SourcePlaces&) = delete;

    /// Of a call that returns to this address: innermost first, then where each function was inlined into the one around it.
    std::vector<SourcePlace> at(std::uint64_t returns_to) const;
    /// From the beginning of shared memory, in their order.
    const std::vector<NamedVariable>& shared() const { return shared_; }
    /// __device__ and __constant__ ones, from the beginning of the library, in their order.
    const std::vector<NamedVariable>& module() const { return module_; }

private:
    struct Reader;
    std::unique_ptr<Reader> reader_;
    std::vector<NamedVariable> shared_, module_;
};

} // namespace gradus::simt
