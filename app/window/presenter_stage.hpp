#pragma once

#include "app/window/votes.hpp"
#include "views/state/look.hpp"
#include "views/story/story_model.hpp"
#include "views/theme/theme.hpp"

#include <QWidget>
#include <optional>

namespace gradus {

struct Card;
struct Scene;
class LessonDriver;
class Presenter;
class RichLabel;
class Stage;
class VotePanel;
class Spotlight;
class ZoomHost;

/// The lesson in front of a class: the stage fills the screen with at most two views and one line of words, drawn so
/// large that the back row reads them. After the parts come the card's questions, with their answers covered, their
/// choices by keys, and hands that are counted; `R` has the engine answer, and `L` puts a spotlight where the pointer is.
class PresenterStage : public QWidget {
    Q_OBJECT

public:
    /// `votes` outlives this: what was voted is there again when one comes back.
    PresenterStage(const Theme& theme, Presenter& presenter, LessonDriver& lesson, Votes& votes, QWidget* parent);
    ~PresenterStage() override;

    void setTheme(const Theme& theme);
    /// Shows these views, two at most. The first is the one that a question without a covered view is asked beside.
    void arrange(const Card* card, const std::vector<std::string>& views);
    /// Called once per frame.
    void present(const Look& look);

    /// Gives the lesson back to the learner; nothing is to be done with this afterwards but deleting it.
    void leave();

    /// Pages are the parts of the lesson and then its questions, from 0.
    void goToPage(std::size_t page);
    std::size_t page() const;
    std::size_t pages() const;
    bool asking() const { return question_.has_value(); }
    bool blank() const { return blank_; }

    Stage& stage() { return *stage_; }
    const RichLabel& caption() const { return *caption_; }
    const VotePanel& choices() const { return *choices_; }
    const Spotlight& spotlight() const { return *spotlight_; }

    /// Pixels on this screen that are one at a height of 800.
    double unit() const { return height() / 800.0; }

signals:
    void left(); ///< Esc
    void painted(qint64 ms); ///< the views, which took so long

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void next();
    void back();
    void count(int choice, int by);
    bool moveLight(const QKeyEvent& event);
    void layOut();
    void setCaption(const QString& markdown);
    QStringList footer() const; ///< what it says on the left, and the key that moves on with its word
    bool answered() const;
    bool tellsValue() const; ///< beside the choices stands the engine's number
    void showViews();
    Scene sceneOfQuestion() const;

    Theme theme_;
    Presenter& presenter_;
    LessonDriver& lesson_;
    Votes& votes_;
    const Card* card_ = nullptr;
    std::vector<std::string> views_;
    std::optional<std::size_t> question_;
    std::optional<StoryCheck> check_; ///< as of the last frame
    bool blank_ = false, left_ = false;
    ZoomHost* host_;
    Stage* stage_;
    RichLabel* caption_;
    VotePanel* choices_;
    Spotlight* spotlight_;
    QRectF foot_;
    double choices_wanted_ = 0; ///< pixels
    QString caption_text_;
    QString told_, own_caption_, told_caption_; ///< of the part, as last looked at
    QStringList shown_foot_;
};

} // namespace gradus
