#pragma once

#include <filesystem>

namespace gradus {

/// What a folder of the user's is for, by how much its loss would hurt.
enum class Keeps {
    data,  ///< $XDG_DATA_HOME, or ~/.local/share: what people made
    state, ///< $XDG_STATE_HOME, or ~/.local/state: what the next start goes on from
    cache, ///< $XDG_CACHE_HOME, or ~/.cache: what only saves time
};

/// This user's folder "gradus" for it; nothing is made there. A variable that names no absolute path counts for nothing;
/// without a home it is in the folder for temporary files. Source: the XDG Base Directory Specification.
std::filesystem::path user_folder(Keeps what);

/// $TMPDIR where that is a folder, else /tmp.
std::filesystem::path temporary_folder();

} // namespace gradus
