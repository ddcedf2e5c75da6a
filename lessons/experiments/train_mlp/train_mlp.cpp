#include "lessons/experiments/train_mlp/train_mlp.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/train_mlp/answers.hpp"
#include "lessons/experiments/train_mlp/process.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

Dim examples_of(const std::string& data) { return data == "fashion-mnist" ? 60'000 : data == "xor" ? 4 : 400; }

class TrainMlp : public Experiment {
public:
    std::string id() const override { return "train_mlp"; }
    std::string title() const override { return "Train a multi-layer perceptron"; }
    StepIndex standard_steps() const override { return 300; }

    const std::vector<ParameterInfo>& parameters() const override {
        using Type = ParameterInfo::Type;
        static const std::vector<ParameterInfo> list{
            {"data", Type::choice, "fashion-mnist", "", 0, 0, dataset_names(), "the data set"},
            {"layers", Type::widths, "784,128,64,10", "", 0, 0, {}, "widths, from the input to the output"},
            {"activation", Type::choice, "relu", "", 0, 0, {"step", "sigmoid", "tanh", "relu", "gelu", "silu"},
             "the function between the layers"},
            {"loss", Type::choice, "auto", "", 0, 0, {"auto", "softmax", "mse", "bce"},
             "auto is mean squared error at output width 1, else softmax cross-entropy"},
            {"batch", Type::integer, "256", "examples", 0, 1e6, {}, "examples per step; 0 is the whole data set"},
            {"optimizer", Type::choice, "sgd", "", 0, 0, {"sgd", "momentum"}, "the update rule"},
            {"lr", Type::number, "0.5", "", 0, 1e30, {}, "the learning rate"},
            {"dtype", Type::choice, "fp32", "", 0, 0, {"fp32", "fp64"}, "the type of every number in the net"},
            {"seeds", Type::integer, "1", "nets", 1, 100'000, {}, "how many nets are trained, from consecutive seeds"},
            {"omit", Type::choice, "none", "", 0, 0, {"none", "zero_grad", "backward", "step"},
             "the line of the training loop that is left out"},
            workers_parameter(),
            {"matmul_rung", Type::choice, "auto", "", 0, 0, mlp::product_rungs(),
             "the kernel that makes the products on --device simt; auto is the fastest there"},
            {"matmul_source", Type::text, "own", "", 0, 0, {}, "own, or the text of a CUDA file that stands in for that kernel's in every x·W"},
            {"watch", Type::words, "none", "", 0, 0, {},
             "the layer whose product x·W is recorded lane by lane on --device simt in each observed step: none or such as layer1"},
        };
        return list;
    }

    const std::vector<QuestionInfo>& questions() const override { return mlp::questions(); }

    std::unique_ptr<Process> start(const Setup& setup) const override {
        return std::make_unique<mlp::TrainProcess>(setup);
    }

    Answer answer(std::string_view question, const Arguments& arguments, const Setup& setup,
                  const Run* run) const override {
        return mlp::answer(*this, question, arguments, setup, run);
    }

    /// The net's first width is the data's; its last one fits the number of classes and the loss. Layers that were given
    /// for themselves are refused where they do not fit.
    Parameters with(const Parameters& given, const std::string& name, const std::string& value) const override {
        Parameters out = Experiment::with(given, name, value);
        if (name != "data" && name != "batch" && name != "loss" && name != "layers") return out;
        const mlp::DataShape shape = mlp::shape_of_data(out["data"]);
        std::vector<Dim> widths = mlp::parse_widths(out["layers"]);
        if (name != "layers") {
            widths.front() = shape.width;
            if (widths.back() < shape.classes && !(widths.back() == 1 && shape.classes == 2)) widths.back() = shape.classes;
            if (name == "data" && widths.back() > 1) widths.back() = shape.classes;
            if (name == "loss" && value == "softmax") widths.back() = std::max(widths.back(), shape.classes);
            if (name == "loss" && value == "bce" && shape.classes == 2) widths.back() = 1;
            out["layers"] = mlp::widths_text(widths);
        }
        if (name == "data" && value != "fashion-mnist") out["workers"] = "0";
        mlp::loss_that_fits(out["data"], shape, widths, out["loss"]);
        if (const Dim examples = examples_of(out["data"]); parse_integer(out["batch"]).value_or(0) > examples) {
            if (name == "batch") throw ArgumentError(fmt::format("train_mlp: batch must be at most {}, the size of {}, not {}", examples, out["data"], value));
            out["batch"] = std::to_string(examples);
        }
        return out;
    }
    double most_beside(const ParameterInfo& info, const Parameters& others) const override {
        return info.name == "batch" ? static_cast<double>(examples_of(others.at("data"))) : info.most;
    }
};

} // namespace

const Experiment& train_mlp() {
    static const TrainMlp experiment;
    return experiment;
}

} // namespace gradus
