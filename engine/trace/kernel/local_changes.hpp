#pragma once

#include "engine/trace/kernel/kernel_log.hpp"

#include <optional>

namespace gradus {

/// Reads what changed in a thread's frames, one number after another. What does not fit gives nothing.
class LocalChanges {
public:
    struct Change {
        std::uint32_t word = 0;
        std::uint64_t mask = 0, value = 0; ///< of the word's bits, those that are told
    };
    LocalChanges(const std::vector<std::byte>& bytes, std::uint64_t at) : bytes_(&bytes), at_(at) {}
    std::optional<std::uint64_t> number();
    std::optional<Change> change();
    std::uint64_t at() const { return at_; }

private:
    const std::vector<std::byte>* bytes_;
    std::uint64_t at_;
};

/// Takes out the steps of threads that `drop` names, by block, rank and number; what changed there has changed by the thread's next.
struct DroppedStep {
    std::uint32_t block = 0, rank = 0;
    std::uint64_t number = 0;
    auto operator<=>(const DroppedStep&) const = default;
};
void drop_steps(KernelLog::Locals& locals, const std::vector<DroppedStep>& drop); ///< sorted

} // namespace gradus
