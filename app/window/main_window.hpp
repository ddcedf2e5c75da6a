#pragma once

#include "app/window/keys.hpp"
#include "app/window/kernel_drafts.hpp"
#include "app/window/presenter.hpp"
#include "app/window/votes.hpp"
#include "views/theme/theme.hpp"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

class QMenu;

namespace gradus {

struct Card;
class FanKeys;
class WaitingKeys;
class HeaderBar;
class ItemFocus;
struct CheckEdit;
struct LearningPath;
struct Library;
class PathsPanel;
class PresenterStage;
class RunList;
class SettingPopup;
struct StoryParameter;
class LessonDriver;
class Progress;
class QuietLine;
class Recording;
class Stage;
class StoryView;
class TransportBar;
class Translator;
class ZoomHost;
class WindowFiles;
struct Card;
class WhyDriver;
class WhyPanel;

/// The window: paths, stage, story, transport round one Presenter. Once per frame it looks and shows what it sees; what
/// people do becomes an intent of the Presenter. It never waits for the engine.
class MainWindow : public QWidget {
    Q_OBJECT

public:
    /// On lessons: opens the state's card, or the first one there is. Answers are kept in `progress`, and what runs in
    /// `recording`, if there is one.
    MainWindow(std::shared_ptr<const Library> library, AppState state, Progress* progress = nullptr,
               Recording* recording = nullptr, QWidget* parent = nullptr);
    /// On one experiment without a lesson. Throws ArgumentError for an unusable request.
    explicit MainWindow(RunRequest request, AppState state = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    Presenter& presenter() { return presenter_; }
    const AppState& state() const { return presenter_.state(); }
    Session& session() { return presenter_.session(); }
    Stage& stage() { return *stage_; }
    LessonDriver& lesson() { return *lesson_; }
    StoryView& story() { return *story_; }
    HeaderBar& header() { return *header_; }
    WindowFiles& files() { return *files_; }
    /// The views on stage in place of the card's; none: the card's.
    void chooseViews(std::vector<std::string> ids);
    /// How large text may be: the rest of the window keeps the room that it needs.
    double mostScale() const;
    const Theme& theme() const { return theme_; }
    /// The card that is open, as its author has just saved it. Throws ArgumentError for an experiment that cannot be.
    void replaceCard(const Card& card);
    ItemFocus& items() { return *items_; }
    WhyDriver& why() { return *why_; }
    const Translator* translator() const { return translator_.get(); } ///< null in English
    const std::vector<KeyAction>& actions() const { return actions_; }
    /// What stands in front of a class now; null: nothing.
    PresenterStage* classStage() { return class_; }

public slots:
    /// One look at the session; the timer calls it some sixty times a second.
    void frame();
    void openCard(const QString& id);
    /// As a person chooses it: it stands where its first part says. The one that is open already goes back there.
    void chooseCard(const QString& id);
    /// The card again, with the parameters as they are now.
    void restart();
    void showKeys();
    /// The lesson in front of a class, over the whole window and, where there is a screen, over that.
    void enterClass();
    void leaveClass();
    /// A field for the learning rate; what is entered grows a branch at the cursor.
    void showRate();
    /// The fan of learning rates, or a sentence why there is none.
    void openFan();
    void askForNumber(QWidget* view, const Edit& now, double reach, const QRect& beside);
    /// As the track names the card that is open, or as it names itself.
    QString lessonName() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr int story_width = 340; // pixels

    void build();
    void connectIntents();
    void connectStage(Stage* stage);
    void applyScale();
    void changeScale();
    void countPainting(qint64 ms);
    void scaleOn();
    void tick();
    void paintNextFrame();
    void paintHeld();
    void scaleText(int by);
    std::vector<KeyAction> keyTable();
    void applyState(); ///< theme, language, panels: what does not follow from the Run
    void applyTheme();
    void applyLanguage();
    void retranslate();
    void showMenu();
    void showTracks(QPoint where);
    void showStops();
    void addStops(QMenu& menu);
    SettingPopup* ask(const StoryParameter& parameter);
    void askForStop(const StoryParameter& number, const QString& refusal);
    void addTracks(QMenu& menu);
    void arrangeStage();
    void toggleAlone();
    void toggleOwnCover();
    void goIntoTrack();
    void writeKernel();
    bool isWritten() const;
    void beginKernel(const CheckEdit& asked);
    void draftKernel(const QString& text, bool run);
    void takeKernel(const QString& text);
    void runKernel(const QString& text);
    void dropKernel();
    void recordBlock(int launch, qint64 block);
    void followKernel();
    void leaveKernel();
    const CheckEdit* askedKernel() const; ///< that somebody writes now; null: none
    void chooseBeside(const QString& card);
    void sayWhatGoes();
    void watchViews();
    void takeCard(const Card& card);
    void showCard(const Card& card);
    void resumeCard(const Moment& moment);
    void presentPaths();
    void presentRun();
    void paceFrames();
    int placeWhy();
    void showMessage(const QString& sentence, bool fault);
    void presentFailure();

    std::shared_ptr<const Library> library_;
    Presenter presenter_;
    std::unique_ptr<WaitingKeys> waiting_keys_; ///< what is typed before the editor is there
    std::unique_ptr<FanKeys> fan_keys_; ///< gone before what it speaks to: it hears of the window's end
    Progress* progress_ = nullptr;
    Recording* recording_ = nullptr;
    WindowFiles* files_ = nullptr;
    LessonDriver* lesson_ = nullptr;
    QString next_card_, previous_card_; ///< beside it on the track; empty: none
    const LearningPath* path_ = nullptr;
    static constexpr int long_look_ms = 8; ///< after a longer look or painting, what people did is looked at before the next
    QTimer timer_{this};
    bool paints_next_ = false; ///< the next frame only paints; until then nothing is painted
    QTimer late_;              ///< the frame that waits for another round of the loop
    bool painted_ = false;     ///< since the last frame began: what comes later is painted with the next
    bool painted_long_ = false; ///< since the last look, all in one, or about to be
    bool updating_ = false;    ///< it paints what it was asked for
    bool held_ = false;        ///< something would have been
    bool scale_waits_ = false; ///< a new size of the text, or its other half, is the next turn's
    QElapsedTimer age_; ///< of the window
    Theme theme_;
    AppState shown_; ///< the state as the widgets last took it over
    std::unique_ptr<Translator> translator_;
    std::vector<KeyAction> actions_;

    HeaderBar* header_ = nullptr;
    PathsPanel* paths_ = nullptr;
    QWidget* list_margin_ = nullptr; ///< hidden with the list: a layout alone would keep its place
    RunList* list_ = nullptr;
    Stage* stage_ = nullptr;
    QWidget* content_ = nullptr; ///< everything but what stands in front of a class
    ZoomHost* host_ = nullptr;
    PresenterStage* class_ = nullptr;
    KernelDrafts drafts_{this};
    QString drafting_; ///< the question whose kernel is being written, as LessonDriver::editKey(); empty: none
    bool was_writing_ = false;
    std::optional<std::pair<std::string, Parameters>> before_kernel_; ///< the card and its parameters, before a kernel was begun
    Votes votes_; ///< of this sitting
    bool was_full_ = false;
    StoryView* story_ = nullptr;
    QuietLine *offer_ = nullptr, *note_ = nullptr; ///< in the header, and over the story
    TransportBar* transport_ = nullptr;
    ItemFocus* items_ = nullptr;
    WhyPanel* why_panel_ = nullptr;
    WhyDriver* why_ = nullptr;
};

} // namespace gradus
