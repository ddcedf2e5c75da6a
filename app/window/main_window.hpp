#pragma once

#include "app/window/keys.hpp"
#include "app/window/presenter.hpp"
#include "views/theme/theme.hpp"

#include <QTimer>
#include <QWidget>
#include <memory>

namespace gradus {

struct Card;
class HeaderBar;
class ItemFocus;
struct LearningPath;
struct Library;
class PathsPanel;
class RunList;
class LessonDriver;
class Progress;
class Stage;
class StoryView;
class TransportBar;
class Translator;

/// The window: paths, stage, story, transport round one Presenter. Once per frame it looks and shows what it sees; what
/// people do becomes an intent of the Presenter. It never waits for the engine.
class MainWindow : public QWidget {
    Q_OBJECT

public:
    /// On lessons: opens the state's card, or the first one there is. Answers are kept in `progress`, if there is one.
    MainWindow(std::shared_ptr<const Library> library, AppState state, Progress* progress = nullptr, QWidget* parent = nullptr);
    /// On one experiment without a lesson. Throws ArgumentError for an unusable request.
    explicit MainWindow(RunRequest request, AppState state = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    Presenter& presenter() { return presenter_; }
    const AppState& state() const { return presenter_.state(); }
    Session& session() { return presenter_.session(); }
    Stage& stage() { return *stage_; }
    LessonDriver& lesson() { return *lesson_; }
    StoryView& story() { return *story_; }
    ItemFocus& items() { return *items_; }
    const Translator* translator() const { return translator_.get(); } ///< null in English
    const std::vector<KeyAction>& actions() const { return actions_; }

public slots:
    /// One look at the session; the timer calls it some sixty times a second.
    void frame();
    void openCard(const QString& id);
    /// The card again, with the parameters as they are now.
    void restart();
    void showKeys();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void connectIntents();
    std::vector<KeyAction> keyTable();
    void applyState(); ///< theme, language, panels: what does not follow from the Run
    void applyTheme();
    void applyLanguage();
    void retranslate();
    void showMenu();
    void arrangeStage();
    void watchViews();
    void showCard(const Card& card);
    void resumeCard(const Moment& moment);
    void presentPaths();
    void presentRun();
    void showMessage(const QString& sentence, bool fault);

    std::shared_ptr<const Library> library_;
    Presenter presenter_;
    Progress* progress_ = nullptr;
    LessonDriver* lesson_ = nullptr;
    const LearningPath* path_ = nullptr;
    QTimer timer_{this};
    Theme theme_;
    AppState shown_; ///< the state as the widgets last took it over
    std::unique_ptr<Translator> translator_;
    std::vector<std::string> views_; ///< chosen over the card's; empty: the card's
    std::vector<KeyAction> actions_;
    QString message_;
    bool fault_ = false;

    HeaderBar* header_ = nullptr;
    PathsPanel* paths_ = nullptr;
    RunList* list_ = nullptr;
    Stage* stage_ = nullptr;
    StoryView* story_ = nullptr;
    TransportBar* transport_ = nullptr;
    ItemFocus* items_ = nullptr;
};

} // namespace gradus
