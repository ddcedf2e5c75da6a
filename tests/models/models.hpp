#pragma once

#include "engine/data/dataset.hpp"
#include "engine/nn/layers.hpp"
#include "engine/nn/module.hpp"
#include "engine/optim/loss_scaler.hpp"
#include "engine/optim/optimizer.hpp"
#include "tests/support/safetensors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus::test {

/// How one of the golden runs is computed: "adamw_fp16" is AdamW on fp32 master weights under autocast to fp16.
struct RunSettings {
    std::string name;
    Optimizer::Settings optimizer;
    DType dtype = DType::f64;       ///< of the parameters
    std::optional<DType> low = {};  ///< mixed precision
};
RunSettings run_settings(const std::string& name);

/// One of the nets of tests/golden/make_models.py, with its optimizer, on a tape; initial weights and batches are the file's.
class GoldenTraining {
public:
    /// `data` is Fashion-MNIST; the GPT needs none.
    GoldenTraining(const Golden& golden, const RunSettings& settings, std::shared_ptr<Device> device,
                   std::shared_ptr<const Dataset> data);

    /// Computes one step on the file's batch of that number.
    void step(Dim number);
    double loss() const { return tape_.scalar(loss_); }
    double scale() const { return scaler_ ? tape_.scalar(scaler_->scale()) : 1; } ///< before a step: the one it uses
    bool skipped() const { return scaler_ && tape_.scalar(scaler_->overflow()) != 0; }

    const Tape& tape() const { return tape_; }
    const std::vector<ValueIndex>& parameters() const { return parameters_; }

private:
    ValueIndex add_mlp();
    ValueIndex add_cnn();
    ValueIndex add_gpt();
    ValueIndex add_targets(Dim count);
    void add_updates(const RunSettings& settings);
    void load_images(Dim number);
    void load_tokens(Dim number);

    const Golden& golden_;
    std::shared_ptr<const Dataset> data_;
    Tape tape_;
    std::string model_;
    std::vector<ValueIndex> parameters_;
    Module root_;
    std::vector<BatchNorm> norms_;
    std::optional<Optimizer> optimizer_;
    std::optional<LossScaler> scaler_;
    ValueIndex x_ = no_value, y_ = no_value, loss_ = no_value;
};

/// Whether the gradient of a parameter is 0 whatever its value is: of a bias before BatchNorm, which the mean takes away again,
/// and of a key's bias, which adds the same to all scores of a row.
bool zero_by_construction(const std::string& parameter);

} // namespace gradus::test
