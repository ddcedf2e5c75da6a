// The parameters that a learner moves beside the text.
#include "app/window/lesson_driver.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/runtime/card.hpp"

#include <algorithm>

namespace gradus {

bool LessonDriver::isSetting(const std::string& name) { return name == "lr" || name == "momentum"; }

void LessonDriver::dragParameter(const QString& name, const QString& value) {
    const std::string key = name.toStdString();
    const Session& session = presenter_.session();
    const Setup& setup = session.setup();
    dragged_ = {name, value};
    try {
        if (isSetting(key)) return presenter_.preview(Edit::parse(key + " = " + value.toStdString()));
        if (key == "seed") return presenter_.previewAnew(setup.parameters, static_cast<std::uint64_t>(std::max<std::int64_t>(1, parse_integer(value.toStdString()).value_or(1))));
        Parameters changed = session.experiment().with(setup.parameters, key, value.toStdString());
        session.experiment().complete(changed);
        presenter_.previewAnew(changed, setup.seed);
    } catch (const Error&) { // it is said when it is let go
    }
}

void LessonDriver::commitParameter(const QString& name, const QString& value) {
    const std::string key = name.toStdString(), text = value.toStdString();
    refusals_.remove(name);
    try {
        if (isSetting(key)) {
            presenter_.submit(Edit::parse(key + " = " + text));
            return;
        }
        const Session& session = presenter_.session();
        if (key == "seed") {
            const auto seed = parse_integer(text);
            if (!seed || *seed < 1) throw ArgumentError("a seed is a whole number from 1");
            if (static_cast<std::uint64_t>(*seed) == session.setup().seed) return presenter_.endPreview();
            presenter_.change("parameter", [&](AppState& state) { state.seed = static_cast<std::uint64_t>(*seed); });
        } else {
            Parameters changed = session.experiment().with(session.setup().parameters, key, text);
            if (const auto& own = presenter_.state().parameters; own.contains("record_block") && key != "record_block" && key != "source")
                for (const char* recorded : {"record_block", "record_launch"}) changed[recorded] = "0"; // that one was looked at in the kernel there was
            session.experiment().complete(changed); // refuses what cannot be
            if (changed == session.setup().parameters) return presenter_.endPreview(); // so it is already: nothing is lost
            presenter_.change("parameter", [&](AppState& state) {
                for (const auto& [parameter, now] : changed)
                    if (session.setup().parameters.at(parameter) != now) state.parameters[parameter] = now;
            });
        }
        emit restartWanted();
    } catch (const Error& error) {
        presenter_.endPreview();
        refusals_[name] = error.what();
    }
}

void LessonDriver::showAsked() {
    const Check* check = current();
    if (!check || in_class_ || check->edit || check_state_ != StoryCheck::State::committed) return;
    const Session& session = presenter_.session();
    const Parameters now = session.setup().parameters;
    Parameters wanted = asked_parameters(*check, now);
    for (const char* recorded : {"record_launch", "record_block", "record_warp"}) // those were looked at in the kernel there was
        if (wanted.contains(recorded)) wanted[recorded] = "0";
    wanted = session.experiment().complete(wanted); // the engine has answered for these
    const Scene scene = check->scene;
    presenter_.change("parameter", [&](AppState& state) {
        for (const auto& [name, value] : wanted)
            if (now.at(name) != value) state.parameters[name] = value;
    });
    emit restartWanted();
    presenter_.lookAtScene(scene);
}

} // namespace gradus
