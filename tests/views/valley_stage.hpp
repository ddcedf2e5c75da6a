#pragma once

#include "tests/views/sample_run.hpp"
#include "views/valley/valley_view.hpp"

#include <QTest>
#include <memory>
#include <vector>

namespace gradus::testing {

/// The view in front of a descent.
struct ValleyStage {
    explicit ValleyStage(std::shared_ptr<const Run> run, int width = 640, int height = 480) : runs{run}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(width, height);
        view.show();
    }
    ValleyStage(const Parameters& parameters, StepIndex steps) : ValleyStage(run_of_experiment("descend", parameters, steps)) {}
    void frame() { view.present(Look{runs, state, runs[state.run], 1, 100, false}); }
    /// With the objective itself in the picture.
    bool settled() {
        for (int i = 0; i < 3000; ++i) {
            frame();
            const auto& field = view.scene().field;
            if (!view.shows() || (field && (view.scene().kind != ObjectiveConstants::Kind::bowl || field->wish.wide == view.layout().range.right))) return true;
            QTest::qWait(1);
        }
        return false;
    }
    const ViewItem item(const QString& id) const {
        for (const ViewItem& item : view.items())
            if (item.id == id) return item;
        return {};
    }
    QPoint point() const { return item("point").rect.center().toPoint(); }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    ValleyView view;
};

} // namespace gradus::testing
