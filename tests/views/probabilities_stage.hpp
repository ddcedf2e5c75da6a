#pragma once

#include "tests/views/sample_run.hpp"
#include "views/probabilities/probabilities_view.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace gradus::testing {

/// Eight recorded steps of logits alone; made once.
std::shared_ptr<const Run> logits_run(int classes, int label = 0, const std::string& scale = "1");

/// The view in front of a Run, and what it says.
struct ProbabilitiesStage {
    explicit ProbabilitiesStage(std::shared_ptr<const Run> run, QSize size = {640, 480}, StepIndex iteration = 0)
        : runs{std::move(run)}, view(load_theme(ThemeMode::light), nullptr) {
        view.resize(size);
        view.show();
        state.cursor.iteration = iteration;
        QObject::connect(&view, &View::edited, [this](const Edit& edit) { edited.push_back(edit); });
        QObject::connect(&view, &View::dragged, [this](const Edit& edit) { dragged.push_back(edit); });
        QObject::connect(&view, &View::dragCancelled, [this] { ++cancelled; });
        QObject::connect(&view, &View::selected, [this](const Selection& selection) { selected.push_back(selection); });
        QObject::connect(&view, &View::numberWanted, [this](const Edit& now, double, const QRect&) { asked.push_back(now); });
        present();
    }
    void present() { view.present(Look{runs, state, runs[0], 1, 10, false}); }
    const ViewItem* item(const QString& id) {
        items = view.items();
        const auto at = std::find_if(items.begin(), items.end(), [&](const ViewItem& i) { return i.id == id; });
        return at == items.end() ? nullptr : &*at;
    }
    QPoint centre(const QString& id) { return item(id)->rect.center().toPoint(); }
    void move(QPoint to) {
        QMouseEvent event(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    ProbabilitiesView view;
    std::vector<ViewItem> items;
    std::vector<Edit> edited, dragged, asked;
    std::vector<Selection> selected;
    int cancelled = 0;
};

} // namespace gradus::testing
