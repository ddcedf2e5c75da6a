#pragma once

#include "engine/trace/derive/event_tree.hpp"
#include "tests/views/sample_run.hpp"
#include "views/theatre/theatre_view.hpp"

#include <QTest>

namespace gradus::testing {

inline std::shared_ptr<const Run> run_of(const std::string& ladder, const std::string& rung, const std::string& sizes, const std::string& record = "all") {
    return run_of_experiment("run_kernel", {{"ladder", ladder}, {"rung", rung}, {"sizes", sizes}, {"record", record}}, 1);
}
/// With one block recorded.
inline std::shared_ptr<const Run> recorded_product() {
    static const auto run = run_of("matmul", "3_shared", "M=64,N=64,K=64", "block");
    return run;
}
inline std::shared_ptr<const Run> naive_transpose() {
    static const auto run = run_of("transpose", "1_naive", "rows=64,columns=64");
    return run;
}

/// The theatre on a run, with what the window does for it.
struct TheatreStage {
    explicit TheatreStage(std::shared_ptr<const Run> run, QSize size = {1100, 640}) : runs{std::move(run)}, tree(*runs[0], 0), view(load_theme(ThemeMode::light), nullptr) {
        view.resize(size);
        view.show();
        QObject::connect(&view, &View::eventChosen, [this](int ordinal) { go(ordinal); });
        QObject::connect(&view, &View::selected, [this](const Selection& selection) {
            state.selection = selection;
            frame();
        });
        frame();
    }
    void frame() {
        Look look{runs, state, runs[0], 1, 1};
        look.kernels = tree.kernels();
        look.draft = draft;
        view.present(look);
    }
    void go(std::int32_t ordinal) {
        const EventSite* site = tree.find(ordinal);
        state.cursor.ordinal = ordinal;
        state.cursor.level = site->level;
        frame();
    }
    void stand(std::string_view path) {
        const EventSite* site = tree.find(path);
        QVERIFY2(site, std::string(path).c_str());
        go(site->ordinal);
    }
    std::optional<ViewItem> item(const QString& id) const {
        for (const ViewItem& one : view.items())
            if (one.id == id) return one;
        return std::nullopt;
    }
    void click(const QString& id) {
        const auto one = item(id);
        QVERIFY2(one, qPrintable(id));
        QTest::mouseClick(&view, Qt::LeftButton, {}, one->rect.center().toPoint());
    }
    const TheatreModel& model() const { return view.picture().model; }
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    EventTree tree;
    std::shared_ptr<const KernelDraft> draft;
    TheatreView view;
};

} // namespace gradus::testing
