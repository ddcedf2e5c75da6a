#include "views/story/story_field.hpp"

#include <QKeyEvent>

namespace gradus {

StoryField::StoryField(const StoryLook& look, bool bare, QWidget* parent) : QLineEdit(parent), bare_(bare), look_(look) {
    if (bare) setAlignment(Qt::AlignRight);
    setLook(look);
}

void StoryField::setLook(const StoryLook& look) {
    look_ = look;
    const Theme& t = look.theme;
    const QString font = mono_sheet(look.text_px(14), QFont::DemiBold);
    set_style(*this, QStringLiteral("QLineEdit { background: %1; color: %2; border: %3; border-radius: 8px; padding: 0 %4px; "
                                    "min-height: 0; %5 selection-background-color: %2; selection-color: %6; }"
                                    "QLineEdit:hover { background: %7; }"
                                    "QLineEdit:focus { border: 2px solid %2; padding: 0 %8px; background: %6; }"
                                    "QLineEdit:disabled { color: %9; }")
                          .arg(bare_ ? QStringLiteral("transparent") : t.surface.name(), t.ink.name(),
                               bare_ ? QStringLiteral("1px solid transparent") : "1px solid " + t.ink3.name(),
                               QString::number(bare_ ? 4 : 10), font, t.surface.name(), t.fill.name(),
                               QString::number(bare_ ? 3 : 9))
                          .arg(t.ink2.name()));
}

bool StoryField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && !isModified()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) return true; // not accepted: it is the window's
    }
    return QLineEdit::event(event);
}

int StoryField::heightNeeded() const { return static_cast<int>(look_.px(bare_ ? 24 : 36)); }

} // namespace gradus
