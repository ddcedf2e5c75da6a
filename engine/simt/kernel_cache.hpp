#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gradus::simt {

/// The user's folder for compiled kernels, made where it is not there. Where others may write to it, or this user may not, one in the folder for
/// temporary files, which nobody else may even read and no link leads to. What lies here is loaded. Throws FileError if there is neither.
std::filesystem::path kernel_cache();

/// A folder to work in towards the file `name`, beside it; it is gone with this. Those of processes that were killed go when one is made.
class WorkFolder {
public:
    explicit WorkFolder(const std::filesystem::path& name);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

/// Puts the file `made` under `name`, whole at once, with the hash of its bytes behind them, which neither the dynamic linker nor the compiler
/// minds. Throws FileError.
void keep(const std::filesystem::path& made, const std::filesystem::path& name);

/// Whether the file lies there as keep() left it. It then counts as used now.
bool is_kept(const std::filesystem::path& name);

/// What keep() was given, if is_kept(); else nothing.
std::string kept_text(const std::filesystem::path& name);

/// Removes what was not used for longest, until no more than so many bytes are left in the folder and those in it.
void thin_out(const std::filesystem::path& folder, std::uintmax_t most_bytes);

} // namespace gradus::simt
