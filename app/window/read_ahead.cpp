#include "app/window/read_ahead.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"
#include "engine/data/dataset.hpp"
#include "lessons/experiments/experiment.hpp"
#include "views/theme/theme.hpp"

#include <QFontMetricsF>
#include <optional>
#include <utility>

namespace gradus {

namespace {

/// What the window's session will ask for; none where there is no such card, which the window says.
std::optional<RunRequest> request_of(const Lessons& lessons, const AppState& state) {
    const Card* card = lessons.library.find(state.card.empty() ? lessons.first_card : state.card);
    if (!card) return std::nullopt;
    RunRequest request = card->request();
    for (const auto& [name, value] : state.parameters) request.parameters[name] = value;
    if (state.seed != 0) request.seed = state.seed;
    return request;
}

void read_data(const RunRequest& request) {
    try {
        const Parameters parameters = find_experiment(request.experiment).complete(request.parameters);
        if (const auto data = parameters.find("data"); data != parameters.end()) shared_data()->get(data->second, request.seed);
    } catch (const Error&) { // the session meets it again, and says it
    }
}

} // namespace

ReadAhead::ReadAhead(LessonsReader read, AppState state)
    : reading_(std::async(std::launch::async, [this, read = std::move(read), state = std::move(state)] {
          const auto clock = std::async(std::launch::async, [] { calibrated_clock(); }); // which takes its time once
          std::optional<RunRequest> request;
          try {
              Lessons lessons = read();
              request = request_of(lessons, state);
              promised_.set_value(std::move(lessons));
          } catch (...) {
              promised_.set_exception(std::current_exception());
          }
          if (request) read_data(*request);
      })) {}

Lessons ReadAhead::lessons() {
    QFontMetricsF(text_font()).height(); // finds the fonts, which takes as long
    return promised_.get_future().get();
}

} // namespace gradus
