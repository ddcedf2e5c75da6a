#pragma once

#include "tests/views/written_run.hpp"
#include "views/overview/run_strips.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace gradus::testing {

/// Everything a frame needs, held together.
struct StripsStage {
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    StepIndex planned = 20;
    std::shared_ptr<const Run> full;
    Look look() const { return {runs, state, full, 0, planned, false}; }
};

inline StripsStage stage_of(const WrittenRun& written) {
    StripsStage stage;
    stage.runs = {written.write()};
    stage.planned = written.planned;
    stage.state.cursor.iteration = written.steps - 1;
    return stage;
}

/// Two forks: one that was edited and goes on, one that broke.
inline StripsStage forked() {
    WrittenRun first{.steps = 20, .planned = 20};
    StripsStage stage = stage_of(first);
    WrittenRun edited{.steps = 12, .planned = 20, .parent = stage.runs[0], .from = 8, .edits = {"break iteration 15", "W2[86, 7] = 3"}};
    WrittenRun broken{.steps = 9, .planned = 20, .loss = [](StepIndex i) { return i < 7 ? 1.0 : NAN; }, .parent = stage.runs[0], .from = 5, .edits = {"lr = 10"}};
    stage.runs.push_back(edited.write());
    stage.runs.push_back(broken.write());
    stage.state.run = 1;
    stage.state.cursor.iteration = 11;
    return stage;
}

inline std::unique_ptr<RunStrips> strips_of(const StripsStage& stage, QSize size, std::optional<StepIndex> prepared = {}) {
    auto strips = std::make_unique<RunStrips>(load_theme(ThemeMode::light), nullptr);
    strips->resize(size);
    strips->present(stage.look(), prepared);
    return strips;
}

} // namespace gradus::testing
