#include "tests/views/tensor_stage.hpp"

#include "engine/trace/run_writer.hpp"

#include <QTest>
#include <map>

namespace gradus::testing {

std::shared_ptr<const Run> run_of(const std::string& data, const std::string& layers) {
    static std::map<std::string, std::shared_ptr<const Run>> made;
    auto& run = made[data + layers];
    if (!run) run = sample_run(data, layers, 3);
    return run;
}

std::shared_ptr<const Run> run_with(const Shape& shape, const std::vector<float>& values, Role role) {
    auto run = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr);
    RunWriter writer(run);
    EventSite site;
    site.name = site.path = "made";
    site.formula = "t = given";
    site.ordinal = 0;
    site.outputs = {{"t", role, DType::f32, shape}};
    const std::int32_t number = writer.add_site(site);
    writer.begin_iteration(0, true);
    writer.end(writer.begin(), number);
    auto kept = std::make_shared<IterationTensors>();
    kept->tensors = {{{{0, 0}, 0}, "t", role, Tensor::from<float>(*std::make_shared<BufferPool>(), shape, values), 0}};
    writer.keep(kept);
    writer.end_iteration();
    return run;
}

TensorStage::TensorStage(std::shared_ptr<const Run> run, const std::string& tensor, QSize size, StepIndex iteration)
    : runs{std::move(run)}, view(load_theme(ThemeMode::light)) {
    state.selection.tensor = tensor;
    state.cursor.iteration = iteration;
    QObject::connect(&view, &View::selected, &view, [this](const Selection& s) { selected.push_back(s); });
    QObject::connect(&view, &View::edited, &view, [this](const Edit& e) { edited.push_back(e); });
    view.resize(size);
    view.show();
    wait();
}

void TensorStage::wait() {
    for (int i = 0; i < 500; ++i) {
        present();
        if (!view.message().isEmpty()) return;
        if (view.shown() && view.shown()->model.iteration == state.cursor.iteration &&
            (state.selection.tensor.empty() || view.shown()->model.recorded.name == state.selection.tensor))
            return;
        QTest::qWait(5);
    }
    QFAIL("the worker does not answer");
}

void TensorStage::pin(std::vector<Dim> index) {
    state.selection.element = std::move(index);
    present();
}

std::optional<ViewItem> TensorStage::item(const QString& id) const {
    for (const ViewItem& item : view.items())
        if (item.id == id) return item;
    return std::nullopt;
}

QPoint TensorStage::centre(const std::vector<Dim>& index) const {
    return rect_of(view.layoutOfItems(), view.shown()->model, index).center().toPoint();
}

void TensorStage::move(QPoint to) { // QTest::mouseMove says nothing of buttons
    QMouseEvent event(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&view, &event);
}

void TensorStage::pull(QPoint from, int up) {
    QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, from);
    move(from - QPoint(0, up / 2));
    move(from - QPoint(0, up));
}

} // namespace gradus::testing
