#pragma once

#include <QSize>
#include <memory>
#include <vector>

class QWidget;

namespace gradus {

/// The plotting library as it comes, nothing of ours in it: what the benchmark sets our views beside.
class PlainPlot {
public:
    explicit PlainPlot(QSize size);
    ~PlainPlot();
    /// A curve over 0, 1, 2, …, drawn with the library's own thinning.
    void setCurve(const std::vector<double>& values);
    /// A colour map of side × side cells.
    void setHeat(int side, const std::vector<float>& values);
    /// Draws all of it anew.
    void redraw();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace gradus
