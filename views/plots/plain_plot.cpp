#include "views/plots/plain_plot.hpp"

#include <qcustomplot.h>

namespace gradus {

struct PlainPlot::Parts {
    QCustomPlot plot;
    QCPColorMap* heat = nullptr; // the plot owns it
};

PlainPlot::PlainPlot(QSize size) : parts_(std::make_unique<Parts>()) {
    parts_->plot.resize(size);
    parts_->plot.setPlottingHint(QCP::phFastPolylines); // at its best
}

PlainPlot::~PlainPlot() = default;

void PlainPlot::setCurve(const std::vector<double>& values) {
    parts_->plot.clearPlottables();
    QCPGraph* graph = parts_->plot.addGraph();
    graph->setAdaptiveSampling(true);
    graph->setAntialiased(false);
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) data.append({static_cast<double>(i), values[i]});
    graph->data()->set(data, true);
    parts_->plot.rescaleAxes();
}

void PlainPlot::setHeat(int side, const std::vector<float>& values) {
    if (!parts_->heat) {
        parts_->plot.clearPlottables();
        parts_->heat = new QCPColorMap(parts_->plot.xAxis, parts_->plot.yAxis);
        parts_->heat->data()->setSize(side, side);
        parts_->heat->data()->setRange({0, 1}, {0, 1});
        parts_->heat->setGradient(QCPColorGradient::gpPolar);
        parts_->heat->setDataRange({-1, 1});
        parts_->heat->setInterpolate(false);
        parts_->plot.rescaleAxes();
    }
    QCPColorMapData& data = *parts_->heat->data();
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) data.setCell(x, y, static_cast<double>(values[static_cast<std::size_t>(y * side + x)]));
}

void PlainPlot::redraw() { parts_->plot.replot(QCustomPlot::rpImmediateRefresh); }

} // namespace gradus
