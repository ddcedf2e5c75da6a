#include "lessons/experiments/train_cnn/process.hpp"

#include "engine/core/hash.hpp"

namespace gradus::cnn {

namespace {
/// The 10 000 test images cost as much as some thirty steps.
constexpr StepIndex evaluate_every = 500;
} // namespace

TrainCnn::TrainCnn(const Setup& setup)
    : TrainingProcess(setup, read_settings(setup.parameters, setup.steps).training, evaluate_every),
      settings_(read_settings(setup.parameters, setup.steps)), data_(setup.data->get("fashion-mnist", setup.seed)),
      net_(tape_, settings_, *data_, setup.seed, true, settings_.batch) {
    ready({.loss = net_.loss,
           .accuracy = net_.accuracy,
           .parameters = net_.parameters,
           .state = net_.statistics,
           .fed = net_.batches.fed(),
           .further_updates = [this] {
               for (const BatchNorm& norm : net_.norms) norm.carry();
           }});
}

void TrainCnn::describe(Manifest& manifest) const {
    TrainingProcess::describe(manifest);
    manifest.dataset = data_->name;
    manifest.dataset_hash = hash_hex(data_->hash);
}

void TrainCnn::begin(RunWriter& writer, bool setup) {
    TrainingProcess::begin(writer, setup);
    lanes_.begin(writer, net_.batches.loader());
}

void TrainCnn::push(RunWriter& writer, StepIndex iteration) {
    TrainingProcess::push(writer, iteration);
    lanes_.write(writer, net_.batches.loader());
}

double TrainCnn::test_accuracy() {
    if (!tester_) tester_.emplace(settings_, data_, device_, setup_.stop);
    return tester_->accuracy(tape_, net_, setup_.evaluating.get());
}

} // namespace gradus::cnn
