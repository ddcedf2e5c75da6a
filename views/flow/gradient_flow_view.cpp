#include "views/flow/gradient_flow_view.hpp"

#include "engine/core/element_index.hpp"
#include "views/flow/flow_painter.hpp"
#include "views/flow/flow_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

using flow_words::tr;

GradientFlowView::GradientFlowView(const Theme& theme, QWidget* parent)
    : View(theme, flow_words::tr("Gradient flow"), parent),
      numbers_([](const FlowWish& wish, const std::atomic<bool>&) { return flow_numbers(wish); }),
      history_([this](const HistoryWish& wish, const std::atomic<bool>&) { return book_.look(wish.run, *wish.layers); }),
      checks_([](const CheckWish& wish, const std::atomic<bool>&) { return check_gradient(wish); }) {
    setMouseTracking(true);
}

void GradientFlowView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    changed();
}

void GradientFlowView::retranslate() {
    setTitle(flow_words::tr("Gradient flow"));
    layOut(); // names have their widths
}

void GradientFlowView::changed() {
    painted_.forget();
    update();
}

void GradientFlowView::layOut() {
    if (picture_.layers) picture_.geometry = lay_out_flow(*picture_.layers, contents(), !sparse() || picture_.check || picture_.checking, sparse() ? 17 : 14); // a class clicks nothing, and its text is higher
    scale(picture_);
    changed();
}

void GradientFlowView::present(const Look& look) {
    if (look.run() != run_ || !picture_.layers) {
        run_ = look.run();
        auto layers = gradient_layers(*run_);
        // A branch of the same net keeps what is on screen until its own numbers come.
        const bool same = picture_.layers && picture_.layers->size() == layers.size() &&
                          std::equal(layers.begin(), layers.end(), picture_.layers->begin(),
                                     [](const auto& a, const auto& b) { return a.module == b.module; });
        if (!same) {
            picture_.layers = layers.empty() ? nullptr : std::make_shared<const std::vector<GradientLayer>>(std::move(layers));
            picture_.numbers.reset();
        }
        picture_.history.reset();
        full_.reset();
        observed_.reset();
        history_.forget();
        forgetCheck();
        layOut();
    }
    if (!picture_.layers) return;
    const StepIndex last = std::max({look.planned, run_->head() - 1, StepIndex{1}});
    if (picture_.cursor != look.state.cursor.iteration || picture_.last_step != last) {
        picture_.cursor = look.state.cursor.iteration;
        picture_.last_step = last;
        changed();
    }
    if (picture_.selected != look.state.selection.tensor) {
        picture_.selected = look.state.selection.tensor;
        picture_.kind = GradientKind::weight;
        for (const GradientLayer& layer : *picture_.layers)
            for (std::size_t kind = 0; kind < gradient_kinds; ++kind)
                if (!picture_.selected.empty() && (layer.gradients[kind].name == picture_.selected || layer.gradients[kind].value == picture_.selected))
                    picture_.kind = static_cast<GradientKind>(kind);
        layOut();
    }
    lookAtNumbers(look);
    lookAtHistory();
    lookAtCheck(look);
    updateNote(look);
}

void GradientFlowView::lookAtNumbers(const Look& look) {
    const StepIndex iteration = look.state.cursor.iteration;
    if (look.full && (look.full != full_ || iteration != wanted_)) {
        full_ = look.full;
        wanted_ = iteration;
        numbers_.want({picture_.layers, look.full, iteration});
    }
    auto numbers = numbers_.latest();
    if (!numbers || numbers == picture_.numbers || numbers->layers != picture_.layers) return;
    picture_.numbers = std::move(numbers);
    layOut();
}

void GradientFlowView::lookAtHistory() {
    // An observed iteration counts once it is complete.
    const std::size_t observed = run_->observed().size();
    if (observed != observed_ && (observed == 0 || run_->observed()[observed - 1].iteration < run_->head())) {
        observed_ = observed;
        history_.want({run_, picture_.layers});
    }
    auto history = history_.latest();
    if (!history || history == picture_.history || history->run != run_) return;
    picture_.history = std::move(history);
    layOut();
}

void GradientFlowView::lookAtCheck(const Look& look) {
    CheckWish wish{look.full, run_, look.state.cursor.iteration, {}, look.state.selection.element};
    for (const GradientLayer& layer : *picture_.layers)
        for (const GradientKind kind : {GradientKind::weight, GradientKind::bias}) {
            const GradientSite& site = layer.of(kind);
            if (!picture_.selected.empty() && (site.name == picture_.selected || site.value == picture_.selected))
                wish.parameter = site.value;
        }
    if (wish.parameter.empty()) {
        if (!picture_.check && !picture_.checking) return;
        forgetCheck();
        layOut();
        return;
    }
    // It costs two forward passes, so it waits until the run stands still.
    if (look.full && !look.playing && !(wish == check_wish_)) {
        check_wish_ = wish;
        checks_.want(wish);
        if (!std::exchange(picture_.checking, true)) layOut();
    }
    auto check = checks_.latest();
    if (!check || check == picture_.check || !(check->wish == check_wish_)) return;
    picture_.check = std::move(check);
    picture_.checking = false;
    changed();
}

/// A check keeps the Run that it was made on.
void GradientFlowView::forgetCheck() {
    check_wish_ = {};
    checks_.forget();
    picture_.check.reset();
    picture_.checking = false;
}

void GradientFlowView::updateNote(const Look& look) {
    if (!look.full && (!picture_.numbers || picture_.numbers->iteration != look.state.cursor.iteration)) {
        setNote(tr("step %1 is computed again, %2 %").arg(look.state.cursor.iteration).arg(qRound(look.progress * 100)));
        return;
    }
    if (!picture_.numbers) return setNote({});
    QString note = tr("step %1").arg(picture_.numbers->iteration);
    const auto& layers = *picture_.layers;
    if (const auto ratio = flow_words::ratio_of_all(*picture_.numbers); ratio && width() >= 360)
        note = QStringLiteral("‖%1‖ ∕ ‖%2‖ = %3, ").arg(flow_words::gradient_name(layers.back().of(GradientKind::preactivation)),
                                                         flow_words::gradient_name(layers.front().of(GradientKind::preactivation)),
                                                         three_digits(*ratio)) + note;
    setNote(note);
}

void GradientFlowView::resizeEvent(QResizeEvent*) { layOut(); }

void GradientFlowView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!picture_.layers || (picture_.numbers && picture_.numbers->flow.empty())) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        if (run_)
            draw_paragraph(painter, contents(), Qt::AlignCenter,
                           picture_.layers ? tr("The tensors of this step are no longer kept.")
                                           : tr("This run has no backward pass, so no gradient flows."));
        return;
    }
    painted_.show(painter, *this, [this](QPainter& once) {
        paint_flow(once, picture_, theme());
        paint_check(once, picture_, theme());
    });
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowGeometry::Line& line : picture_.geometry.lines)
        if (!picture_.selected.empty() && (*picture_.layers)[line.layer].of(line.kind).name == picture_.selected)
            paint_flow_outline(painter, line.bar.adjusted(-3, -3, 3, 3), theme(), 2);
    if (hovered_) paintHover(painter);
}

void GradientFlowView::paintHover(QPainter& painter) const {
    if (!picture_.numbers) return;
    const QRectF bounds = QRectF(rect()).adjusted(8, 8, -8, -8);
    if (picture_.geometry.check.contains(hover_) && picture_.check && picture_.check->refusal.empty())
        return paint_value_card(painter, flow_words::check_card(*picture_.check), picture_.geometry.check, bounds, theme());
    if (const auto bin = binAt(hover_)) {
        const auto& row = picture_.geometry.rows[bin->first];
        const LogHistogram& sizes = *picture_.flow(row.layer)->sizes[static_cast<std::size_t>(picture_.kind)];
        const QRectF rect = picture_.bin_rect(row, sizes, bin->second);
        const auto edge = [&](std::size_t i) { return std::pow(10.0, (sizes.first + static_cast<double>(i)) / LogHistogram::bins_per_decade); };
        paint_flow_outline(painter, rect.adjusted(-1, -1, 1, 1), theme(), 1);
        paint_value_card(painter,
                         {{flow_words::gradient_name((*picture_.layers)[row.layer].of(picture_.kind))},
                          value_line(tr("%1 of %2 numbers").arg(sizes.counts[bin->second]).arg(sizes.elements), Provenance::counted),
                          {tr("of a size from %1 to %2").arg(three_digits(edge(bin->second)), three_digits(edge(bin->second + 1)))},
                          {tr("Click checks one of them.")}},
                         rect, bounds, theme());
        return;
    }
    const FlowGeometry::Line* line = picture_.geometry.line_at(hover_);
    if (!line) return;
    const bool update = line->update.contains(hover_);
    const QRectF rect = update ? line->update : line->bar;
    paint_flow_outline(painter, rect.adjusted(-3, -3, 3, 3), theme(), 1);
    paint_value_card(painter, update ? flow_words::update_card(*picture_.numbers, line->layer, line->kind)
                                     : flow_words::gradient_card(*picture_.numbers, line->layer, line->kind),
                     rect, bounds, theme());
}

std::optional<std::pair<std::size_t, std::size_t>> GradientFlowView::binAt(QPointF point) const {
    for (std::size_t i = 0; i < picture_.geometry.rows.size(); ++i) {
        const FlowGeometry::Row& row = picture_.geometry.rows[i];
        if (!row.sizes.contains(point)) continue;
        const LayerFlow* flow = picture_.flow(row.layer);
        const auto kind = static_cast<std::size_t>(picture_.kind);
        if (!flow || !flow->sizes[kind]) return std::nullopt;
        const LogHistogram& sizes = *flow->sizes[kind];
        for (std::size_t bin = 0; bin < sizes.counts.size(); ++bin) {
            const QRectF rect = picture_.bin_rect(row, sizes, bin);
            if (sizes.counts[bin] > 0 && point.x() >= rect.left() && point.x() <= rect.right()) return {{i, bin}};
        }
    }
    return std::nullopt;
}

void GradientFlowView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    hovered_ = true;
    if (event->buttons() & Qt::LeftButton) mousePressEvent(event);
    update();
}

void GradientFlowView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

void GradientFlowView::mousePressEvent(QMouseEvent* event) {
    if (!picture_.layers) return;
    const QPointF at = event->position();
    const FlowGeometry::Row* row = picture_.geometry.row_at(at);
    if (row && row->steps.contains(at)) {
        const QRectF plot = picture_.curve_area(*row);
        const double share = std::clamp((at.x() - plot.left()) / plot.width(), 0.0, 1.0);
        emit cursorMoved(std::llround(share * static_cast<double>(picture_.last_step)));
        return;
    }
    if (event->type() != QEvent::MouseButtonPress) return; // only steps are dragged over
    if (const auto bin = binAt(at)) {
        const auto& chosen = picture_.geometry.rows[bin->first];
        const GradientSite& site = (*picture_.layers)[chosen.layer].of(picture_.kind);
        const LogHistogram& sizes = *picture_.flow(chosen.layer)->sizes[static_cast<std::size_t>(picture_.kind)];
        emit selected({site.name, index_of(site.shape, sizes.example[bin->second])});
    } else if (const FlowGeometry::Line* line = picture_.geometry.line_at(at)) {
        emit selected({(*picture_.layers)[line->layer].of(line->kind).name, {}});
    }
}

std::vector<ViewItem> GradientFlowView::items() const {
    std::vector<ViewItem> out;
    if (!picture_.layers || !picture_.numbers) return out;
    for (const FlowGeometry::Line& line : picture_.geometry.lines) {
        const GradientSite& site = (*picture_.layers)[line.layer].of(line.kind);
        const LayerFlow* flow = picture_.flow(line.layer);
        if (!flow) continue;
        const auto kind = static_cast<std::size_t>(line.kind);
        out.push_back({line.rect, QString::fromStdString(site.name), tr("norm of %1").arg(flow_words::gradient_name(site)),
                       flow_words::number(flow->norms[kind]), Provenance::computed, Role::gradient});
        if (!line.update.isNull() && flow->updates[kind])
            out.push_back({line.update, QString::fromStdString(site.value) + ".update", tr("update of %1").arg(written_name(site.value)),
                           flow_words::number(flow->updates[kind]->ratio()), Provenance::computed, Role::optimizer_state});
    }
    for (const FlowGeometry::Row& row : picture_.geometry.rows) {
        const LayerFlow* flow = picture_.flow(row.layer);
        const auto kind = static_cast<std::size_t>(picture_.kind);
        const GradientSite& site = (*picture_.layers)[row.layer].of(picture_.kind);
        if (row.sizes.isNull() || !flow || !flow->sizes[kind]) continue;
        out.push_back({row.sizes, QString::fromStdString(site.name) + ".sizes", tr("sizes of %1").arg(flow_words::gradient_name(site)),
                       flow_words::zeros(*flow->sizes[kind]), Provenance::counted, Role::gradient});
    }
    if (!picture_.geometry.check.isNull() && picture_.check && picture_.check->refusal.empty())
        out.push_back({picture_.geometry.check, "check",
                       tr("Finite difference at %1").arg(written_name(picture_.check->check.parameter) + flow_words::place(picture_.check->check.index)),
                       flow_words::six_digits(picture_.check->check.difference), Provenance::computed, Role::gradient});
    return out;
}

} // namespace gradus
