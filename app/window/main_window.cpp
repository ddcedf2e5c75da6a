#include "app/window/main_window.hpp"

#include "app/window/edit_panel.hpp"
#include "app/window/header_bar.hpp"
#include "app/window/transport_bar.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/plots/plot_view.hpp"
#include "views/runs/run_list.hpp"

#include <QGridLayout>
#include <QPaintEvent>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

namespace gradus {

namespace {

constexpr int frame_interval_ms = 16;

QString written_dataset(const std::string& id) {
    return id == "fashion-mnist" ? QStringLiteral("Fashion-MNIST") : QString::fromStdString(id);
}

} // namespace

MainWindow::MainWindow(RunRequest request, const QString& title, QWidget* parent)
    : QWidget(parent), session_(std::make_unique<Session>(std::move(request))),
      title_(title.isEmpty() ? QString::fromStdString(session_->experiment().title()) : title) {
    state_.speed = first_speed(session_->planned_steps());
    session_->set_speed(state_.speed);
    session_->play();
    build();
    addKeys();
    setTheme(state_.theme);
    connect(&timer_, &QTimer::timeout, this, &MainWindow::frame);
    timer_.start(frame_interval_ms);
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
    const Theme theme = load_theme(state_.theme);
    setWindowTitle("Gradus");
    resize(1280, 800);
    setMinimumSize(1024, 700);
    header_ = new HeaderBar(this);
    graph_ = new GraphWidget(theme, this);
    loss_ = new PlotView(theme, tr("Loss"), {"loss"}, false, this);
    accuracy_ = new PlotView(theme, tr("Accuracy"), {"accuracy", "test_accuracy"}, true, this);
    edit_ = new EditPanel(theme, this);
    list_ = new RunList(theme, this);
    transport_ = new TransportBar(theme, this);
    edit_->setEnabled(false); // until there is a Run
    loss_->setObjectName("loss");
    accuracy_->setObjectName("accuracy");
    accuracy_->setNote(tr("line: batch, ◇: test set"));

    auto* stage = new QGridLayout;
    stage->setContentsMargins(24, 0, 24, metrics::gap);
    stage->setSpacing(metrics::gap);
    stage->addWidget(graph_, 0, 0, 1, 2);
    stage->addWidget(loss_, 1, 0);
    stage->addWidget(accuracy_, 1, 1);
    stage->addWidget(edit_, 0, 2);
    stage->addWidget(list_, 1, 2);
    stage->setColumnStretch(0, 1);
    stage->setColumnStretch(1, 1);
    for (QWidget* side : {static_cast<QWidget*>(edit_), static_cast<QWidget*>(list_)}) side->setFixedWidth(280);
    stage->setRowStretch(0, 3);
    stage->setRowStretch(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addLayout(stage, 1);
    column->addWidget(transport_);

    connect(graph_, &GraphWidget::selected, this, [this](const QString& id) {
        state_.selection = {id.toStdString(), {}};
        edit_->choose(id);
    });
    connect(loss_, &PlotView::cursorMoved, this, &MainWindow::goTo);
    connect(accuracy_, &PlotView::cursorMoved, this, &MainWindow::goTo);
    connect(transport_->strip(), &RunStrips::cursorMoved, this, &MainWindow::goTo);
    connect(transport_, &TransportBar::first, this, &MainWindow::goFirst);
    connect(transport_, &TransportBar::back, this, &MainWindow::stepBack);
    connect(transport_, &TransportBar::playOrPause, this, &MainWindow::playOrPause);
    connect(transport_, &TransportBar::step, this, &MainWindow::stepForward);
    connect(transport_, &TransportBar::last, this, &MainWindow::goLast);
    connect(transport_, &TransportBar::speedChanged, this, &MainWindow::setSpeed);
    connect(edit_, &EditPanel::submitted, this, &MainWindow::submit);
    connect(list_, &RunList::picked, this, [this](const QString& id) {
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (runs_[i]->manifest().id == id.toStdString()) selectRun(i);
    });
}

void MainWindow::addKeys() {
    const auto key = [this](const QKeySequence& keys, auto target) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, target);
    };
    key(Qt::Key_Space, &MainWindow::playOrPause);
    key(Qt::Key_Right, &MainWindow::stepForward);
    key(Qt::Key_Left, &MainWindow::stepBack);
    key(Qt::Key_Home, &MainWindow::goFirst);
    key(Qt::Key_End, &MainWindow::goLast);
    key(Qt::Key_BracketLeft, [this] { if (state_.run > 0) selectRun(state_.run - 1); });
    key(Qt::Key_BracketRight, [this] { if (state_.run + 1 < runs_.size()) selectRun(state_.run + 1); });
    key(Qt::Key_Minus, [this] { transport_->slower(); });
    key(Qt::Key_Plus, [this] { transport_->faster(); });
    key(Qt::CTRL | Qt::Key_Q, &MainWindow::close);
    key(Qt::Key_Escape, [this] { setFocus(); });
    setFocusPolicy(Qt::ClickFocus); // a click on the stage takes the keys back from a field
    setFocus();
}

void MainWindow::setTheme(ThemeMode mode) {
    state_.theme = mode;
    const Theme theme = load_theme(mode);
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.ink);
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::Text, theme.ink);
    palette.setColor(QPalette::PlaceholderText, theme.ink2);
    setPalette(palette);
    ground_ = theme.window;
    setStyleSheet(style_sheet(theme));
    header_->setTheme(theme);
    for (Panel* panel : findChildren<Panel*>()) panel->setTheme(theme);
    transport_->setTheme(theme);
}

void MainWindow::paintEvent(QPaintEvent* event) { QPainter(this).fillRect(event->rect(), ground_); }

void MainWindow::setSpeed(double steps_per_second) {
    state_.speed = steps_per_second;
    session_->set_speed(steps_per_second);
}

// --- one look per frame --------------------------------------------------------------------------------------

void MainWindow::frame() {
    const Session::Status status = session_->status();
    runs_ = session_->runs();
    if (!status.failure.empty()) {
        graph_->showMessage(QString::fromStdString(status.failure), true);
        timer_.stop();
        return;
    }
    if (runs_.empty()) {
        graph_->showMessage(tr("loading %1").arg(written_dataset(session_->setup().parameters.at("data"))));
        transport_->present(true, state_.speed, 0, session_->planned_steps());
        return;
    }
    adopt(status);
    moveWithHead(*current(), status.playing);
    present(status);
    status_ = status;
}

/// Takes over what the session decided: a fork it selected, an edit it refused.
void MainWindow::adopt(const Session::Status& status) {
    if (status.selected != state_.run && status.selected < runs_.size()) {
        const bool forked = status.runs > status_.runs;
        state_.run = status.selected;
        if (forked) {
            state_.cursor.at_head = true;
            edit_->say({});
            if (!status.playing) { // one step, so that the change is seen
                session_->observe_next();
                session_->step();
            }
        }
    }
    if (status.refusals != status_.refusals) edit_->say(QString::fromStdString(status.refusal));
}

/// At the head the cursor goes along, to the last iteration that was recorded in full while it plays.
void MainWindow::moveWithHead(const Run& run, bool playing) {
    Cursor& cursor = state_.cursor;
    cursor.iteration = std::clamp<StepIndex>(cursor.iteration, 0, lastIteration());
    if (!cursor.at_head) return;
    cursor.iteration = lastIteration();
    if (!playing) return;
    session_->observe_next();
    for (std::size_t i = run.observed().size(); i > 0; --i) {
        const StepIndex observed = run.observed()[i - 1].iteration;
        if (observed > cursor.iteration || observed < run.first_iteration()) continue;
        cursor.iteration = observed;
        break;
    }
}

StepIndex MainWindow::lastIteration() const { return std::max<StepIndex>(0, current()->head() - 1); }

void MainWindow::present(const Session::Status& status) {
    const std::shared_ptr<const Run> run = current();
    const Detail detail = session_->detail(state_.run, state_.cursor.iteration);
    const bool there = detail.state == Detail::State::present;
    graph_->present(run, there ? detail.run : nullptr, state_.cursor.iteration, detail.progress, state_.selection.tensor);
    // The graph's numbers are ready a frame later; while it plays, every view waits for them, so that all show one step.
    if (status.playing && state_.cursor.at_head && graph_->values())
        state_.cursor.iteration = graph_->values()->iteration;
    const StepIndex cursor = state_.cursor.iteration;
    loss_->present(runs_, state_.run, cursor);
    accuracy_->present(runs_, state_.run, cursor);
    list_->present(runs_, state_.run);
    header_->present(*run, title_, cursor);
    transport_->present(status.playing, state_.speed, cursor, session_->planned_steps());
    transport_->strip()->present({runs_, state_, there ? detail.run : nullptr, detail.progress, session_->planned_steps(),
                                  status.playing}, std::nullopt);
    presentEdit(run, detail);
    edit_->setEnabled(true);
}

void MainWindow::presentEdit(const std::shared_ptr<const Run>& run, const Detail& detail) {
    EditPlace place;
    place.run = run;
    const bool in_place = state_.cursor.at_head && run->head() < session_->planned_steps();
    place.forks = !in_place;
    place.iteration = in_place ? run->head() : state_.cursor.iteration;
    if (detail.state == Detail::State::present) place.tensors = detail.run->tensors_of(state_.cursor.iteration);
    edit_->present(place);
}

// --- intents ---------------------------------------------------------------------------------------------------

void MainWindow::playOrPause() {
    if (status_.playing) {
        session_->pause();
        return;
    }
    state_.cursor.at_head = true;
    session_->play();
}

void MainWindow::goTo(qint64 iteration) {
    if (runs_.empty()) return;
    if (status_.playing) session_->pause();
    const StepIndex last = lastIteration();
    state_.cursor.iteration = std::clamp<StepIndex>(iteration, 0, last);
    state_.cursor.at_head = state_.cursor.iteration == last;
}

void MainWindow::stepBack() {
    if (runs_.empty()) return;
    goTo(state_.cursor.iteration - 1);
    state_.cursor.at_head = false;
}

void MainWindow::stepForward() {
    if (runs_.empty()) return;
    if (state_.cursor.iteration < lastIteration()) {
        goTo(state_.cursor.iteration + 1);
        return;
    }
    state_.cursor.at_head = true;
    session_->observe_next();
    session_->step();
}

void MainWindow::goFirst() { goTo(0); }
void MainWindow::goLast() { state_.cursor.at_head = true; }

void MainWindow::selectRun(std::size_t run) {
    if (run >= runs_.size()) return;
    session_->select(run);
}

void MainWindow::submit(const Edit& edit) {
    if (runs_.empty()) return;
    const bool in_place = state_.cursor.at_head && current()->head() < session_->planned_steps();
    const StepIndex iteration = in_place ? current()->head() : state_.cursor.iteration;
    edit_->say(in_place ? tr("%1 before step %2").arg(QString::fromStdString(edit.text())).arg(iteration) : QString());
    session_->submit(edit, state_.run, iteration);
}

} // namespace gradus
