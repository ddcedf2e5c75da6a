#pragma once

#include "views/state/listing.hpp"
#include "views/state/view.hpp"

#include <QStringList>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

class QGridLayout;
class QPushButton;

namespace gradus {

/// A kind of view: its id as cards write it, and its name as a person says it.
struct ViewKind {
    const char* id;
    QString name;
};
std::vector<ViewKind> view_kinds();
/// Whether a view of this id draws the fan of futures.
bool shows_fan(const std::string& id);

/// The middle of the window: one to three views that share one cursor. The first one is large. Where there is no room for
/// all, those that are left are chosen by their names above.
class Stage : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t most = 3;

    explicit Stage(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    /// Shows these views; unknown ids are left out. The views that stay are kept as they are. `front`: the one that comes
    /// first where not all have room, and with `alone` the only one.
    void arrange(const std::vector<std::string>& ids, const std::string& front = {}, bool alone = false);
    /// The program that the lesson shows beside its run; null: none.
    void setListing(std::shared_ptr<const Listing> listing);
    /// The view that has the keys, else the one under the mouse, else the first; empty where there is none.
    std::string current() const;
    /// Words in the language that is now the lab's.
    void retranslate();
    /// For a class: views without notes, and no names of those there is no room for.
    void setSparse(bool sparse) { sparse_ = sparse; }
    const std::vector<std::string>& ids() const { return ids_; }
    const std::vector<View*>& views() const { return views_; }
    /// Opens the editor of the kernel that is on stage; false: there is none that could be written in.
    bool openEditor();
    /// In the kernel on stage, to what was found next; why not, where one stays where one is.
    QString nextFinding();
    /// Where a panel of that size covers least of the graph, then of the tensor, then of the main view: in a corner, the
    /// upper right one if none is better.
    QRect quietestCorner(QSize size) const;
    void present(const Look& look);
    /// In place of the views: one sentence, a fault perhaps; an empty one shows the views again.
    void say(const QString& sentence, bool fault);
    const QString& said() const { return sentence_; }
    /// Covers on all views what a prediction hides. Called after present(). `line`: width of the covers' edges in pixels.
    void veil(const Veil& veil, bool motion, double line = 1);

signals:
    void selected(const gradus::Selection& selection);
    void exampleChosen(qint64 example);
    void comparedChosen(qint64 iteration);
    void cursorMoved(qint64 iteration);
    void eventChosen(int ordinal);
    void edited(const gradus::Edit& edit);
    void dragged(const gradus::Edit& edit);
    void dragCancelled();
    void numberWanted(gradus::View* view, const gradus::Edit& now, double reach, const QRect& beside);
    void futureChosen(int future);
    void futureTaken();
    void drafted(const QString& text, bool run);
    void draftDropped();
    void blockWanted(int launch, qint64 block);
    /// Another view is to come first, alone or not.
    void arranged(const QString& front, bool alone);
    void moduleToggled(const QString& module);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    View* make(const std::string& id);
    std::size_t room() const; ///< how many views can be read side by side
    void place();
    void placeOnce();
    void shareLowerRow();
    void placeNames(const std::vector<View*>& shown);
    QPushButton* nameButton(const QString& text);
    void askFor(const std::string& front, bool alone);

    bool sparse_ = false, placing_ = false, stale_ = false;
    bool alone_ = false; ///< only the first is shown, however much room there is
    std::size_t lead_ = 0, placed_ = 0; ///< the view that comes first where not all have room; how many are shown
    QWidget* names_ = nullptr; ///< of all views, to choose from, where not all have room

    QString sentence_; ///< in place of the views
    bool fault_ = false;
    Theme theme_;
    QGridLayout* grid_;
    std::vector<std::string> ids_;
    std::shared_ptr<const Listing> listing_;
    std::vector<View*> views_; ///< in the order of ids_; children of this
};

} // namespace gradus
