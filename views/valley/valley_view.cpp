#include "views/valley/valley_view.hpp"

#include "engine/core/error.hpp"
#include "views/derive/engine_words.hpp"
#include "views/derive/fan_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

using Kind = ObjectiveConstants::Kind;

namespace {
constexpr qint64 patience_ms = 1500; // for the branch that an edit makes
constexpr double beyond_plot = 1e5;  // pixels: what is painted there
} // namespace

ValleyView::ValleyView(const Theme& theme, QWidget* parent)
    : View(theme, valley_words::title(Kind::parabola), parent), fields_(&valley_field) {
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
}

void ValleyView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    layOut();
}

void ValleyView::retranslate() {
    setTitle(valley_words::title(scene_.kind));
    layOut();
}

void ValleyView::setVeil(const Veil& veil) {
    if (veil == this->veil()) return;
    View::setVeil(veil);
    if (veil.empty()) return;
    scene_.walk = {}; // the next look says how much of it may be seen
    scene_.landing.reset();
}

/// Constants are read again where one stands elsewhere: an edit may have changed them.
void ValleyView::readConstants(const Look& look) {
    const auto& run = look.run();
    if (run->head() == 0 && run->sites().size() == 0) return;
    const bool same_run = read_run_.lock() == run;
    if (same_run && read_full_.lock() == look.full && read_iteration_ == look.state.cursor.iteration) return;
    if (same_run && !look.full && constants_) return; // what the iteration held is being computed
    read_run_ = run;
    read_full_ = look.full;
    read_iteration_ = look.state.cursor.iteration;
    try {
        auto constants = objective_constants(look.full ? *look.full : *run, *run, read_iteration_);
        refusal_.clear();
        if (constants_ == constants) return;
        constants_ = std::move(constants);
        objective_.emplace(*constants_);
        scene_.kind = constants_->kind;
        scene_.field.reset();
        scene_.points.clear();
        for (std::size_t i = 0; i < constants_->x.size(); ++i) scene_.points.emplace_back(constants_->x[i], constants_->y[i]);
        setTitle(valley_words::title(scene_.kind));
    } catch (const Error& error) {
        constants_.reset();
        refusal_ = error.what();
    }
    layOut();
}

/// The line at the cursor, and how far the upright axis reaches: it holds the points and the lines that the walk starts with.
void ValleyView::readLine(const Look& look) {
    scene_.line.clear();
    if (scene_.kind != Kind::line) return;
    if (const auto& here = scene_.walk.here) {
        const auto y = objective_->line(here->w);
        for (std::size_t i = 0; i < y.size(); ++i) scene_.line.emplace_back(constants_->x[i], y[i]);
    }
    const auto [least, most] = std::minmax_element(constants_->y.begin(), constants_->y.end());
    std::array<double, 2> ends{*least, *most};
    for (const auto& start : valley_starts(*look.run(), ValleyNames::of(Kind::line)))
        for (const double y : objective_->line(start))
            if (std::isfinite(y)) ends = {std::min(ends[0], y), std::max(ends[1], y)};
    if (ends == ends_) return;
    ends_ = ends;
    layOut();
}

/// Where each future stands at its end: a place, or of a line its two ends, in pixels; at the edge what lies beyond it.
void ValleyView::readFan(const Look& look) {
    scene_.futures.clear();
    scene_.future_names.clear();
    if (!fan_) return;
    const auto names = ValleyNames::of(scene_.kind);
    for (const Future& future : fan_->futures) {
        auto& places = scene_.futures.emplace_back();
        if (!future.run || !future.done || future.run->head() == 0) continue;
        AppState state = look.state;
        state.cursor = {};
        state.cursor.iteration = future.run->head() - 1;
        state.run = 0;
        const std::vector<std::shared_ptr<const Run>> alone{future.run};
        const ValleyWalk walk = valley_walk(Look{alone, state, future.run}, names, {}, {});
        if (!walk.here) continue;
        const auto add = [&](double x, double y) {
            const QPointF pixel = geometry_.at(x, y);
            if (std::isnan(pixel.x()) || std::isnan(pixel.y())) return;
            const QRectF& plot = geometry_.plot;
            places.emplace_back(std::clamp(pixel.x(), plot.left(), plot.right()), std::clamp(pixel.y(), plot.top(), plot.bottom()));
        };
        if (scene_.kind == Kind::parabola) add(walk.here->w[0], walk.here->f);
        else if (scene_.kind == Kind::bowl) add(walk.here->w[0], walk.here->w[1]);
        else {
            std::vector<QPointF> line;
            const auto y = objective_->line(walk.here->w);
            for (std::size_t i = 0; i < y.size(); ++i) line.emplace_back(constants_->x[i], y[i]);
            if (const auto ends = ends_of(line); ends && std::abs(ends->dy()) < beyond_plot) {
                add(ends->x1(), ends->y1());
                add(ends->x2(), ends->y2());
            }
        }
    }
    scene_.chosen = fan_->chosen;
    scene_.now = -1;
    for (std::size_t i = 0; i < fan_->futures.size(); ++i) {
        scene_.future_names.push_back(future_name(*fan_, i));
        if (fan_->is_now(i)) scene_.now = static_cast<int>(i);
    }
}

void ValleyView::endDragOf(const ValleyWalk& walk) {
    if (!drag_ || !drag_->released) return;
    const bool there = walk.here && walk.here->w == drag_->to.w;
    if (there || released_.elapsed() > patience_ms) drag_.reset();
}

void ValleyView::present(const Look& look) {
    readConstants(look);
    if (!constants_) {
        setNote({});
        return;
    }
    const auto names = ValleyNames::of(scene_.kind);
    ValleyWalk walk = valley_walk(look, names, reach_here_.of(look.run(), look.state.cursor), veil());
    const bool was_held = scene_.held.has_value();
    endDragOf(walk);
    scene_.held = drag_ && drag_->moved ? std::optional(drag_->to) : std::nullopt;
    bool changed = !(walk == scene_.walk) || was_held != scene_.held.has_value();
    if (changed) {
        scene_.walk = std::move(walk);
        scene_.landing.reset();
        if (const auto& next = scene_.walk.next; next && scene_.kind == Kind::parabola && std::isfinite((*next)[0]))
            scene_.landing = objective_->at(std::span(next->data(), 1));
    }
    if (const double reach = round_reach(room_beyond(scene_.kind) * valley_reach(*look.run(), names)); !drag_ && reach != reach_) {
        reach_ = reach;
        layOut();
    }
    readLine(look);
    const bool had_fan = fan_.has_value();
    fan_ = look.fan && veil().empty() ? std::optional(*look.fan) : std::nullopt;
    readFan(look);
    ValleyWish wish{*constants_, reach_, 1, 1};
    if (scene_.kind == Kind::bowl) {
        wish.wide = geometry_.range.right;
        wish.high = geometry_.range.top;
    }
    if (!(wish == wanted_)) {
        wanted_ = wish;
        fields_.want(std::move(wish));
    }
    if (auto field = fields_.latest(); field && field != scene_.field && field->wish.constants == *constants_) {
        scene_.field = std::move(field);
        layOut();
    }
    if (scene_.walk.covered) setNote({});
    else if (fan_) setNote(valley_words::tr("%1 steps ahead").arg(fan_->horizon));
    else setNote(valley_words::tr("step %1").arg(look.state.cursor.iteration));
    if (changed || fan_ || had_fan) update();
}

void ValleyView::resizeEvent(QResizeEvent*) { layOut(); }

void ValleyView::layOut() {
    const QRectF area = contents();
    ValleyRange range;
    if (scene_.kind == Kind::parabola) range = {-reach_, reach_, 0, scene_.field ? scene_.field->top : 1};
    else if (scene_.kind == Kind::bowl) range = {-reach_, reach_, -reach_, reach_};
    else if (constants_) {
        const auto [least, most] = std::minmax_element(constants_->x.begin(), constants_->x.end());
        const double x = 0.04 * (*most - *least), y = 0.06 * (ends_[1] - ends_[0]);
        range = {*least - x, *most + x, ends_[0] - y, ends_[1] + y};
    }
    const auto readouts = valley_words::readouts(scene_.kind, {});
    geometry_ = lay_out_valley(area, scene_.kind, valley_text(scene_.kind, range), readout_rows(readouts, area.width()), sparse());
    geometry_.range = scene_.kind == Kind::bowl ? bowl_range(geometry_.plot, reach_) : range;
    update();
}

void ValleyView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!shows()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, engine_words(refusal_));
        return;
    }
    paint_valley(painter, scene_, geometry_, theme());
    if (!hover_ || fan_ || sparse() || (drag_ && !drag_->released && drag_->moved)) return;
    const std::vector<ViewItem> all = items();
    const ViewItem* found = nullptr;
    for (const ViewItem& item : all) // the smallest that is under the hand
        if (item.id != QLatin1String("line") && item.rect.adjusted(-3, -3, 3, 3).contains(*hover_) &&
            (!found || item.rect.width() * item.rect.height() < found->rect.width() * found->rect.height()))
            found = &item;
    if (!found) return;
    std::vector<ValueCardLine> lines{{found->name}};
    for (const QString& value : found->value.split(QStringLiteral(", "), Qt::SkipEmptyParts)) lines.push_back({value, true});
    if (found->id == QLatin1String("point")) lines.push_back({valley_words::tr("Drag it: a branch walks from where you leave it.")});
    paint_value_card(painter, lines, found->rect, QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

std::vector<ViewItem> ValleyView::items() const {
    std::vector<ViewItem> out;
    if (!shows()) return out;
    const ValleyWalk& walk = scene_.walk;
    const auto box = [](QPointF centre, double half) { return QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half); };
    if (fan_) {
        for (std::size_t i = 0; i < std::min(scene_.futures.size(), fan_->futures.size()); ++i)
            if (const auto& places = scene_.futures[i]; !places.empty())
                out.push_back({places.size() == 1 ? box(places[0], geometry_.dot + 2) : QRectF(places[0], places[1]).normalized(),
                               QStringLiteral("future %1").arg(i), future_name(*fan_, i), {}, Provenance::computed, Role::parameter});
        if (const auto& here = walk.here; here && scene_.kind != Kind::line)
            if (const QPointF pixel = scene_.kind == Kind::parabola ? geometry_.at(here->w[0], here->f) : geometry_.at(here->w[0], here->w[1]); geometry_.holds(pixel))
                out.push_back({box(pixel, geometry_.ring), QStringLiteral("point"), valley_words::tr("the point"), valley_words::place(scene_.kind, *here),
                               Provenance::computed, Role::parameter});
        return out;
    }
    QStringList series{QStringLiteral("loss")};
    for (const std::string& name : ValleyNames::of(scene_.kind).series) series << QString::fromStdString(name);
    const bool line = scene_.kind == Kind::line;
    const QString id = line ? QStringLiteral("line") : QStringLiteral("point");
    const QString name = line ? valley_words::tr("the line y = m·x + b") : valley_words::tr("the point");
    if (walk.covered) return {{geometry_.plot, id, name, QStringLiteral("?"), Provenance::computed, Role::parameter, series}};
    if (line) {
        if (const auto ends = ends_of(scene_.line); ends && walk.here)
            out.push_back({QRectF(geometry_.at(ends->x1(), ends->y1()), geometry_.at(ends->x2(), ends->y2())).normalized().intersected(geometry_.plot), id,
                           name, valley_words::place(scene_.kind, *walk.here), Provenance::computed, Role::parameter});
        for (std::size_t i = 0; i < scene_.points.size(); ++i)
            out.push_back({box(geometry_.at(scene_.points[i].x(), scene_.points[i].y()), geometry_.point), QStringLiteral("point %1").arg(i),
                           valley_words::tr("point %1").arg(i),
                           QStringLiteral("x = %1, y = %2").arg(valley_words::number(scene_.points[i].x()), valley_words::number(scene_.points[i].y())),
                           Provenance::computed, Role::data});
        return out;
    }
    const auto& point = scene_.point();
    if (!point) return out;
    const bool parabola = scene_.kind == Kind::parabola;
    const QPointF pixel = parabola ? geometry_.at(point->w[0], point->f) : geometry_.at(point->w[0], point->w[1]);
    const auto edge = geometry_.beyond(pixel);
    if (edge || geometry_.holds(pixel))
        out.push_back({edge ? box(edge->center(), 14) : box(pixel, geometry_.ring), id, name, valley_words::place(scene_.kind, *point), Provenance::computed,
                       Role::parameter});
    if (!walk.here) return out;
    const ValleyPlace& at = *walk.here;
    // A level line has no height, but one can point at it.
    const auto round_it = [&](const QLineF& shown) {
        return QRectF(shown.p1(), shown.p2()).normalized().adjusted(-4, -4, 4, 4).intersected(geometry_.plot.adjusted(-4, -4, 4, 4));
    };
    if (walk.slope && !edge) {
        const auto& slope = *walk.slope;
        const QLineF shown = parabola ? geometry_.tangent(at.w[0], at.f, slope[0]) : geometry_.uphill(at.w[0], at.w[1], slope[0], slope[1], walk.first_slope);
        out.push_back({round_it(shown), QStringLiteral("slope"), valley_words::tr("slope"), valley_words::slope(scene_.kind, slope),
                       Provenance::computed, Role::gradient, {QStringLiteral("dw")}});
    }
    if (walk.next && (parabola || !edge)) {
        const QLineF shown = parabola ? geometry_.update(at.w[0], (*walk.next)[0]) : QLineF(geometry_.at(at.w[0], at.w[1]), geometry_.at((*walk.next)[0], (*walk.next)[1]));
        out.push_back({round_it(shown), QStringLiteral("step"), valley_words::tr("update"),
                       valley_words::step(scene_.kind, at.w, *walk.next), Provenance::computed, Role::optimizer_state});
    }
    return out;
}

} // namespace gradus
