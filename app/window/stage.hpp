#pragma once

#include "views/state/view.hpp"

#include <QStringList>
#include <QWidget>
#include <string>
#include <vector>

class QGridLayout;

namespace gradus {

/// A kind of view: its id as cards write it, and its name as a person says it.
struct ViewKind {
    const char* id;
    QString name;
};
std::vector<ViewKind> view_kinds();

/// The middle of the window: one to three views that share one cursor. The first one is large.
class Stage : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t most = 3;

    explicit Stage(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    /// Shows these views; unknown ids are left out. The views that stay are kept as they are.
    void arrange(const std::vector<std::string>& ids);
    /// Makes the views anew, with their words in the language that is now the lab's.
    void retranslate();
    const std::vector<std::string>& ids() const { return ids_; }
    const std::vector<View*>& views() const { return views_; }
    void present(const Look& look);

signals:
    void selected(const gradus::Selection& selection);
    void cursorMoved(qint64 iteration);
    void eventChosen(int ordinal);
    void edited(const gradus::Edit& edit);
    void dragged(const gradus::Edit& edit);
    void dragCancelled();
    void futureChosen(int future);
    void futureTaken();
    void moduleToggled(const QString& module);

private:
    View* make(const std::string& id);

    Theme theme_;
    QGridLayout* grid_;
    std::vector<std::string> ids_;
    std::vector<View*> views_; ///< in the order of ids_; children of this
};

} // namespace gradus
