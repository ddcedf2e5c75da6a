#include "app/window/main_window.hpp"

#include "app/window/button_keys.hpp"
#include "app/window/fan_keys.hpp"
#include "app/window/header_bar.hpp"
#include "app/window/lesson_driver.hpp"
#include "app/window/own_cover.hpp"
#include "app/window/paths_panel.hpp"
#include "app/window/presenter_stage.hpp"
#include "app/window/quiet_line.hpp"
#include "app/window/recording.hpp"
#include "app/window/stage.hpp"
#include "app/window/translator.hpp"
#include "app/window/transport_bar.hpp"
#include "app/window/waiting_keys.hpp"
#include "app/window/why_driver.hpp"
#include "app/window/window_files.hpp"
#include "app/window/zoom_host.hpp"
#include "lessons/runtime/card.hpp"
#include "views/access/accessible_items.hpp"
#include "views/access/item_focus.hpp"
#include "views/derive/engine_words.hpp"
#include "views/graph/graph_widget.hpp"
#include "views/runs/run_list.hpp"
#include "views/story/story_view.hpp"
#include "views/theme/numbers.hpp"
#include "views/why/why_panel.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QPaintEvent>
#include <QPainter>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace gradus {

namespace {
constexpr int frame_interval_ms = 16;
constexpr int first_interval_ms = 1, first_numbers_ms = 300; // a new window looks for its first numbers at once
constexpr int after_start_ms = 200; // by then there is a picture; what nobody needs before would only delay it
} // namespace

MainWindow::MainWindow(std::shared_ptr<const Library> library, AppState state, Progress* progress, Recording* recording,
                       QWidget* parent)
    : QWidget(parent), library_(std::move(library)), presenter_(std::move(state)), progress_(progress), recording_(recording) {
    if (recording_) presenter_.setRunHook([recording] { return recording->begin(); });
    build();
    const Card* card = library_->find(presenter_.state().card);
    if (!card && !library_->cards.empty()) card = &library_->cards.front();
    const Cursor& cursor = presenter_.state().cursor;
    if (card && card->id == presenter_.state().card && (cursor.iteration > 0 || !cursor.at_head))
        resumeCard({presenter_.state(), cursor.iteration + 1});
    else if (card) openCard(QString::fromStdString(card->id));
    else showMessage(tr("There are no lessons to open."), true);
}

MainWindow::MainWindow(RunRequest request, AppState state, QWidget* parent)
    : QWidget(parent), library_(std::make_shared<const Library>()), presenter_(std::move(state)) {
    build();
    presenter_.open(std::move(request));
    arrangeStage();
}

MainWindow::~MainWindow() {
    if (class_) class_->leave(); // while there is a lesson
    story_->cancelDrag(); // else a slider that is held would commit as it loses the focus, to nobody
    if (translator_) QCoreApplication::removeTranslator(translator_.get());
}

void MainWindow::build() {
    QApplication::setFont(text_font(metrics::text));
    theme_ = load_theme(state().theme, state().high_contrast);
    if (state().language == Language::ko) Translator::prepare();
    else QTimer::singleShot(after_start_ms, this, [] { Translator::prepare(); });
    setWindowTitle("Gradus");
    resize(1280, 800);
    setMinimumSize(720, 480);
    setAttribute(Qt::WA_NoSystemBackground); // opaque it would be painted twice: for itself, and behind what else is painted
    content_ = new QWidget;
    content_->setAttribute(Qt::WA_TranslucentBackground);
    header_ = new HeaderBar(theme_, content_);
    paths_ = new PathsPanel(theme_, content_);
    list_margin_ = new QWidget(content_);
    list_ = new RunList(theme_, list_margin_);
    stage_ = new Stage(theme_, content_);
    story_ = new StoryView(theme_, content_);
    story_->setFixedWidth(story_width);
    transport_ = new TransportBar(theme_, content_);
    install_accessible_items();
    items_ = new ItemFocus(content_, this);
    new ButtonKeys(this);
    for (QWidget* widget : {static_cast<QWidget*>(list_), static_cast<QWidget*>(transport_->strip())}) items_->watch(widget);
    lesson_ = new LessonDriver(presenter_, progress_, this);
    offer_ = new QuietLine(theme_, false, content_);
    offer_->setObjectName("offer");
    note_ = new QuietLine(theme_, true, content_);
    files_ = new WindowFiles(*this, recording_, offer_, note_);
    why_panel_ = new WhyPanel(theme_, content_);
    why_ = new WhyDriver(presenter_, why_panel_, this);
    auto* left = new QVBoxLayout;
    left->setSpacing(metrics::gap);
    left->addWidget(paths_, 3);
    auto* beside_margin = new QHBoxLayout(list_margin_); // the rail paints its own margin
    beside_margin->setContentsMargins(metrics::gap, 0, 0, 0);
    beside_margin->addWidget(list_);
    left->addWidget(list_margin_, 2);
    auto* middle = new QHBoxLayout;
    middle->setContentsMargins(0, 0, 24, metrics::gap);
    middle->setSpacing(metrics::gap);
    middle->addLayout(left);
    middle->addWidget(stage_, 1);
    header_->hold(offer_);
    auto* right = new QVBoxLayout;
    right->setSpacing(metrics::gap);
    right->addWidget(note_);
    right->addWidget(story_, 1);
    note_->setFixedWidth(story_width);
    middle->addLayout(right);
    auto* column = new QVBoxLayout(content_);
    column->setSizeConstraint(QLayout::SetNoConstraint); // shown larger it has less room than it would like
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addLayout(middle, 1);
    column->addWidget(transport_);
    host_ = new ZoomHost(content_, this);
    connect(host_, &ZoomHost::painted, this, &MainWindow::countPainting);
    connectIntents();
    actions_ = keyTable();
    add_shortcuts(this, actions_);
    for (int digit = 0; digit <= 9; ++digit)
        connect(new QShortcut(QKeySequence(Qt::Key_0 + digit), this), &QShortcut::activated, this, [this, digit] {
            if (state().story_open) story_->pressDigit(digit);
        });
    waiting_keys_ = std::make_unique<WaitingKeys>(this);
    fan_keys_ = std::make_unique<FanKeys>(presenter_, [this] { openFan(); }, this);
    setFocusPolicy(Qt::ClickFocus); // a click on the stage takes the keys back from a field
    setFocus();
    applyLanguage();
    applyTheme();
    applyState();
    connect(&timer_, &QTimer::timeout, this, &MainWindow::tick);
    late_.setSingleShot(true);
    connect(&late_, &QTimer::timeout, this, [this] {
        painted_long_ = false; // once is enough, however often the size changes
        tick();
    });
    age_.start();
    timer_.start(first_interval_ms);
}

void MainWindow::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    frame(); // what is there already is in the first picture
}

void MainWindow::connectIntents() {
    Presenter* p = &presenter_;
    connect(p, &Presenter::stateChanged, this, &MainWindow::applyState);
    connectStage(stage_);
    connect(p, &Presenter::cardWanted, this, &MainWindow::resumeCard);
    connect(p, &Presenter::told, this, [this](const QString& sentence) { files_->say(sentence, 6'000); });
    connect(stage_, &Stage::moduleToggled, p, [p](const QString& name) {
        p->change("module", [module = name.toStdString()](AppState& state) {
            const auto at = std::find(state.open_modules.begin(), state.open_modules.end(), module);
            if (at == state.open_modules.end()) state.open_modules.push_back(module);
            else state.open_modules.erase(at);
        });
    });
    connect(stage_, &Stage::arranged, p, [p](const QString& front, bool alone) {
        p->change("stage", [&](AppState& state) {
            state.front = front.toStdString();
            state.alone = alone;
        });
    });
    connect(transport_->strip(), &RunStrips::cursorMoved, p, [p](qint64 iteration) { p->goTo(iteration, true); });
    connect(transport_->strip(), &RunStrips::eventChosen, p, &Presenter::chooseEvent);
    connect(transport_, &TransportBar::first, p, &Presenter::goFirst);
    connect(transport_, &TransportBar::back, p, &Presenter::stepBack);
    connect(transport_, &TransportBar::playOrPause, p, &Presenter::playOrPause);
    connect(transport_, &TransportBar::step, p, &Presenter::stepForward);
    connect(transport_, &TransportBar::levelOut, p, &Presenter::levelOut);
    connect(transport_, &TransportBar::levelIn, p, &Presenter::levelIn);
    connect(transport_, &TransportBar::last, p, &Presenter::goLast);
    connect(transport_, &TransportBar::speedChanged, p, &Presenter::setSpeed);
    connect(list_, &RunList::picked, p, [p](const QString& id) {
        for (std::size_t i = 0; i < p->runs().size(); ++i)
            if (p->runs()[i]->manifest().id == id.toStdString()) p->selectRun(i);
    });
    connect(paths_, &PathsPanel::picked, this, [this](const QString& card) {
        chooseCard(card);
        if (paths_->hasFocus()) setFocus(); // the lesson says which keys to press
    });
    connect(paths_, &PathsPanel::foldToggled, p, [p] {
        p->change("paths", [](AppState& state) { state.paths_open = !state.paths_open; });
    });
    connect(paths_, &PathsPanel::nextTrack, this, [this] {
        const auto& all = library_->paths;
        if (all.empty()) return;
        path_ = path_ ? &all[static_cast<std::size_t>(path_ - all.data() + 1) % all.size()] : &all.front();
        presentPaths();
    });
    connect(paths_, &PathsPanel::tracksWanted, this, &MainWindow::showTracks);
    connect(story_, &StoryView::partChanged, p, [p](int part) { p->setCardStep(static_cast<std::size_t>(part)); });
    connect(story_, &StoryView::answered, lesson_, &LessonDriver::answer);
    connect(story_, &StoryView::nextCheck, lesson_, &LessonDriver::nextCheck);
    connect(story_, &StoryView::previousCheck, lesson_, &LessonDriver::previousCheck);
    connect(story_, &StoryView::checkAgain, lesson_, &LessonDriver::answerAgain);
    connect(story_, &StoryView::stageWanted, lesson_, &LessonDriver::showAsked);
    connect(story_, &StoryView::nextLesson, this, [this] { chooseCard(next_card_); });
    connect(story_, &StoryView::parameterDragged, lesson_, &LessonDriver::dragParameter);
    connect(story_, &StoryView::parameterCancelled, p, &Presenter::endPreview);
    connect(story_, &StoryView::parameterCommitted, lesson_, &LessonDriver::commitParameter);
    connect(story_, &StoryView::kernelWanted, this, &MainWindow::writeKernel);
    connect(&drafts_, &KernelDrafts::ran, this, &MainWindow::takeKernel);
    connect(lesson_, &LessonDriver::restartWanted, this, [this] {
        sayWhatGoes();
        restart();
    });
    connect(lesson_, &LessonDriver::progressed, this, &MainWindow::presentPaths);
    connect(header_->rateButton(), &QPushButton::clicked, this, &MainWindow::showRate);
    connect(header_->helpButton(), &QPushButton::clicked, this, &MainWindow::showKeys);
    connect(header_->menuButton(), &QPushButton::clicked, this, &MainWindow::showMenu);
}

void MainWindow::connectStage(Stage* stage) {
    Presenter* p = &presenter_;
    connect(stage, &Stage::selected, p, &Presenter::select);
    connect(stage, &Stage::exampleChosen, p, &Presenter::chooseExample);
    connect(stage, &Stage::comparedChosen, p, &Presenter::compareWith);
    connect(stage, &Stage::cursorMoved, p, [p](qint64 iteration) { p->goTo(iteration, true); });
    connect(stage, &Stage::eventChosen, p, &Presenter::chooseEvent);
    connect(stage, &Stage::edited, p, &Presenter::submit);
    connect(stage, &Stage::dragged, p, &Presenter::preview);
    connect(stage, &Stage::dragCancelled, p, &Presenter::endPreview);
    connect(stage, &Stage::numberWanted, this, &MainWindow::askForNumber);
    connect(stage, &Stage::futureChosen, p, &Presenter::chooseFuture);
    connect(stage, &Stage::futureTaken, p, [p] { p->closeFan(true); });
    connect(stage, &Stage::drafted, this, &MainWindow::draftKernel);
    connect(stage, &Stage::draftDropped, this, &MainWindow::dropKernel);
    connect(stage, &Stage::blockWanted, this, &MainWindow::recordBlock);
}

// --- one look per frame --------------------------------------------------------------------------------------

/// One frame after the other, no longer as fast as can be.
void MainWindow::paceFrames() {
    if (timer_.interval() != frame_interval_ms) timer_.setInterval(frame_interval_ms);
}

/// A kernel has its name there, and how many of its blocks are run.
static QString loading_words(const Presenter& presenter) {
    if (!presenter.hasSession()) return MainWindow::tr("loading …");
    const Parameters& parameters = presenter.session().setup().parameters;
    const auto ladder = parameters.find("ladder"), rung = parameters.find("rung");
    if (ladder == parameters.end() || rung == parameters.end()) return MainWindow::tr("loading …");
    const bool whole = rung->second.find('/') != std::string::npos; // with its ladder's name
    const QString name = QString::fromStdString(whole ? rung->second : ladder->second + "/" + rung->second);
    const Session::Status status = presenter.session().status();
    if (status.to_evaluate == 0 && status.evaluated > 0) return MainWindow::tr("loading %1: %2 steps of lanes so far").arg(name, grouped(status.evaluated));
    if (status.to_evaluate <= 1) return MainWindow::tr("loading %1 …").arg(name);
    return MainWindow::tr("loading %1: %2 of %3 blocks are run").arg(name).arg(status.evaluated).arg(status.to_evaluate);
}

/// A round of the loop in which much was painted has no look, too: what people did meanwhile comes first.
void MainWindow::tick() {
    if (std::exchange(painted_long_, false) && !late_.isActive()) return late_.start();
    late_.stop();
    if (scale_waits_) return scaleOn();
    if (!std::exchange(paints_next_, false)) return frame();
    painted_ = false;
    paintHeld(); // if nothing is held yet, it is painted once it is asked for; a look would make one long wait of two
}

void MainWindow::frame() {
    if (age_.elapsed() > first_numbers_ms) paceFrames();
    while (scale_waits_) scaleOn(); // for who does not wait for a turn
    painted_ = false;
    if (!paints_next_) paintHeld(); // after this look
    const Presenter::Sight sight = presenter_.look();
    files_->look();
    switch (sight) {
    case Presenter::Sight::failed:
        presentFailure();
        return;
    case Presenter::Sight::loading:
        if (!isWritten()) showMessage(loading_words(presenter_), false); // else keys would go elsewhere for as long as it takes
        if (!story_->isPresented() && story_->isVisible() && presenter_.hasSession()) story_->present(lesson_->look()); // it can be read, and need not be laid out later
        return;
    case Presenter::Sight::there: break;
    }
    showMessage({}, false);
    QElapsedTimer looked;
    looked.start();
    presentRun();
    if (looked.elapsed() >= long_look_ms) paintNextFrame();
}

void MainWindow::presentRun() {
    Look look = presenter_.frame();
    look.draft = drafts_.look();
    if (class_) {
        class_->present(look);
        return;
    }
    View* slowest = nullptr;
    for (View* view : stage_->views()) {
        view->present(look);
        if (auto* graph = qobject_cast<GraphWidget*>(view); graph && graph->values()) slowest = view;
    }
    if (slowest) paceFrames();
    // The graph's numbers are ready a frame later; while it plays, every view waits for them, so that all show one step.
    if (slowest && presenter_.status().playing && state().cursor.at_head)
        presenter_.hold(qobject_cast<GraphWidget*>(slowest)->values()->iteration);
    followKernel();
    const StoryModel& story = lesson_->look();
    const Veil veil = covers_now(*lesson_, state());
    stage_->veil(veil, !state().reduce_motion);
    transport_->strip()->setVeil(veil);
    if (story_->isVisible()) story_->present(story);
    why_->look();
    const int over_story = why_->open() ? placeWhy() : 0;
    story_->giveWay(over_story);
    header_->present(look, presenter_.tree());
    list_margin_->setVisible(state().paths_open && width() / host_->zoom() >= 1180 && presenter_.runsInSight().size() > 1); // one line needs no list
    list_->present(presenter_.runsInSight(), presenter_.stateInSight().run, state().cursor.iteration, veil);
    transport_->present(presenter_.playing(), presenter_.speed(), look.state.cursor, look.planned);
    transport_->strip()->present(presenter_.frameOfRows(), std::nullopt);
    items_->follow();
}

/// Over the story's head, so that what it explains stays in sight, or over all of it; where there is none, over the quietest corner
/// of the stage. Returns the pixels that it takes from the story's head.
int MainWindow::placeWhy() {
    const QRect stage = stage_->geometry();
    if (story_->isVisible()) {
        const QPoint at = story_->mapTo(content_, QPoint());
        const int width = std::min(story_->width() + metrics::gap, content_->width() - at.x());
        const int needed = why_panel_->heightNeeded(width), taken = needed + metrics::gap;
        const bool both = story_->hasRoomBelow(taken);
        why_panel_->setGeometry(at.x(), at.y(), width, both ? needed : story_->height());
        return both ? taken : 0;
    }
    const int width = std::min(std::clamp(why_panel_->widthNeeded(), 430, 620), stage.width() - 24);
    const int height = std::min(why_panel_->heightNeeded(width), stage.height() - 24);
    why_panel_->setGeometry(stage_->quietestCorner({width, height}).translated(stage.topLeft()));
    return 0;
}

void MainWindow::showMessage(const QString& sentence, bool fault) {
    stage_->say(sentence, fault);
    if (class_) class_->stage().say(sentence, fault);
}

/// What made the Run fail can be mended beside the sentence: the story stays, with its controls.
void MainWindow::presentFailure() {
    QString sentence = engine_words(presenter_.status().failure);
    // Only where what one did last is what is computed: nobody set it right by going back a page.
    const Moment* last = presenter_.history().last();
    const auto setting = [](const AppState& s) { return std::tie(s.card, s.parameters, s.seed); };
    if (last && (setting(last->state) != setting(state()) || last->runs < presenter_.runs().size())) sentence += QStringLiteral("\n\n") + tr("Ctrl+Z takes the last change back.");
    showMessage(sentence, true);
    if (story_->isVisible()) story_->present(lesson_->look());
    list_margin_->hide();
    header_->presentNothing();
    transport_->presentNothing();
}

} // namespace gradus
