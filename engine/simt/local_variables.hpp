#pragma once

#include "engine/simt/runtime/frame_layout.hpp"
#include "engine/trace/kernel/local_variable.hpp"

#include <memory>
#include <string>

namespace gradus::simt {

/// The variables of a kernel and of the device functions that it calls, as debug information has them. Addresses are the file's. Those of
/// the shim's own functions are left out.
class LocalVariables {
public:
    /// Throws FileError if the library cannot be read. Without debug information there are none.
    explicit LocalVariables(const std::string& library);
    ~LocalVariables();
    LocalVariables(const LocalVariables&) = delete;
    LocalVariables& operator=(const LocalVariables&) = delete;

    /// Made once: what frames must be looked at for.
    const std::vector<FrameLayout>& frames() const { return frames_; }

    struct Seen {
        LocalVariable variable; ///< `at`: from where its function's frame begins
        bool later = false;     ///< it is declared further on: what stands there is not its value yet
    };
    /// Those that a call that returns to this address is in the scope of, innermost first.
    std::vector<Seen> at(std::uint64_t returns_to) const;

private:
    struct Reader;
    std::unique_ptr<Reader> reader_;
    std::vector<FrameLayout> frames_;
};

} // namespace gradus::simt
