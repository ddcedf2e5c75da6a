#pragma once

#include <QObject> // first: Qt 6.4's moc stumbles over the standard library's concepts otherwise

#include "app/window/futures.hpp"
#include "app/window/history.hpp"
#include "app/window/last_owner.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "lessons/runtime/session.hpp"
#include "views/state/look.hpp"

#include <QString>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace gradus {

struct Card;
struct Scene;

/// The window without its widgets: the session on the current lesson, the one AppState, its history, and every intent a
/// person can have. It looks at the session once per frame and never waits for it.
class Presenter : public QObject {
    Q_OBJECT

public:
    explicit Presenter(AppState state = {}, QObject* parent = nullptr);

    /// Starts a session on what is asked and plays; an earlier session ends. Throws ArgumentError for an unusable request.
    void open(RunRequest request);
    /// The same with the card's parameters, where the state changes none.
    void open(const Card& card);
    /// The same, standing where the card's first part stands, if it says so; the Run is computed meanwhile.
    void openPrepared(const Card& card);
    /// The same card with other parameters. Whoever stands at a step stands at the same one of the new Run, which is computed
    /// as far as the old one was; else it plays.
    void restart(const Card& card);
    /// Goes on where a recorded session of the current card ended: computes its Runs again, then stands where `state` did.
    void goOn(std::vector<std::shared_ptr<const Run>> runs, const AppState& state);
    /// While that is being done.
    bool resuming() const { return resume_.has_value(); }
    /// The current card as its author has just saved it: part and cursor stay; another experiment starts anew.
    void replaceCard(const Card& card);
    /// Called for every session that is about to start; what it returns is called for each of its Runs.
    void setRunHook(std::function<Session::RunStarted()> hook) { run_hook_ = std::move(hook); }
    /// The same, but paused where the moment was: computed as far, the cursor on its event.
    void resume(const Card& card, const Moment& moment);
    /// What is needed to come back to now.
    Moment moment() const;

    // --- one look per frame ---------------------------------------------------------------------------------
    enum class Sight { loading, failed, there };
    /// Adopts what the session did since the last look; the cursor at the head goes along.
    Sight look();
    /// What the views see; only where look() said `there`. While something is dragged, that is what it would do.
    Look frame() const;
    /// All Runs but those that were dropped, and the state with the number of the selected one among them.
    const std::vector<std::shared_ptr<const Run>>& runsInSight() const { return kept_runs_.empty() ? runs_ : kept_runs_; }
    const AppState& stateInSight() const { return kept_runs_.empty() ? state_ : kept_state_; }
    /// Whether all that the views show of the cursor's iteration is at hand.
    bool isComplete() const { return frame().full != nullptr && left_.state != Detail::State::computing; }
    /// The same for the rows of the transport: without the futures of a fan, for which there is no room.
    Look frameOfRows() const;
    /// The views are one frame behind at the head while it plays; so that all show one step, the cursor waits for them.
    void hold(StepIndex iteration) { state_.cursor.iteration = iteration; }

    const AppState& state() const { return state_; }
    bool hasSession() const { return session_ != nullptr; }
    Session& session() { return *session_; }
    const Session& session() const { return *session_; }
    const Session::Status& status() const { return status_; }
    const std::vector<std::shared_ptr<const Run>>& runs() const { return runs_; }
    const std::shared_ptr<const Run>& run() const { return runs_[state_.run]; }
    /// The data set that the session's Runs read; null where they read none, and for as long as it is not loaded.
    const std::shared_ptr<const Dataset>& data() const { return data_; }
    const EventTree& tree() const { return *tree_; }
    bool playing() const { return (status_.playing && !computesAhead()) || events_play_ || replays_; }
    double speed() const { return state_.cursor.level > Level::iteration ? state_.event_speed : state_.speed; }
    StepIndex last_iteration() const; ///< of the selected Run; 0 before there is any
    /// A change made now leaves the Run before this iteration, on a branch of its own.
    StepIndex edit_iteration() const;
    const History& history() const { return history_; }
    /// What was said last: a refused edit, what an edit did. Empty: nothing.
    const QString& said() const { return said_; }
    void say(const QString& sentence) { said_ = sentence; }
    const Fan* fan() const { return futures_ ? futures_->fan() : nullptr; }
    /// Something is dragged, or futures are held open: what is shown is not decided on.
    bool undecided() const { return futures_ && futures_->open(); }

public slots:
    void playOrPause();
    void stepForward() { step(1); }
    void stepBack() { step(-1); }
    void goTo(qint64 iteration, bool drag = false);
    void chooseEvent(int ordinal);
    void goFirst() { goTo(0); }
    void goLast();
    void goPrepared(); ///< where the lesson's current part stands, with the card's own parameters
    void levelIn();
    void levelOut();
    void selectRun(std::size_t run);
    void nextRun(int by);
    /// Takes the selected branch, and what left from it, out of sight. Undo brings them back.
    void dropBranch();
    void select(const gradus::Selection& selection);
    void chooseExample(qint64 example); ///< of the test set
    void compareWith(qint64 iteration);
    void submit(const gradus::Edit& edit);
    /// Sets a breakpoint for what is still to come, or takes it away.
    void setBreakpoint(const Edit& edit);
    /// While something is dragged: every view shows what the edit would do. The Run stands still meanwhile.
    void preview(const gradus::Edit& edit);
    /// The same for what a Run starts with: the step one stands on, in a Run that begins so.
    void previewAnew(const Parameters& parameters, std::uint64_t seed);
    void endPreview();
    /// Sixteen forks from here, with the learning rate from a quarter to four times.
    void openFan();
    void chooseFuture(int future);
    void nextFuture(int by);
    /// `go`: on with the chosen one, if one is; else nothing has changed.
    void closeFan(bool go);
    /// Of what playing goes through: steps, or at a level below them events; 0 is as fast as it goes.
    void setSpeed(double perSecond);
    void setCardStep(std::size_t step);
    /// In class a part is shown with the parameters that its text speaks of; afterwards the learner's own are there again.
    void setInClass(bool inClass);
    /// Beside a question a class sees what its scene says, and nothing of what the last part had set.
    void showScene(const Scene& scene);
    /// What a question's scene looks at, in the learner's own Run.
    void lookAtScene(const Scene& scene);
    /// The learner's own, also while a class is shown others.
    const Parameters& ownParameters() const { return own_ && own_->card == state_.card ? own_->parameters : state_.parameters; }
    void toggleBookmark();
    void nextBookmark(int by);
    void undo();
    void redo();
    /// Any other change of the state by a person: theme, language, sizes, panels.
    /// Those of one kind in a row are one step of undo, where they join.
    void change(const char* kind, const std::function<void(AppState&)>& how, bool joins = false);

signals:
    /// What is undone or redone lies in another card.
    void cardWanted(const gradus::Moment& moment);
    void opened();       ///< a session has begun
    void told(const QString& sentence); ///< what has just been done, where it may not be seen
    void stateChanged(); ///< by a person: what does not follow from the Run must be shown anew

private:
    void remember(const char* kind, bool joins = false) { history_.remember(moment(), kind, joins); }
    void step(int by);
    void begin(RunRequest request);
    std::shared_ptr<FormerRuns> keepFormer();
    bool goOnWithForks(const Card& card, const Moment& moment);
    RunRequest requestOf(const Card& card) const;
    void adopt(const Session::Status& status);
    void resume(const Session::Status& status);
    void lookAtFutures();
    void lookAtParent();
    void keepInSight();
    void lookAtData();
    void lookAtTree();
    void levelInKernel();
    void standStill();
    void fork(const Edit& edit, StepIndex iteration);
    void moveWithHead();
    void playEvents();
    void replay();
    /// As far as the selected Run will be computed, whatever one looks at meanwhile; 0: no further than it is.
    StepIndex promised() const { return state_.run == 0 ? promised_ : state_.run == ahead_run_ ? ahead_ : 0; }
    bool computesAhead() const { return status_.playing && promised() > 0 && !state_.cursor.at_head; } ///< of where one stands
    bool owes() const { return !runs_.empty() && state_.run < runs_.size() && promised() > run()->head(); }
    void seeFork(const Session::Status& status);
    void goOnPlaying();
    bool saysTheEnd();
    void putOn(StepIndex iteration, std::int32_t ordinal);
    void putOnPath(StepIndex iteration, const std::string& path);
    /// What a learner had before a class was shown something else.
    struct Own {
        std::string card;
        Parameters parameters;
        StepIndex head = 0; ///< so far it had been computed
        std::vector<std::shared_ptr<const Run>> runs = {}; ///< its forks too: they come back with it
        AppState state = {};
        bool replaced = false; ///< by another Run, for a scene
    };
    Own own() const;
    void standAt(const Card& card, const Scene& part);
    void standOn(StepIndex iteration, const std::string& path);
    void show(const Scene& scene);
    bool dropRecorded(); ///< false: nobody had looked at another block
    void lookAt(const Scene& scene);
    void takeParameters(const Parameters& parameters, const Scene& scene, bool in_class);
    bool takeForks(QString& problem);
    void apply(const Moment& moment);
    QString changeOf(std::size_t run) const; ///< what made it a branch, as it is written

    AppState state_;
    History history_;
    const Card* card_ = nullptr;
    RunRequest request_;
    std::unique_ptr<Session> session_;
    LastOwner last_owner_; ///< of sessions that were given up, and of Runs that nobody has decided on
    std::vector<std::shared_ptr<const Run>> runs_; ///< as of the last look
    std::shared_ptr<FormerRuns> forks_ = std::make_shared<FormerRuns>(); ///< what moments of this session name; filled when it is given up
    std::deque<std::shared_ptr<FormerRuns>> former_;                     ///< of sessions before this one that had forks: undo may want them again
    Session::Status status_;                       ///< as of the last look
    std::shared_ptr<const Dataset> data_;          ///< of the session
    Detail detail_;
    std::pair<std::size_t, StepIndex> detail_of_{0, -1}; ///< run and iteration that it was asked for
    Detail left_; ///< the same of the Run that this one left, while it can be compared
    std::optional<EventTree> tree_;
    std::shared_ptr<const Run> tree_run_;
    std::size_t tree_sites_ = 0;
    std::shared_ptr<const KernelTrace> tree_kernels_; ///< of the cursor's iteration
    struct Place {
        Cursor cursor;
        std::string path = {};                    ///< of the event there, if it is known by its name
        std::optional<Selection> selection = {};  ///< what is selected there
    };
    std::optional<Place> resumed_; ///< where one will stand once that has been computed, unless one goes elsewhere before
    StepIndex promised_ = 0; ///< as far as the first Run will be computed, whatever one looks at meanwhile
    std::size_t ahead_run_ = 0; ///< the newest branch,
    StepIndex ahead_ = 0;       ///< and as far as it was seen while it was dragged
    std::optional<Own> own_; ///< the learner's, while a class is shown the parts' parameters
    bool events_play_ = false; ///< below the iteration, playing walks the recorded events
    qint64 next_event_ms_ = 0;
    bool replays_ = false;     ///< playing walks the recorded iterations
    double replayed_ = 0;      ///< up to here,
    qint64 replayed_ms_ = 0;   ///< at this time
    std::function<Session::RunStarted()> run_hook_;
    std::optional<AppState> resume_; ///< where to stand once the recorded Runs are there again
    bool resume_selected_ = false;
    QString said_;
    std::shared_ptr<const Run> told_failure_; ///< the branch of which was said last why it failed
    std::unique_ptr<Futures> futures_; ///< of the session
    bool play_on_ = false;             ///< it played before it was made to stand still
    std::vector<std::shared_ptr<const Run>> kept_runs_; ///< without those that were dropped; empty if none was
    AppState kept_state_;                               ///< of now, with the number of the selected one among them
    std::vector<std::shared_ptr<const Run>> shown_runs_; ///< with a scratch fork at the end
    AppState shown_state_;
};

} // namespace gradus
