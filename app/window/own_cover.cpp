#include "app/window/own_cover.hpp"

namespace gradus {

Veil covers_now(const LessonDriver& lesson, const AppState& state) {
    Veil veil = lesson.cover();
    if (state.hidden.empty()) return veil;
    if (veil.empty()) veil.from = state.cursor.iteration; // a loss is a curve, too: it ends where one stands
    veil.ids << QString::fromStdString(state.hidden);
    return veil;
}

bool toggle_own_cover(AppState& state) {
    if (state.hidden.empty() && state.selection.tensor.empty()) return false;
    state.hidden = state.hidden.empty() ? state.selection.tensor : std::string();
    return true;
}

} // namespace gradus
