#include "views/state/view.hpp"

namespace gradus {

namespace {
bool is_hidden(const ViewItem& item, const Veil& veil) { return veil.hides(item.id) || veil.hidesAny(item.parts); }
} // namespace

void View::setVeil(const Veil& veil) {
    if (veil == veil_) return;
    veil_ = veil;
    update();
}

View::Hidden View::hidden() const {
    Hidden out;
    if (veil_.empty()) return out;
    for (const ViewItem& item : items()) {
        if (!is_hidden(item, veil_)) continue;
        if (sizesTell()) return {{contents()}, {contents()}};
        out.painted.push_back(item.hides.isNull() ? item.rect : item.hides);
        out.closed.push_back(item.hides.isNull() ? item.rect : item.rect.united(item.hides));
    }
    return out;
}

std::vector<ViewItem> View::readable() const {
    std::vector<ViewItem> out = items();
    const Hidden hidden = this->hidden();
    for (ViewItem& item : out) {
        // What stands inside something hidden tells of it too: a cell of a hidden tensor.
        const bool under = std::any_of(hidden.painted.begin(), hidden.painted.end(),
                                       [&](const QRectF& cover) { return cover.contains(item.rect.center()); });
        if ((under || is_hidden(item, veil_)) && !item.value.isEmpty()) item.value = QStringLiteral("?");
    }
    return out;
}

} // namespace gradus
