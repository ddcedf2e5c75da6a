#pragma once

#include "views/state/kept_picture.hpp"

#include <QTimer>
#include <qcustomplot.h>

namespace gradus {

/// The library keeps its picture in pixels of the widget. Where the lab is shown larger it is told to keep those of the
/// screen, and what it kept is put there pixel for pixel.
class KeptPlot : public QCustomPlot {
public:
    explicit KeptPlot(QWidget* parent);
    /// Once, however often it is asked for, and after the keys and clicks that have come meanwhile.
    void replotSoon() { soon_.start(0); }

protected:
    /// The axes are where they belong at once; what lies between them is drawn when it is to be seen, not for every size
    /// that a layout tries.
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QTimer soon_;
    KeptPicture enlarged_; ///< all of the library's layers
    bool stale_ = false;
};

} // namespace gradus
