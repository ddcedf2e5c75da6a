#include "lessons/experiments/train_mlp/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/kernels/ladder.hpp"

#include <fmt/ranges.h>

namespace gradus::mlp {

std::vector<Dim> parse_widths(const std::string& text) {
    std::vector<Dim> widths;
    for (const std::string_view part : split(text, ',')) widths.push_back(parse_integer(trimmed(part)).value_or(0));
    return widths;
}

std::string widths_text(const std::vector<Dim>& widths) {
    return fmt::format("{}", fmt::join(widths, ","));
}

DataShape shape_of_data(const std::string& name) {
    if (name == "fashion-mnist") return {784, 10};
    if (name == "blobs") return {2, 3};
    return {2, 2};
}

Loss loss_that_fits(const std::string& data, DataShape shape, const std::vector<Dim>& layers, const std::string& name) {
    if (layers.front() != shape.width)
        throw ArgumentError(fmt::format("train_mlp: layers must begin with {}, the width of {}, not {}", shape.width, data, layers.front()));
    const Dim output = layers.back();
    const Loss loss = name == "softmax" ? Loss::softmax
                      : name == "mse"   ? Loss::mse
                      : name == "bce"   ? Loss::bce
                      : output == 1     ? Loss::mse
                                        : Loss::softmax;
    if (loss == Loss::softmax && output < shape.classes)
        throw ArgumentError(fmt::format("train_mlp: {} has {} classes, so layers must end with at least {}, not {}", data,
                                        shape.classes, shape.classes, output));
    if (loss == Loss::bce && output != 1)
        throw ArgumentError(fmt::format("train_mlp: loss bce needs layers that end with 1, not {}", output));
    if (loss == Loss::mse && output != 1 && output != shape.classes)
        throw ArgumentError(fmt::format("train_mlp: loss mse on {} needs layers that end with 1 or {}, not {}", data, shape.classes, output));
    if (output == 1 && shape.classes != 2)
        throw ArgumentError(fmt::format("train_mlp: layers that end with 1 tell two classes apart, but {} has {}", data, shape.classes));
    return loss;
}

namespace {

/// "3_shared" without its number.
std::string name_of(const Rung& rung) { return rung.id.substr(rung.id.find('_') + 1); }

} // namespace

std::vector<std::string> product_rungs() {
    std::vector<std::string> out{"auto"};
    for (const Ladder& ladder : all_ladders())
        if (ladder.id == "matmul")
            for (const Rung& rung : ladder.rungs) out.push_back(name_of(rung));
    return out;
}

std::string rungs_of_product(const std::string& name) {
    std::string out;
    for (const Ladder& ladder : all_ladders())
        if (ladder.id == "matmul" || ladder.id == "matmul_nt" || ladder.id == "matmul_tn")
            for (const Rung& rung : ladder.rungs)
                if (name_of(rung) == name) out += (out.empty() ? "" : " ") + ladder.id + "/" + rung.id;
    return out;
}

std::string forward_rung(const std::string& name) {
    const std::string rungs = rungs_of_product(name);
    if (rungs.empty()) throw ArgumentError("train_mlp: matmul_source stands in for the text of one kernel: say with matmul_rung of which");
    return rungs.substr(0, rungs.find(' ')); // the ladder of x·W comes first
}

namespace {

int read_watched(const std::string& name, std::size_t products) {
    if (name == "none") return 0;
    for (std::size_t layer = 1; layer <= products; ++layer)
        if (name == fmt::format("layer{}", layer)) return static_cast<int>(layer);
    throw ArgumentError(fmt::format("train_mlp: watch must be none or one of layer1 to layer{}, not '{}'", products, shortened(name)));
}

} // namespace

Settings read_settings(const Parameters& parameters, const Dataset& dataset) {
    Settings s;
    s.data = parameters.at("data");
    s.layers = parse_widths(parameters.at("layers"));
    s.activation = parameters.at("activation");
    s.loss = loss_that_fits(s.data, {dataset.width(), dataset.classes}, s.layers, parameters.at("loss"));
    s.batch = parse_integer(parameters.at("batch")).value_or(0);
    if (s.batch == 0) s.batch = dataset.size();
    if (s.batch > dataset.size())
        throw ArgumentError(fmt::format("train_mlp: batch must be at most {}, the size of {}, not {}", dataset.size(),
                                        s.data, s.batch));
    s.optimizer.kind =
        parameters.at("optimizer") == "momentum" ? Optimizer::Kind::momentum : Optimizer::Kind::sgd;
    s.optimizer.lr = parse_number(parameters.at("lr")).value_or(0);
    s.dtype = parameters.at("dtype") == "fp64" ? DType::f64 : DType::f32;
    s.seeds = static_cast<int>(parse_integer(parameters.at("seeds")).value_or(1));
    s.omit = parameters.at("omit");
    s.workers = static_cast<int>(parse_integer(parameters.at("workers")).value_or(0));
    if (s.workers > 0 && !dataset.images)
        throw ArgumentError(fmt::format("train_mlp: workers make batches of images, and {} is a set of points", s.data));
    s.watched = read_watched(parameters.at("watch"), s.products());
    return s;
}

} // namespace gradus::mlp
