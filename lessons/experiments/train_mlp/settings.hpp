#pragma once

#include "engine/core/dtype.hpp"
#include "engine/data/dataset.hpp"
#include "engine/optim/optimizer.hpp"
#include "lessons/experiments/experiment.hpp"

#include <string>
#include <vector>

namespace gradus::mlp {

enum class Loss : std::uint8_t { softmax, mse, bce };

/// The parameters of train_mlp, read and checked against the data set.
struct Settings {
    std::string data;
    std::vector<Dim> layers; ///< widths, input first
    std::string activation;
    Loss loss = Loss::softmax;
    Dim batch = 64; ///< 0 in the parameters means the whole data set
    Optimizer::Settings optimizer;
    DType dtype = DType::f32;
    int seeds = 1;
    std::string omit; ///< "none", "zero_grad", "backward", "step"
    int workers = 0;   ///< see BatchSource; for images
    int watched = 0;   ///< the layer whose product is recorded lane by lane; 0: none

    bool whole_batch(const Dataset& dataset) const { return batch == dataset.size(); }
    std::size_t products() const { return layers.size() - 1; }
};

/// The width of the rows of a data set, and how many classes it has, without loading it.
struct DataShape {
    Dim width = 2;
    Dim classes = 2;
};
DataShape shape_of_data(const std::string& name);

/// The loss that parameter `loss` names for a net of these widths. Throws ArgumentError where they do not fit each other or
/// the data set.
Loss loss_that_fits(const std::string& data, DataShape shape, const std::vector<Dim>& layers, const std::string& name);

/// Throws ArgumentError where the parameters do not fit each other or the data set.
Settings read_settings(const Parameters& parameters, const Dataset& dataset);

/// The kernels of which --device simt can make products, by what their rungs are called: "naive", "shared", …
std::vector<std::string> product_rungs();
/// Those rungs as DeviceOptions name them, of each ladder of products that has one; empty for "auto", which is the device's own choice.
std::string rungs_of_product(const std::string& name);
/// The rung of the forward products by the same name: "matmul/3_shared". Throws ArgumentError for "auto".
std::string forward_rung(const std::string& name);

std::vector<Dim> parse_widths(const std::string& text);
std::string widths_text(const std::vector<Dim>& widths);

} // namespace gradus::mlp
