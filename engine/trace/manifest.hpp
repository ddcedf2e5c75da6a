#pragma once

#include "engine/core/clock.hpp"
#include "engine/core/ids.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace gradus {

/// What a Run was made from. Same manifest and input log, same computed and counted values.
struct Manifest {
    int format = 1;
    std::string experiment;                        ///< "train_mlp"
    std::map<std::string, std::string> parameters; ///< every parameter, as text
    std::uint64_t seed = 0;
    StepIndex planned_steps = 0;
    StepIndex observe_every = 1;
    std::string card; ///< id of the card it was opened from, or empty

    std::string device; ///< "cpu"
    std::string isa;    ///< "avx512"
    int threads = 1;    ///< changes no computed value
    std::string processor;
    std::string build;                            ///< version and compiler
    std::map<std::string, std::string> libraries; ///< name -> version
    std::string dataset;                          ///< "fashion-mnist"
    std::string dataset_hash;
    ClockScale clock;

    // A fork's origin; the parent's id is empty for a Run that starts at its own beginning.
    std::string parent;            ///< id of the Run it left
    StepIndex fork_iteration = 0;  ///< first iteration that is its own
    std::int64_t parent_edits = 0; ///< how many of the parent's edits (breakpoints aside) it began with
    std::string id;                ///< "run", "fork 1", …; unique in a file

    std::string to_json() const;
    /// Throws FileError naming `where` and the field that is missing or wrong.
    static Manifest from_json(const std::string& json, const std::string& where);
};

/// Name and version of this build, with the compiler.
std::string build_description();
std::map<std::string, std::string> library_versions();

} // namespace gradus
