#include "app/window/stage.hpp"

#include "app/window/cover.hpp"
#include "views/activation/activation_view.hpp"
#include "views/attention/attention_view.hpp"
#include "views/flow/gradient_flow_view.hpp"
#include "views/folds/folds_view.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/hierarchy/hierarchy_view.hpp"
#include "views/listing/listing_view.hpp"
#include "views/neuron/neuron_view.hpp"
#include "views/plots/plot_view.hpp"
#include "views/probabilities/probabilities_view.hpp"
#include "views/regions/regions_view.hpp"
#include "views/roofline/roofline_view.hpp"
#include "views/rungs/rungs_view.hpp"
#include "views/tensor/tensor_view.hpp"
#include "views/theatre/theatre_view.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_view.hpp"
#include "views/valley/valley_view.hpp"

#include <QCursor>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <utility>

namespace gradus {

namespace {
constexpr int around_name = 24; // pixels: beside a view's name on its button
constexpr int least_name = 60;  // which is never narrower
constexpr int code_width = 367; // pixels: a line of a training step beside its time, in the smallest type
} // namespace

std::vector<ViewKind> view_kinds() {
    return {{"graph", Stage::tr("Graph")}, {"tensor", Stage::tr("Tensor")},
            {"series", Stage::tr("Loss")},  {"accuracy", Stage::tr("Accuracy")},
            {"gradient-flow", Stage::tr("Gradient flow")}, {"regions", Stage::tr("Decision regions")},
            {"folds", Stage::tr("Folds")},
            {"probabilities", Stage::tr("Probabilities")},
            {"neuron", Stage::tr("Neuron")},       {"activation", Stage::tr("Activation")}, {"valley", Stage::tr("Valley")}, {"timeline", Stage::tr("Timeline")}, {"listing", Stage::tr("Code listing")},
            {"kernel-theatre", Stage::tr("Kernel theatre")}, {"attention-tiles", Stage::tr("Attention tiles")},
            {"memory-hierarchy", Stage::tr("Memory hierarchy")}, {"roofline", Stage::tr("Roofline")},
            {"kernel-comparison", Stage::tr("Kernel comparison")}};
}

bool shows_fan(const std::string& id) {
    return id == "series" || id.starts_with("series:") || id == "accuracy" || id == "regions" || id == "valley";
}

Stage::Stage(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(metrics::gap);
}

void Stage::setTheme(const Theme& theme) {
    theme_ = theme;
    for (View* view : views_) view->setTheme(theme);
    if (!sentence_.isEmpty()) update();
}

void Stage::say(const QString& sentence, bool fault) {
    if (sentence == sentence_ && fault == fault_) return;
    const bool other = sentence.isEmpty() != sentence_.isEmpty();
    sentence_ = sentence;
    fault_ = fault;
    setAccessibleName(sentence);
    if (other) place();
    update();
}

void Stage::paintEvent(QPaintEvent*) {
    if (sentence_.isEmpty()) return;
    QPainter painter(this);
    painter.setFont(text_font(15));
    painter.setPen(fault_ ? theme_.fault : theme_.ink2);
    const double width = std::min(560.0, this->width() - 48.0), left = (this->width() - width) / 2;
    draw_paragraph(painter, QRectF(left, 24, width, height() - 48), Qt::AlignCenter, fault_ ? QStringLiteral("✕ ") + sentence_ : sentence_);
}

View* Stage::make(const std::string& id) {
    View* view = nullptr;
    if (id == "graph") {
        auto* graph = new GraphWidget(theme_, this);
        connect(graph, &GraphWidget::moduleToggled, this, &Stage::moduleToggled);
        connect(graph, &GraphWidget::roomWanted, this, [this, id] {
            if (!alone_ && ids_.size() > 1) askFor(id, true);
        });
        view = graph;
    } else if (id == "series") {
        view = new PlotView(theme_, {"loss"}, PlotView::Scale::decades, this);
        view->setObjectName("loss");
    } else if (id.starts_with("series:")) { // those that the card names: the first carries the cursor
        std::vector<std::string> names;
        for (const QString& name : QString::fromStdString(id.substr(7)).split(',', Qt::SkipEmptyParts))
            names.push_back(name.trimmed().toStdString());
        if (names.empty()) return nullptr;
        view = new PlotView(theme_, std::move(names), PlotView::Scale::even, this);
    } else if (id == "accuracy") {
        view = new PlotView(theme_, {"accuracy", "test_accuracy"}, PlotView::Scale::share, this);
        view->setObjectName("accuracy");
    }
    else if (id == "tensor") view = new TensorView(theme_, this);
    else if (id == "gradient-flow") view = new GradientFlowView(theme_, this);
    else if (id == "regions") view = new RegionsView(theme_, this);
    else if (id == "folds") view = new FoldsView(theme_, this);
    else if (id == "neuron") view = new NeuronView(theme_, this);
    else if (id == "activation") view = new ActivationView(theme_, this);
    else if (id == "valley") view = new ValleyView(theme_, this);
    else if (id == "probabilities") view = new ProbabilitiesView(theme_, this);
    else if (id == "timeline") view = new TimelineView(theme_, this);
    else if (id == "memory-hierarchy") view = new HierarchyView(theme_, this);
    else if (id == "kernel-comparison") view = new RungsView(theme_, this);
    else if (id == "roofline") view = new RooflineView(theme_, this);
    else if (id == "listing") {
        auto* code = new ListingView(theme_, this);
        code->setListing(listing_);
        view = code;
    }
    else if (id == "kernel-theatre") view = new TheatreView(theme_, this);
    else if (id == "attention-tiles") view = new AttentionView(theme_, this);
    if (!view) return nullptr;
    view->setSparse(sparse_);
    connect(view, &View::selected, this, &Stage::selected);
    connect(view, &View::exampleChosen, this, &Stage::exampleChosen);
    connect(view, &View::comparedChosen, this, &Stage::comparedChosen);
    connect(view, &View::cursorMoved, this, &Stage::cursorMoved);
    connect(view, &View::eventChosen, this, &Stage::eventChosen);
    connect(view, &View::edited, this, &Stage::edited);
    connect(view, &View::dragged, this, &Stage::dragged);
    connect(view, &View::dragCancelled, this, &Stage::dragCancelled);
    connect(view, &View::numberWanted, this, [this, view](const Edit& now, double reach, const QRect& beside) { emit numberWanted(view, now, reach, beside); });
    connect(view, &View::futureChosen, this, &Stage::futureChosen);
    connect(view, &View::futureTaken, this, &Stage::futureTaken);
    connect(view, &View::drafted, this, &Stage::drafted);
    connect(view, &View::draftDropped, this, &Stage::draftDropped);
    connect(view, &View::blockWanted, this, &Stage::blockWanted);
    return view;
}

void Stage::setListing(std::shared_ptr<const Listing> listing) {
    listing_ = std::move(listing);
    for (View* view : views_)
        if (auto* code = qobject_cast<ListingView*>(view)) code->setListing(listing_);
}

void Stage::arrange(const std::vector<std::string>& ids, const std::string& front, bool alone) {
    std::vector<std::string> wanted;
    for (const std::string& id : ids)
        if (wanted.size() < most && std::find(wanted.begin(), wanted.end(), id) == wanted.end()) wanted.push_back(id);
    std::vector<View*> views;
    std::vector<std::string> made;
    for (const std::string& id : wanted) {
        const auto at = std::find(ids_.begin(), ids_.end(), id);
        View* view = at != ids_.end() ? views_[static_cast<std::size_t>(at - ids_.begin())] : make(id);
        if (!view) continue;
        views.push_back(view);
        made.push_back(id);
    }
    for (View* view : views_) {
        grid_->removeWidget(view);
        if (std::find(views.begin(), views.end(), view) != views.end()) continue;
        view->hide();
        view->deleteLater();
    }
    views_ = std::move(views);
    ids_ = std::move(made);
    const auto first = std::find(ids_.begin(), ids_.end(), front);
    lead_ = first == ids_.end() ? 0 : static_cast<std::size_t>(first - ids_.begin());
    alone_ = alone && first != ids_.end();
    place();
}

std::size_t Stage::room() const {
    if (alone_) return 1;
    const bool two_rows = height() >= 400 && !sparse_;
    if (two_rows) return width() >= 560 ? 3 : 2;
    return width() >= 560 ? 2 : 1;
}

void Stage::resizeEvent(QResizeEvent*) {
    if (names_ || std::min(room(), views_.size()) != placed_) place(); // names are cut to the room they have
    else shareLowerRow();
}

/// Two views in the lower row are equally wide, but code, which must not be cut, takes what it needs.
void Stage::shareLowerRow() {
    if (placed_ != 3 || height() < 400 || sparse_) return;
    std::vector<std::string> lower;
    for (std::size_t i = 0; i < ids_.size(); ++i)
        if (i != lead_) lower.push_back(ids_[i]);
    const int room = width() - metrics::gap, code = std::max(room / 2, std::min(code_width, room * 3 / 5));
    for (int column : {0, 1}) {
        const std::string &here = lower[static_cast<std::size_t>(column)], &beside = lower[static_cast<std::size_t>(1 - column)];
        grid_->setColumnStretch(column, here == "listing" ? code : beside == "listing" ? room - code : 1);
    }
}

void Stage::place() {
    if (placing_) { // showing something lays the window out, which may lead here again
        stale_ = true;
        return;
    }
    placing_ = true;
    for (int turn = 0; turn < 3; ++turn) { // what room there is may depend on what was placed
        stale_ = false;
        placeOnce();
        if (!stale_) break;
    }
    placing_ = false;
}

void Stage::placeOnce() {
    placed_ = std::min(room(), views_.size());
    std::vector<View*> order;
    if (lead_ < views_.size()) order.push_back(views_[lead_]);
    for (View* view : views_)
        if (order.front() != view) order.push_back(view);
    delete names_;
    names_ = nullptr;
    const bool hidden = !sentence_.isEmpty();
    if (placed_ < views_.size() && !sparse_ && !hidden) placeNames({order.begin(), order.begin() + static_cast<std::ptrdiff_t>(placed_)});
    for (View* view : views_) view->setAlone(placed_ == 1);
    for (View* view : views_) grid_->removeWidget(view);
    const bool one_row = height() < 400 || sparse_;
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i]->setVisible(i < placed_ && !hidden);
        if (i >= placed_) continue;
        if (one_row) grid_->addWidget(order[i], 1, static_cast<int>(i), 1, placed_ == 1 ? 2 : 1);
        else grid_->addWidget(order[i], i == 0 ? 1 : 2, i == 2 ? 1 : 0, 1, i == 0 || placed_ <= 2 ? 2 : 1);
    }
    grid_->setRowStretch(0, 0);
    const auto below = std::find(views_.begin(), views_.end(), order[std::min<std::size_t>(1, order.size() - 1)]) - views_.begin();
    const bool tall = placed_ == 2 && ids_[static_cast<std::size_t>(below)] == "kernel-theatre" && // code, lanes and memory, one above the other
                      std::find(ids_.begin(), ids_.end(), "tensor") == ids_.end();                 // whose numbers want the height, too
    grid_->setRowStretch(1, tall ? 4 : 5);
    grid_->setRowStretch(2, placed_ < 2 || one_row ? 0 : tall ? 5 : 4);
    grid_->setColumnStretch(0, one_row && placed_ > 1 && ids_[lead_] == "graph" ? 3 : 1);
    grid_->setColumnStretch(1, one_row && placed_ > 1 && ids_[lead_] == "graph" ? 2 : 1);
    grid_->setVerticalSpacing(metrics::gap);
    shareLowerRow();
}

/// Above the views, where not all are shown.
void Stage::placeNames(const std::vector<View*>& shown) {
    names_ = new QWidget(this);
    auto* row = new QHBoxLayout(names_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    int left = width();
    QPushButton* all = nullptr;
    if (alone_) {
        all = nameButton(tr("All views"));
        all->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(all, &QPushButton::clicked, this, [this] { askFor({}, false); });
        left -= all->sizeHint().width() + row->spacing();
    }
    std::vector<QPushButton*> buttons;
    std::vector<int> widths, savings;
    const auto width_of = [](const QPushButton* button, const QString& words) {
        QFont chosen = button->font();
        chosen.setWeight(QFont::DemiBold); // wider
        return qCeil(TextMetrics(chosen).horizontalAdvance(words)) + around_name;
    };
    int over = row->spacing() * static_cast<int>(views_.size() - 1) - left; // by which the names are too wide
    for (std::size_t i = 0; i < views_.size(); ++i) {
        QString name = views_[i]->accessibleName();
        for (const ViewKind& kind : view_kinds())
            if (kind.id == ids_[i]) name = kind.name;
        buttons.push_back(nameButton(name));
        widths.push_back(width_of(buttons[i], name));
        savings.push_back(views_[i]->title().isEmpty() ? 0 : widths[i] - width_of(buttons[i], views_[i]->title()));
        over += widths[i];
    }
    while (over > 0) { // a view's title is shorter than the name of its kind
        const auto saved = std::max_element(savings.begin(), savings.end());
        if (saved == savings.end() || *saved <= 0) break;
        const auto i = static_cast<std::size_t>(saved - savings.begin());
        buttons[i]->setToolTip(buttons[i]->text());
        buttons[i]->setText(views_[i]->title());
        widths[i] -= savings[i];
        over -= std::exchange(savings[i], 0);
    }
    int widest = *std::max_element(widths.begin(), widths.end());
    for (; over > 0 && widest > least_name; --widest) // then the widest give way
        for (int& width : widths)
            if (width == widest) {
                --width;
                --over;
            }
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (width_of(buttons[i], buttons[i]->text()) <= widths[i]) continue;
        if (buttons[i]->toolTip().isEmpty()) buttons[i]->setToolTip(buttons[i]->text());
        buttons[i]->setText(buttons[i]->fontMetrics().elidedText(buttons[i]->text(), Qt::ElideRight, widths[i] - around_name));
    }
    for (std::size_t i = 0; i < views_.size(); ++i) {
        QPushButton* button = buttons[i];
        if (button->toolTip().isEmpty()) button->setToolTip(button->text());
        button->setCheckable(true);
        button->setChecked(std::find(shown.begin(), shown.end(), views_[i]) != shown.end());
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this, [this, i] { askFor(ids_[i], alone_); });
        row->addWidget(button, widths[i]);
    }
    if (all) row->addWidget(all);
    grid_->addWidget(names_, 0, 0, 1, 2);
    names_->show();
}

QPushButton* Stage::nameButton(const QString& text) {
    auto* button = new QPushButton(text, names_);
    button->setAccessibleName(text);
    button->setProperty("role", "tab");
    button->ensurePolished(); // its font is asked for
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// Later: the button that asks goes with its row.
void Stage::askFor(const std::string& front, bool alone) {
    QMetaObject::invokeMethod(this, [this, id = QString::fromStdString(front), alone] { emit arranged(id, alone); }, Qt::QueuedConnection);
}

bool Stage::openEditor() {
    for (View* view : views_)
        if (auto* theatre = qobject_cast<TheatreView*>(view); theatre && theatre->isVisible()) {
            theatre->setEditing(true);
            if (theatre->editing()) return true;
        }
    return false;
}

QString Stage::nextFinding() {
    for (View* view : views_)
        if (auto* theatre = qobject_cast<TheatreView*>(view); theatre && theatre->isVisible()) return theatre->goToNextFinding();
    return tr("There is no kernel in sight.");
}

std::string Stage::current() const {
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    std::size_t found = lead_;
    for (std::size_t i = 0; i < views_.size(); ++i) {
        const QWidget* inside = views_[i]->focusWidget();
        if (views_[i]->hasFocus() || (inside && inside->hasFocus())) return ids_[i];
        if (views_[i]->isVisible() && views_[i]->geometry().contains(mouse)) found = i;
    }
    return ids_.empty() ? std::string() : ids_[found];
}

void Stage::retranslate() {
    for (View* view : views_) view->retranslate();
    place(); // the names of those there is no room for
}

void Stage::veil(const Veil& veil, bool motion, double line) {
    for (View* view : views_) Cover::lay(*view, veil, motion, line);
}

QRect Stage::quietestCorner(QSize size) const {
    constexpr int margin = 12;
    const int right = width() - size.width() - margin, bottom = height() - size.height() - margin;
    QRect best;
    double least = 0;
    for (const QPoint corner : {QPoint(right, margin), QPoint(right, bottom), QPoint(margin, bottom), QPoint(margin, margin)}) {
        const QRect place(corner, size);
        double covered = 0; // pixels, by how much they are needed
        for (std::size_t i = 0; i < views_.size(); ++i) {
            if (!views_[i]->isVisible()) continue;
            const QRect both = views_[i]->geometry().intersected(place);
            const double need = ids_[i] == "graph" ? 8 : ids_[i] == "tensor" ? 6 : i == 0 ? 3 : 1;
            covered += need * both.width() * both.height();
        }
        if (!best.isNull() && covered >= least) continue;
        best = place;
        least = covered;
    }
    return best;
}

void Stage::present(const Look& look) {
    for (View* view : views_) view->present(look);
}

} // namespace gradus
