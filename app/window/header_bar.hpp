#pragma once

#include "engine/trace/derive/event_tree.hpp"
#include "views/state/look.hpp"
#include "views/theme/theme.hpp"

#include <QLabel>
#include <QPushButton>

namespace gradus {

/// The line at the top: the program, where the cursor stands (run › step › phase › layer › op), and what computes it.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    HeaderBar(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    void retranslate();
    void present(const Look& look, const EventTree& tree);
    void presentNothing(); ///< there is no Run
    /// What has something to say now and then: while it is shown it stands where the place is, so that nothing below moves.
    void hold(QWidget* line);
    /// What is being recorded, or empty.
    void setRecording(const QString& words);
    QPushButton* menuButton() const { return menu_; }
    /// The learning rate at the cursor; hidden where the Run has none.
    QPushButton* rateButton() const { return rate_; }
    QPushButton* helpButton() const { return help_; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void share();
    QString placeText(QStringList crumbs) const;

    QLabel* name_;
    QLabel* place_;
    QLabel* machine_;
    QLabel* recording_;
    QWidget* line_ = nullptr;
    QPushButton* rate_;
    QPushButton* menu_;
    QPushButton* help_;
    QStringList crumbs_;   ///< where one stands, from the Run inwards
    int crumbs_room_ = -1; ///< pixels there were for them
};

} // namespace gradus
