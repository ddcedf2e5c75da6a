#include "views/state/view.hpp"

#include "views/state/cover_rects.hpp"

namespace gradus {

bool View::hides(const ViewItem& item) const { return veil_.hides(item.id) || veil_.hidesAny(item.parts); }

void View::setVeil(const Veil& veil) {
    if (veil == veil_) return;
    veil_ = veil;
    update();
}

View::Hidden View::hidden() const {
    Hidden out;
    if (veil_.empty()) return out;
    for (const ViewItem& item : items()) {
        if (!hides(item)) continue;
        if (sizesTell()) return {{contents()}, {contents()}};
        out.painted.push_back(item.hides.isNull() ? item.rect : item.hides);
        out.closed.push_back(item.hides.isNull() ? item.rect : item.rect.united(item.hides));
    }
    out.painted = tidy_covers(std::move(out.painted));
    return out;
}

std::vector<ViewItem> View::readable() const {
    std::vector<ViewItem> out = items();
    const Hidden hidden = this->hidden();
    for (ViewItem& item : out) {
        // What stands inside something hidden tells of it too: a cell of a hidden tensor.
        const bool under = std::any_of(hidden.painted.begin(), hidden.painted.end(),
                                       [&](const QRectF& cover) { return cover.contains(item.rect.center()); });
        if ((under || hides(item)) && !item.value.isEmpty()) item.value = QStringLiteral("?");
    }
    return out;
}

} // namespace gradus
