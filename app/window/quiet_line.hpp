#pragma once

#include "views/theme/theme.hpp"

#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <vector>

namespace gradus {

class ParagraphLabel;

/// One sentence with perhaps some buttons, in its own row; hidden while there is nothing to say. It asks nothing that has
/// to be answered.
class QuietLine : public QWidget {
    Q_OBJECT

public:
    /// A long sentence is broken over lines where `wrap`, else cut with an ellipsis.
    QuietLine(const Theme& theme, bool wrap, QWidget* parent);
    void setTheme(const Theme& theme);
    /// The sentence and the words of the buttons; nothing at all hides the line.
    void say(const QString& sentence, const QStringList& buttons = {});
    const QString& sentence() const { return sentence_; }
    const std::vector<QPushButton*>& buttons() const { return buttons_; }

signals:
    void pressed(int button); ///< counts from 0

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    Theme theme_;
    bool wrap_;
    QString sentence_;
    QStringList words_;
    ParagraphLabel* label_;
    std::vector<QPushButton*> buttons_;
};

} // namespace gradus
