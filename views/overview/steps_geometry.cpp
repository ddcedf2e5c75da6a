#include "views/overview/steps_geometry.hpp"

#include "views/derive/event_words.hpp"
#include "views/overview/overview_words.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using overview_words::tr;

double gap_of(double pitch) { return pitch >= 24 ? 4 : pitch >= 12 ? 2 : 1; }

void add_bands(StepsStrip& strip, const Look& look, StepWidths& widths, StepIndex iteration) {
    const StepWidths::Phases& phases = widths.phases(iteration);
    const auto& ordinals = widths.plan().phases();
    StepSlot slot{iteration, strip.slot_of(iteration), strip.bands.size(), 0};
    for (std::size_t i = 0; i < ordinals.size() && i < phases.extents.size(); ++i) {
        StepBand band;
        band.iteration = iteration;
        band.ordinal = ordinals[i];
        band.phase = widths.plan().site_of(*look.run(), ordinals[i]).phase;
        const Extent extent = phases.extents[i];
        const double left = slot.rect.left() + slot.rect.width() * extent.from;
        band.rect = QRectF(left, slot.rect.top(), slot.rect.left() + slot.rect.width() * extent.until - left,
                           slot.rect.height());
        band.kind = phases.kind;
        band.recorded = iteration < look.run()->head();
        if (i < phases.seconds.size()) band.seconds = phases.seconds[i];
        strip.bands.push_back(band);
        ++slot.bands;
    }
    strip.iterations.push_back(slot);
}

void place_cursor(StepsStrip& strip, const Look& look, StepWidths& widths) {
    const Cursor& cursor = look.state.cursor;
    const QRectF slot = strip.slot_of(cursor.iteration);
    strip.event = slot;
    if (widths.plan().has(cursor.ordinal)) {
        const Extent extent = widths.extents(cursor.iteration)[static_cast<std::size_t>(cursor.ordinal)];
        strip.event.setLeft(slot.left() + slot.width() * extent.from);
        strip.event.setRight(slot.left() + slot.width() * extent.until);
    }
    const double x = strip.event.center().x();
    strip.cursor = x >= strip.area.left() && x <= strip.area.right() ? x : -1;
    const QString place = event_place(*look.run(), widths.plan(), cursor.ordinal);
    strip.place = place.isEmpty() ? tr("step %1").arg(cursor.iteration)
                                  : QString::number(cursor.iteration) + QStringLiteral(" · ") + place;
}

/// The cursor's place comes first; the ends are written where they do not touch it.
void place_labels(StepsStrip& strip, const Look& look, const QRectF& labels) {
    const TextMetrics bold(text_font(metrics::small_text, QFont::DemiBold)), small(text_font(metrics::small_text)),
        number(mono_font(metrics::small_text));
    const auto box = [&](double left, double width) { return QRectF(left, labels.top(), width, labels.height()); };
    if (strip.cursor >= 0) {
        const double room = labels.width();
        strip.place = bold.elidedText(strip.place, Qt::ElideRight, room);
        const double width = std::min(std::ceil(bold.horizontalAdvance(strip.place)) + 2, room);
        strip.place_rect = box(std::clamp(strip.cursor - width / 2, labels.left(), std::max(labels.left(), labels.right() - width)), width);
    }
    const StepIndex last = std::max<StepIndex>(1, static_cast<StepIndex>(std::ceil(strip.window.until() - 1e-9))) - 1;
    strip.first = QString::number(static_cast<StepIndex>(std::floor(strip.window.first + 1e-9)));
    strip.last = last >= look.run()->head() ? tr("not yet run") : QString::number(last);
    const bool ahead = last >= look.run()->head();
    strip.first_rect = box(labels.left(), std::ceil(number.horizontalAdvance(strip.first)) + 2);
    const double width = std::ceil((ahead ? small : number).horizontalAdvance(strip.last)) + 2;
    strip.last_rect = box(labels.right() - width, width);
    const auto free = [&](const QRectF& rect) {
        return labels.contains(rect) && (strip.cursor < 0 || !rect.adjusted(-10, 0, 10, 0).intersects(strip.place_rect));
    };
    if (!free(strip.first_rect)) strip.first_rect = {};
    if (!free(strip.last_rect) || strip.last_rect.intersects(strip.first_rect)) strip.last_rect = {};
    const bool pale = std::any_of(strip.bands.begin(), strip.bands.end(), [](const StepBand& band) {
        return band.recorded && band.kind == StepWidths::Kind::typical;
    });
    if (!pale) return;
    // Beside the first number, or before the last.
    const double apart = 14, note = std::ceil(small.horizontalAdvance(tr("pale: not recorded; an ordinary step in its place"))) + 2;
    const double starts[] = {(strip.first_rect.isEmpty() ? labels.left() : strip.first_rect.right()) + apart,
                             (strip.last_rect.isEmpty() ? labels.right() : strip.last_rect.left()) - apart - note};
    for (const double start : starts) {
        const QRectF rect = box(start, note);
        if (!free(rect) || rect.intersects(strip.first_rect) || rect.intersects(strip.last_rect)) continue;
        strip.note = tr("pale: not recorded; an ordinary step in its place");
        strip.note_rect = rect;
        return;
    }
}

} // namespace

QRectF StepsStrip::slot_of(StepIndex iteration) const {
    const double pitch = window.count > 0 ? area.width() / window.count : area.width();
    const double left = area.left() + (static_cast<double>(iteration) - window.first) * pitch;
    return {left, area.top(), std::max(0.0, pitch - gap_of(pitch)), area.height()};
}

StepIndex StepsStrip::iteration_at(double x, StepIndex planned) const {
    const double share = area.width() > 0 ? std::clamp((x - area.left()) / area.width(), 0.0, 1.0) : 0.0;
    const auto iteration = static_cast<StepIndex>(std::floor(window.first + share * window.count));
    return std::clamp<StepIndex>(iteration, 0, std::max<StepIndex>(0, planned - 1));
}

const StepBand* StepsStrip::band_at(QPointF position) const {
    for (const StepBand& band : bands)
        if (position.x() >= band.rect.left() && position.x() < band.rect.right() && position.y() >= band.rect.top() &&
            position.y() < band.rect.bottom())
            return &band;
    return nullptr;
}

StepsStrip make_steps(const Look& look, const StepWindow& window, StepWidths& widths, const QRectF& area,
                      const QRectF& labels) {
    StepsStrip strip;
    strip.area = area;
    strip.window = window;
    if (area.width() < 1 || area.height() < 1) return strip;
    const auto first = static_cast<StepIndex>(std::floor(window.first + 1e-9));
    const auto until = std::min<StepIndex>(std::max<StepIndex>(1, look.planned),
                                           static_cast<StepIndex>(std::ceil(window.until() - 1e-9)));
    for (StepIndex iteration = std::max<StepIndex>(0, first); iteration < until; ++iteration)
        add_bands(strip, look, widths, iteration);
    if (look.run()->head() > 0) place_cursor(strip, look, widths);
    place_labels(strip, look, labels);
    return strip;
}

std::int32_t event_at(const StepPlan& plan, const Run& run, const std::vector<Extent>& extents, double share, Level level) {
    if (level < Level::phase || plan.iteration < 0) return -1;
    share = std::clamp(share, 0.0, 1.0);
    std::int32_t at = plan.iteration;
    for (;;) {
        std::int32_t inside = -1;
        for (const std::int32_t ordinal : plan.inner[static_cast<std::size_t>(at)]) {
            const Extent extent = extents[static_cast<std::size_t>(ordinal)];
            if (extent.length() <= 0 || plan.site_of(run, ordinal).level > level) continue;
            if (share >= extent.from && (share < extent.until || extent.until >= 1)) inside = ordinal;
        }
        if (inside < 0) return at == plan.iteration ? -1 : at;
        at = inside;
    }
}

} // namespace gradus
