#include "views/graph/graph_widget.hpp"

#include "views/graph/graph_card.hpp"
#include "views/state/zoom.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QDateTime>
#include <QMouseEvent>
#include <QPaintEngine>
#include <algorithm>

namespace gradus {

namespace {
constexpr qint64 patience_ms = 200; // shorter waits are not worth a word
constexpr double legend_height = 22;
const QString work = QStringLiteral(".work"); // of an op, or of all of its name: what it costs, without what it holds
constexpr std::size_t at_once = 400; // sites: such a graph is laid out in far less than a frame

QString site_of(const GraphNode& node, const GraphOp& op) { return QString::fromStdString(node.module + "/" + op.name); }

/// What a card calls the cost of an op: its own where it stands in the forward pass, and that of all ops of its name. A
/// product's gradients cost what it costs, so who asks for one hides them all.
QStringList costs_of(const GraphNode& node, const GraphOp& op) {
    QStringList out{QString::fromStdString(op.name) + work};
    if (node.is_op) out << site_of(node, op) + work;
    return out;
}

bool same_net(const Run& a, const Run& b) {
    const Manifest &x = a.manifest(), &y = b.manifest();
    return x.experiment == y.experiment && x.parameters == y.parameters && a.sites().size() > 0;
}

bool same_marks(const GraphGeometry& a, const GraphGeometry& b) {
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), [](const GraphItem& x, const GraphItem& y) {
        const bool as_wide = !x.loss || x.value.size() == y.value.size(); // in a pill too narrow for its number the name stands alone
        return x.bold == y.bold && x.kept_its_bits() == y.kept_its_bits() && as_wide;
    });
}
} // namespace

GraphWidget::GraphWidget(const Theme& theme, QWidget* parent) : View(theme, tr("Graph"), parent) {
    setMouseTracking(true);
    setMinimumHeight(150);
}

void GraphWidget::present(const Look& look) {
    if (!message_.isEmpty()) {
        message_.clear();
        update();
    }
    if (const auto placed = layouts_.latest(); placed && placed->number > shown_.number) take(*placed); // else a later one is here
    // A branch of the same net has the same graph: what is on screen stays until its own numbers come.
    if (run_ && shown_.model && !shown_.model->nodes.empty() && same_net(*look.run(), *run_)) run_ = look.run();
    const bool none = !shown_.model && due_ != Change::graph;
    const std::int32_t cursor = look.state.cursor.level > Level::iteration ? look.state.cursor.ordinal : -1;
    if (look.run() != run_ || none || look.state.open_modules != open_) {
        run_ = look.run();
        open_ = look.state.open_modules;
        stand(cursor); // another net has other events, also of the same ordinal
        layOut(Change::graph);
    } else if (cursor != cursor_) {
        stand(cursor);
        structure_.forget();
        layOut(shown_.model && rows_shown(wish()) == std::pair(shown_.model->first_row, shown_.model->rows) ? Change::numbers : Change::room);
    }
    if (look.state.ruler != ruler_) {
        ruler_ = look.state.ruler;
        layOut(Change::numbers);
    }
    if (!shown_.model) return; // its layout is on the way
    std::string selected;
    for (const GraphNode& node : shown_.model->nodes)
        if (node.tensor.name == look.state.selection.tensor) selected = node.id;
    if (selected != selected_) {
        selected_ = selected;
        update();
    }
    const StepIndex iteration = look.state.cursor.iteration;
    const std::shared_ptr<const Run>& full = look.full;
    const double progress = look.progress;
    const bool of_this_run = due_ != Change::graph; // or its own graph is on the way
    if (full && of_this_run && (full != wanted_run_ || look.left != wanted_left_ || iteration != wanted_)) {
        wanted_run_ = full;
        wanted_left_ = look.left;
        wanted_ = iteration;
        values_.want({shown_.model, full, iteration, look.left});
    }
    if (const auto found = values_.latest(); found && found->model == shown_.model && &found->values != fresh_.get()) {
        fresh_ = {found, &found->values};
        layOut(Change::numbers);
    }
    // Waiting: the old values stay, with their step named, until it takes too long.
    const bool there = shown_.values && shown_.values->iteration == iteration;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (there) waiting_ = -1;
    else if (waiting_ != iteration) {
        waiting_ = iteration;
        waiting_since_ms_ = now;
    }
    const bool late = waiting_ >= 0 && now - waiting_since_ms_ > patience_ms;
    updateNote(late ? progress : -1);
}

void GraphWidget::stand(std::int32_t cursor) {
    cursor_ = cursor;
    reached_ = reach_at(*run_, cursor);
    backward_ = false;
    if (cursor < 0) return;
    for (std::size_t i = 0; i < run_->sites().size(); ++i)
        if (run_->sites()[i].ordinal == cursor)
            backward_ = run_->sites()[i].phase == Phase::backward; // an update is seen on the parameters
}

void GraphWidget::updateNote(double progress) {
    if (progress >= 0) setNote(tr("step %1 is computed again, %2 %").arg(waiting_).arg(qRound(progress * 100)));
    else if (shown_.values && ruler_ == Ruler::none) setNote(tr("values of step %1").arg(shown_.values->iteration), sparseNote());
    else if (shown_.values && ruler_ == Ruler::time) setNote(tr("times of step %1").arg(shown_.values->iteration));
    else setNote({}, sparseNote());
}

/// What the numbers in the boxes are, in the words of the legend that a class does not see.
QString GraphWidget::sparseNote() const {
    if (ruler_ == Ruler::flops) return tr("In a box: the FLOPs of its ops, counted."); // their unit may have no room
    if (ruler_ != Ruler::none || asksForCosts()) return {};
    bool norms = false, single = false;
    for (const GraphItem& item : shown_.geometry.items) {
        if (item.value.isEmpty() || item.loss) continue;
        const bool one = shown_.model->nodes[item.node].tensor.shape.elements() == 1;
        (one ? single : norms) = true;
    }
    return !norms ? QString() : single ? tr("In a box: the norm of its numbers, or the number itself.") : tr("In a box: the norm of its numbers.");
}

void GraphWidget::showMessage(const QString& sentence, bool fault) {
    if (sentence == message_) return;
    message_ = sentence;
    fault_ = fault;
    update();
}

QRectF GraphWidget::graphArea() const { return contents().adjusted(4, 4, -4, sparse() ? 4 : -legend_height); }

GraphWish GraphWidget::wish() const {
    return {run_, open_, graphArea(), sparse(), backward_, shown_.model, false, fresh_, reached_, ruler_, wishes_};
}

void GraphWidget::layOut(Change change) {
    if (!run_) return;
    due_ = std::max(due_, change); // an older wish may never be fulfilled
    ++wishes_;
    GraphWish now = wish();
    if (due_ == Change::graph) now.model.reset();
    now.fits = due_ == Change::numbers;
    if (run_->sites().size() <= at_once) take(place(now));
    else layouts_.want(std::move(now));
}

void GraphWidget::take(PlacedGraph placed) {
    if (placed.model != shown_.model) {
        fresh_.reset();
        wanted_ = -1;
        structure_.forget();
    }
    if (!same_marks(placed.geometry, shown_.geometry)) structure_.forget(); // names and arrows are bold or not
    if (due_ != Change::numbers || placed.cursor != shown_.cursor || placed.geometry.ruler != shown_.geometry.ruler) structure_.forget(); // a measured box has no room for its shape
    const bool newest = placed.number == wishes_;
    if (newest) due_ = Change::numbers;
    shown_ = std::move(placed);
    update();
    if (!newest || std::find(open_.begin(), open_.end(), opening_) == open_.end()) return;
    opening_.clear();
    if (shown_.model->kept_closed) emit roomWanted();
}

std::vector<ViewItem> GraphWidget::items() const {
    std::vector<ViewItem> out;
    for (const GraphItem& item : shown_.geometry.items) {
        const GraphNode& node = shown_.model->nodes[item.node];
        QStringList parts{QString::fromStdString(node.tensor.name)};
        const bool measured = shown_.geometry.ruler != Ruler::none; // what it costs stands where the norm was
        for (const GraphOp& op : node.ops) {
            if (node.is_op) parts << site_of(node, op);
            if (measured) parts << costs_of(node, op);
        }
        QString name = item.updated ? tr("%1, after the update").arg(item.name) : item.name;
        if (item.kept_its_bits()) name = tr("%1, the same bits as without the change").arg(name);
        const bool costs = !item.measured.isEmpty(); // then that is what the box says
        out.push_back({item.rect, QString::fromStdString(item.id), name, costs ? item.measured : item.value,
                       costs ? provenance_of(shown_.geometry.ruler) : item.provenance, item.role, std::move(parts), value_line(item)});
    }
    return out;
}

void GraphWidget::setTheme(const Theme& theme) {
    structure_.forget();
    Panel::setTheme(theme);
}

void GraphWidget::retranslate() {
    setTitle(tr("Graph"));
    layOutAnew();
}

void GraphWidget::resizeEvent(QResizeEvent*) { layOutAnew(); }

void GraphWidget::layOutAnew() {
    structure_.forget();
    layOut(Change::room);
}

QRect GraphWidget::structureArea() const {
    return rect().adjusted(metrics::radius, title_height - metrics::radius, -metrics::radius, -metrics::radius);
}

QRect GraphWidget::covered(const QPainter& painter) const {
    return message_.isEmpty() && shown_.model && covers_whole(painter) ? structureArea() : QRect();
}

/// On a screen as a picture of its own, without holes, so that most frames only copy it.
void GraphWidget::paintStructure(QPainter& painter) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster) return paint_structure(painter, shown_.geometry, theme());
    const QRect area = structureArea();
    if (area.isEmpty()) return;
    structure_.show(painter, *this, area, theme().surface, [this](QPainter& once) { paint_structure(once, shown_.geometry, theme()); });
}

void GraphWidget::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!message_.isEmpty() || !shown_.model) {
        painter.setFont(text_font(15));
        painter.setPen(fault_ ? theme().fault : theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, fault_ ? "✕ " + message_ : message_);
        return;
    }
    paintStructure(painter);
    paint_values(painter, veil().empty() ? shown_.geometry : withoutHidden(), theme(), hovered_, selected_, !asksForCosts());
    if (!sparse()) paintLegend(painter);
    if (const GraphItem* item = shown_.geometry.find(hovered_))
        paint_value_card(painter, cardOf(*item), item->rect, QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

/// What a prediction hides is not painted: a cover fits its box, not the number.
GraphGeometry GraphWidget::withoutHidden() const {
    GraphGeometry out = shown_.geometry;
    const std::vector<ViewItem> all = items();
    for (std::size_t i = 0; i < out.items.size(); ++i) {
        if (!hides(all[i])) continue;
        out.items[i].value.clear();
        out.items[i].covered = true;
        out.items[i].finite = true; // that is not to be told, either
    }
    return out;
}

/// Whether the costliest op is what a prediction asks for: then no bar tells it, nor their legend.
bool GraphWidget::asksForCosts() const {
    const bool measures = ruler_ != Ruler::none || shown_.geometry.ruler != Ruler::none;
    return std::any_of(veil().ids.begin(), veil().ids.end(), [&](const QString& id) { return id.endsWith(work) ? measures : id.contains('/'); }); // an op
}

/// What pointing at a box says, without the costs of ops that a prediction asks for.
std::vector<ValueCardLine> GraphWidget::cardOf(const GraphItem& item) const {
    std::vector<ValueCardLine> lines = card_lines(*shown_.model, shown_.values.get(), item);
    const GraphNode& node = shown_.model->nodes[item.node];
    if (std::any_of(node.ops.begin(), node.ops.end(), [&](const GraphOp& op) { return veil().hidesAny(costs_of(node, op)); }))
        std::erase_if(lines, [](const ValueCardLine& line) { return !line.source.isEmpty() && line.provenance != Provenance::computed; });
    return lines;
}

/// What there is no room for, as a sentence; empty if all is there.
QString GraphWidget::missingRows() const {
    const GraphModel* model = shown_.model.get();
    if (!model || !model->rows_left_out) return {};
    if (model->first_row > 0) return model->rows > 2 ? tr("No room here for what goes in.") : tr("No room here for the forward pass.");
    return model->rows > 2 ? tr("No room here for the parameters' gradients.") : tr("No room here for the backward pass.");
}

/// The boxes that a branch's change reaches anywhere in the step, also where one does not stand yet.
QStringList GraphWidget::namesReached() const {
    QStringList out;
    if (!shown_.model || !shown_.values) return out;
    const GraphValues& values = *shown_.values;
    const auto touched = [](const std::optional<Compared>& compared) { return compared && compared->differing > 0; };
    for (std::size_t i = 0; i < std::min(shown_.model->nodes.size(), values.reached.size()); ++i)
        if (touched(values.reached[i]) || touched(values.reached_update[i])) out << shown_.model->nodes[i].words();
    return out;
}

bool GraphWidget::reachesLater() const {
    return std::none_of(shown_.geometry.items.begin(), shown_.geometry.items.end(), [](const GraphItem& item) { return item.touched(); });
}

/// Below the boxes, where no ruler measures them: as many words as there is room for.
QString GraphWidget::legend(const TextMetrics& fm, double room) const {
    const auto fits = [&](const QString& text) { return fm.horizontalAdvance(text) <= room; };
    const auto longer = [&](const QString& text, const QString& more) { return fits(text + QLatin1Char(' ') + more) ? text + QLatin1Char(' ') + more : text; };
    const bool marks = ruler_ == Ruler::none && shown_.geometry.compares();
    const QString bold = tr("Bold: what the change reaches. =: the same bits as without it."), brief = tr("Bold: changed. =: as without the change.");
    const auto with_key = [&](const QString& text) { // marks are told first: one has them before one's eyes
        if (marks)
            for (const QString& key : {bold, brief})
                if (fits(key + QLatin1Char(' ') + text)) return key + QLatin1Char(' ') + text;
        return !marks || !fits(brief) ? text : brief;
    };
    if (asksForCosts()) return with_key(tr("What is asked for is covered until it is answered."));
    if (ruler_ != Ruler::none) return tr("This step's times have not been measured.");
    if (shown_.model && shown_.model->kept_closed) return with_key(tr("Z enlarges."));
    if (const QString missing = missingRows(); !missing.isEmpty())
        return marks ? with_key(tr("Z enlarges.")) : !fits(missing) ? tr("There is more: Z enlarges.") : alone() ? missing : longer(missing, tr("Z enlarges."));
    const bool shapes = !shown_.geometry.items.empty() && shown_.geometry.items.front().rect.height() >= height_for_shapes * shown_.geometry.scale;
    const QString boxes = shapes ? tr("In a box: its shape and the norm of its numbers, or the number itself.")
                                 : tr("In a box: the norm of its numbers, or the number itself.");
    if (shown_.geometry.compares()) {
        const QStringList reached = namesReached();
        const QString reach = reached.size() == 1 || reached.size() == 2 // often still to come where one stands
                                  ? (reachesLater() ? tr("Later in this step the change reaches %1, nothing else. =: the same bits as without it.")
                                                     : tr("The change reaches only %1. =: the same bits as without it.")).arg(reached.join(QStringLiteral(", ")))
                                  : bold;
        if (const QString both = longer(boxes, reach); both != boxes) return both;
        return fits(reach) ? reach : fits(brief) ? brief : tr("=: as without the change");
    }
    const QString norms = tr("In a box: the norm of its numbers.");
    if (const QStringList symbols = symbols_shown(shown_.geometry); !symbols.isEmpty()) {
        const QString all = symbols.join(QStringLiteral(", "));
        for (const QString& words : {boxes + ' ' + all, norms + ' ' + all, all})
            if (fits(words)) return words;
    }
    if (!fits(boxes)) return norms;
    const bool updated = std::any_of(shown_.geometry.items.begin(), shown_.geometry.items.end(), [](const GraphItem& item) { return item.updated; });
    if (const QString green = tr("Green: after the update."); updated) return fits(boxes + ' ' + green) ? boxes + ' ' + green : green; // else one cursor would have two values
    return shown_.geometry.find(selected_) ? longer(boxes, tr("Bold outline: the tensor you chose.")) : boxes;
}

void GraphWidget::paintLegend(QPainter& painter) const {
    const QRectF line = contents().adjusted(0, contents().height() - legend_height + 8, 0, 8);
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme().ink2);
    const TextMetrics fm = TextMetrics(painter.font());
    if (ruler_ == Ruler::none || asksForCosts() || shown_.geometry.longest.isEmpty()) {
        const QString words = legend(fm, line.width());
        if (fm.horizontalAdvance(words) <= line.width()) draw_text(painter, line, Qt::AlignLeft | Qt::AlignBottom, words);
        return;
    }
    const QString what = ruler_ == Ruler::flops   ? tr("Bars: floating-point operations, counted; the longest, %1: %2.")
                         : ruler_ == Ruler::bytes ? tr("Bars: bytes read and written, counted; the longest, %1: %2.")
                                                  : tr("Bars: time in this step, measured; the longest, %1: %2.");
    const Provenance provenance = provenance_of(ruler_);
    paint_provenance(painter, {line.left(), line.bottom() - 3}, provenance, 8, theme().ink2);
    const QRectF words = line.adjusted(provenance_width(provenance, 8), 0, 0, 0);
    const QString whole = what.arg(shown_.geometry.longest_name, shown_.geometry.longest);
    draw_text(painter, words, Qt::AlignLeft | Qt::AlignBottom,
              fm.horizontalAdvance(whole) <= words.width() ? whole : tr("Longest bar, %1: %2").arg(shown_.geometry.longest_name, shown_.geometry.longest));
}

void GraphWidget::setHovered(const std::string& id) {
    if (id == hovered_) return;
    hovered_ = id;
    update();
}

void GraphWidget::mouseMoveEvent(QMouseEvent* event) {
    const GraphItem* item = shown_.geometry.at(event->position());
    setHovered(item ? item->id : "");
}

void GraphWidget::mousePressEvent(QMouseEvent* event) {
    const GraphItem* item = shown_.geometry.at(event->position());
    if (!item) return; // a click beside everything takes nothing away
    const GraphNode& node = shown_.model->nodes[item->node];
    emit selected({node.tensor.name, {}});
    if (cursor_ >= 0 && node.last_ordinal() >= 0) emit eventChosen(node.last_ordinal());
}

void GraphWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const GraphItem* item = shown_.geometry.at(event->position());
    if (!item || shown_.model->nodes[item->node].module.empty()) return;
    const std::string module = shown_.model->nodes[item->node].module;
    setHovered(""); // its card would lie over what opens
    const bool open = std::find(open_.begin(), open_.end(), module) != open_.end();
    if (open && shown_.model->kept_closed) return emit roomWanted();
    opening_ = open ? std::string() : module;
    emit moduleToggled(QString::fromStdString(module));
}

void GraphWidget::leaveEvent(QEvent*) { setHovered(""); }

} // namespace gradus
