#pragma once

#include "views/overview/run_strips.hpp"
#include "views/theme/theme.hpp"

#include <QAbstractButton>
#include <QLabel>

namespace gradus {

/// A round or plain button of the transport, drawn in ink.
class TransportButton : public QAbstractButton {
    Q_OBJECT

public:
    enum class Glyph { first, back, play, pause, step, last, slower, faster, out, in };
    TransportButton(Glyph glyph, QWidget* parent);
    void retranslate();
    void setGlyph(Glyph glyph);
    void setTheme(const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    Glyph glyph_;
    Theme theme_;
};

/// Level, speed, first, back, play, step, last, and the two strips of the run.
class TransportBar : public QWidget {
    Q_OBJECT

public:
    TransportBar(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    void retranslate();
    void present(bool playing, double speed, const Cursor& cursor, StepIndex planned);
    void presentNothing(); ///< there is no Run
    RunStrips* strip() const { return strip_; }

signals:
    void first();
    void back();
    void playOrPause();
    void step();
    void last();
    void levelOut();
    void levelIn();
    void speedChanged(double stepsPerSecond); ///< 0: as fast as it goes

public slots:
    void slower() { changeSpeed(-1); }
    void faster() { changeSpeed(1); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void changeSpeed(int by);
    void fit(StepIndex planned);

    Theme theme_;
    QLabel *level_, *level_word_;
    QLabel *speed_, *speed_word_;
    QLabel* position_;
    TransportButton* play_;
    RunStrips* strip_;
    double current_speed_ = 30;
};

} // namespace gradus
