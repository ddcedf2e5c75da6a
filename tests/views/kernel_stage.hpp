#pragma once

#include "engine/trace/derive/event_tree.hpp"
#include "tests/views/sample_run.hpp"
#include "views/state/view.hpp"

namespace gradus::testing {

/// A view on a Run of kernels, at an iteration and an event of it.
template <typename Shown> struct KernelStage {
    explicit KernelStage(std::shared_ptr<const Run> run, QSize size = {700, 460}) : runs{std::move(run)}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(size);
        view.show();
        state.cursor.iteration = 0;
        frame();
    }
    void frame() {
        if (!tree || shown != state.cursor.iteration) tree.emplace(*runs[0], shown = state.cursor.iteration); // kept while it holds, as in the window
        Look look{runs, state, runs[0], 1, 100};
        look.kernels = kernels = tree->kernels();
        view.present(look);
    }
    void go(StepIndex iteration, std::int32_t ordinal = -1) {
        state.cursor.iteration = iteration;
        state.cursor.ordinal = ordinal;
        frame();
    }
    const ViewItem* item(const QString& id) {
        items = view.items();
        for (const ViewItem& one : items)
            if (one.id == id) return &one;
        return nullptr;
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    std::optional<EventTree> tree;
    StepIndex shown = 0; ///< the iteration of the tree
    std::shared_ptr<const KernelEvents> kernels;
    Shown view;
    std::vector<ViewItem> items;
};

/// Three rungs of the product, of 64 × 64 matrices.
inline std::shared_ptr<const Run> climb() {
    static const auto run = run_of_experiment("climb_ladder", {{"ladder", "matmul"}, {"rungs", "1_naive,3_shared,5_tile_2d"}, {"sizes", "M=64,N=64,K=64"}, {"block", "16x16"}}, 3);
    return run;
}
/// One rung that does no arithmetic.
inline std::shared_ptr<const Run> transpose() {
    static const auto run = run_of_experiment("run_kernel", {{"ladder", "transpose"}, {"rung", "1_naive"}, {"sizes", "rows=64,columns=64"}, {"record", "block"}, {"record_block", "3"}}, 1);
    return run;
}
inline std::shared_ptr<const Run> product() {
    static const auto run = run_of_experiment("run_kernel", {{"ladder", "matmul"}, {"rung", "3_shared"}, {"sizes", "M=64,N=64,K=64"}, {"block", "16x16"}, {"architecture", "9.0"}}, 1);
    return run;
}

} // namespace gradus::testing
