#include "app/window/step_words.hpp"

#include "views/derive/parameter_words.hpp"
#include "views/theme/numbers.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Undo", text); }

/// The parameter that is another afterwards, and its value then; the card's own has none written.
QString parameter_step(const AppState& before, const AppState& after) {
    if (before.seed != after.seed) {
        const QString name = parameter_words("seed");
        return after.seed > 0 ? name + QStringLiteral(" = ") + QString::number(after.seed) : name;
    }
    for (const auto& [name, value] : after.parameters) {
        const auto was = before.parameters.find(name);
        if (was == before.parameters.end() || was->second != value) {
            if (name == "source") return tr("another kernel"); // nobody reads a text of many lines here
            return parameter_words(name) + QStringLiteral(" = ") + with_minus(QString::fromStdString(value));
        }
    }
    for (const auto& [name, value] : before.parameters)
        if (!after.parameters.contains(name)) return parameter_words(name);
    return tr("a change");
}

} // namespace

QString step_words(std::string_view kind, const AppState& before, const AppState& after, const QString& change) {
    if (kind == "part") return after.card_step > before.card_step ? tr("next page") : tr("previous page");
    if (kind == "edit") return change.isEmpty() ? tr("a change") : change;
    if (kind == "parameter") return parameter_step(before, after);
    if (kind == "card") return tr("another lesson");
    if (kind == "run") return tr("another branch");
    if (kind == "drop") return tr("branch dropped");
    if (kind == "cursor" || kind == "event" || kind == "step" || kind == "prepared")
        return before.cursor.iteration == after.cursor.iteration ? tr("another place in the step") : tr("to step %1").arg(after.cursor.iteration);
    if (kind == "level") return tr("another level");
    if (kind == "selection") return tr("another tensor chosen");
    if (kind == "compared") return tr("another rung to compare with");
    if (kind == "example") return tr("another example");
    if (kind == "bookmark") return tr("bookmark");
    if (kind == "theme") return tr("light or dark");
    if (kind == "language") return tr("language");
    if (kind == "text size") return tr("text size");
    if (kind == "contrast") return tr("high contrast");
    if (kind == "motion") return tr("reduced motion");
    if (kind == "ruler") return tr("ruler");
    if (kind == "hidden") return tr("hidden tensor");
    if (kind == "paths") return tr("track");
    if (kind == "story") return tr("story");
    if (kind == "stage" || kind == "views" || kind == "module" || kind == "picture") return tr("another arrangement of views");
    return tr("a change");
}

} // namespace gradus
