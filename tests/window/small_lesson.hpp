// A small lesson on a small net, with something hidden, and a window that has run it.
#pragma once

#include "app/window/lesson_driver.hpp"
#include "app/window/main_window.hpp"
#include "app/window/stage.hpp"
#include "lessons/runtime/card.hpp"
#include "tests/support/show_active.hpp"
#include "views/graph/graph_widget.hpp"

#include <QTest>

namespace gradus::test {

constexpr int patience_ms = 30'000;

/// A small card with a veil on the loss, on a product and on a tensor; the rate makes the hidden numbers differ.
inline Library small_library(const std::string& rate, const std::string& veil) {
    Card card;
    card.id = "small";
    card.title = {"Small", "작은 카드"};
    card.question = {"How far?", "얼마나?"};
    card.experiment = "train_mlp";
    card.seed = 1;
    card.steps = 30;
    card.parameters = {{"data", "spirals"}, {"layers", "2,8,2"}, {"batch", "32"}, {"lr", rate}};
    card.views = {"graph", "series", "tensor"};
    card.lesson = {{{}, "first"}, {{"", StepIndex{5}, {}, "", {}, {}, {}}, "second"}};
    card.text = {"# Small\n\n## first\n\nOne idea, here. Another.\n\n## second\n\nLoss is {loss} now. Predict.\n",
                 "# 작은 카드\n\n## first\n\n생각 하나.\n\n## second\n\n예측하세요.\n"};
    Check check;
    check.id = "start";
    check.ask = {"From which loss does it start?", "손실은 얼마에서 시작할까요?"};
    check.why = {"{answer}.", "{answer}입니다."};
    check.question = "first_loss";
    check.options = {{"low", {"below 0.1", "0.1 미만"}, -1.0, 0.1}, {"high", {"0.1 or more", "0.1 이상"}, 0.1, 1000.0}};
    check.veil = {veil};
    Check number = check;
    number.id = "number";
    number.kind = Check::Kind::number;
    number.options.clear();
    number.digits = 2;
    card.checks = {check, number};
    Library library;
    library.cards = {card};
    return library;
}

/// Its window, running at so many steps a second from the first on.
inline std::unique_ptr<MainWindow> opened_at(double speed, const Library& library, const Parameters& parameters = {}, Progress* progress = nullptr) {
    AppState state;
    state.card = "small";
    state.speed = speed;
    state.reduce_motion = true;
    state.parameters = parameters;
    auto window = std::make_unique<MainWindow>(std::make_shared<const Library>(library), state, progress);
    window->resize(1280, 800);
    show_active(*window);
    return window;
}

/// The same, running as fast as it goes.
inline std::unique_ptr<MainWindow> opened_at_once(const Library& library, const Parameters& parameters = {}, Progress* progress = nullptr) {
    return opened_at(0, library, parameters, progress);
}

/// The same at step 5 of a part, with everything on stage.
inline std::unique_ptr<MainWindow> open(const std::string& rate, const std::string& veil, Progress* progress = nullptr, std::size_t part = 1) {
    auto window = opened_at_once(small_library(rate, veil), {}, progress);
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(window->session().run(0) && window->session().run(0)->state() == RunState::finished, patience_ms);
        window->frame();
        window->presenter().setCardStep(part);
        window->presenter().goTo(5);
        const auto* graph = window->stage().findChild<GraphWidget*>();
        QTRY_VERIFY_WITH_TIMEOUT(graph && graph->values() && graph->values()->iteration == 5, patience_ms);
        for (int i = 0; i < 5; ++i) window->frame();
    }();
    return window;
}

inline View* view(MainWindow& window, const std::string& id) {
    const auto& ids = window.stage().ids();
    return window.stage().views()[static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin())];
}

} // namespace gradus::test
