#pragma once

#include "tests/views/sample_run.hpp"
#include "views/tensor/tensor_painter.hpp"
#include "views/tensor/tensor_view.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus::testing {

/// Three recorded steps of a net; made once.
std::shared_ptr<const Run> run_of(const std::string& data, const std::string& layers);
inline std::shared_ptr<const Run> fashion() { return run_of("fashion-mnist", "784,32,10"); }
/// A Run of one iteration that kept this one tensor, "t".
std::shared_ptr<const Run> run_with(const Shape& shape, const std::vector<float>& values, Role role = Role::activation);

/// A tensor's view in front of a Run, and what it says.
struct TensorStage {
    std::vector<std::shared_ptr<const Run>> runs;
    AppState state;
    TensorView view;
    std::vector<Selection> selected;
    std::vector<Edit> edited;

    TensorStage(std::shared_ptr<const Run> run, const std::string& tensor, QSize size = {640, 480}, StepIndex iteration = 0);
    void present() { view.present({runs, state, runs[0], 0, 10, false}); }
    void wait(); ///< until the worker has gone over the tensor
    void pin(std::vector<Dim> index);
    std::optional<ViewItem> item(const QString& id) const;
    QPoint centre(const std::vector<Dim>& index) const;
    void move(QPoint to); ///< with the left button held
    void pull(QPoint from, int up);
};

} // namespace gradus::testing
