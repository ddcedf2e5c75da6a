#pragma once

#include "views/story/story_view.hpp"

#include <QTest>

namespace gradus::testing {

inline StoryModel sample_story() {
    StoryModel model;
    model.title = "One gradient-descent step";
    model.question = "How far does a weight move?";
    model.parts = 3;
    model.text = "The loss is {loss}. Rate: {parameter:lr}. Layers: {parameter:layers}. Data: {parameter:data}.";
    model.numbers = {{"loss", {"0.448", Provenance::computed}}};
    model.parameters = {{"lr", "Learning rate η", StoryParameter::Kind::number, "0.10", 0.001, 10, true, "", {}, ""},
                        {"layers", "Layers", StoryParameter::Kind::widths, "784,10", 0, 0, false, "", {}, ""},
                        {"data", "Data", StoryParameter::Kind::choice, "xor", 0, 0, false, "", {{"xor", "XOR"}, {"spirals", "Spirals"}}, ""}};
    return model;
}

inline StoryCheck sample_check(StoryCheck::Kind kind = StoryCheck::Kind::choice) {
    StoryCheck check;
    check.id = "a";
    check.kind = kind;
    check.ask = "The loss is {loss}. It …";
    check.why = "Because it is $-\\eta g$.";
    if (kind != StoryCheck::Kind::number) check.options = {{"rises", "rises"}, {"falls", "falls"}, {"W1[0,:]", "row 0"}};
    check.count = 2;
    return check;
}

/// A column as it would stand in the window, shown.
struct Column {
    StoryView view{load_theme(ThemeMode::light)};
    explicit Column(const StoryModel& model, int width = 340, int height = 900) {
        view.resize(width, height);
        view.present(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
    template <class T> T* find(const char* name) const { return view.findChild<T*>(name); }
    void click(const char* name) const { QTest::mouseClick(find<QWidget>(name), Qt::LeftButton); }
};

} // namespace gradus::testing
