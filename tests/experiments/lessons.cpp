// The worked values of the lessons: each comes out of the engine at a card's settings, and another one at other settings.
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/derive/why.hpp"
#include "lessons/experiments/train_mlp/settings.hpp"
#include "lessons/runtime/card.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>
#include <map>
#include <set>

using namespace gradus;
using namespace gradus::test;

namespace {

const Library& written() {
    static const Library library = load_library(GRADUS_SOURCE_FOLDER "/lessons");
    return library;
}

const Card& card_named(const std::string& id) {
    const Card* card = written().find(id);
    REQUIRE(card != nullptr, id);
    return *card;
}

/// The card's own setup, with what the learner has changed.
Setup card_setup(const Card& card, const Parameters& changed = {}) {
    Parameters parameters = card.parameters;
    for (const auto& [name, value] : changed) parameters[name] = value;
    return setup_of(card.experiment, parameters, card.steps, card.seed);
}

struct KeyRow {
    const char* card;
    const char* check;
    Parameters changed;
    std::string text; ///< of a number as the card shows it; else the right options, with blanks between
};

void check_key(const KeyRow& row) {
    const Row named(std::string(row.card) + " " + row.check + (row.changed.empty() ? "" : " changed"));
    const Card& card = card_named(row.card);
    const auto check = std::find_if(card.checks.begin(), card.checks.end(), [&](const Check& one) { return one.id == row.check; });
    REQUIRE(check != card.checks.end(), row.check);
    const Key key = key_of(card, *check, card_setup(card, row.changed), nullptr);
    std::string right;
    for (const std::string& id : key.right) right += (right.empty() ? "" : " ") + id;
    CHECK_EQUAL(check->kind == Check::Kind::number ? key.text : right, row.text);
}

Key key_named(const char* card_id, const char* check_id) {
    const Card& card = card_named(card_id);
    for (const Check& check : card.checks)
        if (check.id == check_id) return key_of(card, check, card_setup(card), nullptr);
    throw ArgumentError(check_id);
}

bool has_fashion() { return std::filesystem::exists("/usr/share/datasets/fashion-mnist"); }

} // namespace

TEST(what_an_answer_was_judged_by_is_told_with_it) {
    const Key arrows = key_named("softmax-cross-entropy", "order-arrows");
    CHECK_EQUAL(arrows.found.size(), std::size_t{4});
    for (std::size_t i = 1; i < arrows.right.size(); ++i) CHECK(arrows.found.at(arrows.right[i - 1]) < arrows.found.at(arrows.right[i]));
    // Five classes, a logit of 6 against zeros: e⁶ of e⁶ + 4.
    const double sure = std::exp(6.0) / (std::exp(6.0) + 4), rest = 1 / (std::exp(6.0) + 4);
    CHECK_ERROR(std::abs(arrows.found.at("sure_right") - std::sqrt((1 - sure) * (1 - sure) + 4 * rest * rest)), 1e-12, "length of an arrow");

    const Key zeros = key_named("chain-rule-backprop", "point-zero");
    for (const auto& [place, gradient] : zeros.found) {
        const Row row(place);
        const bool is_right = std::find(zeros.right.begin(), zeros.right.end(), place) != zeros.right.end();
        CHECK_EQUAL(gradient == 0, is_right);
        CHECK(gradient >= 0);
    }
    CHECK_EQUAL(zeros.found.size(), std::size_t{6});
    CHECK(key_named("softmax-cross-entropy", "gut-shift").found.empty());
    if (!has_fashion()) return;
    const Key products = key_named("forward-pass-as-matmuls", "gut-most");
    CHECK_EQUAL(products.unit, std::string("FLOP"));
    const std::vector<Dim> widths = mlp::parse_widths(card_named("forward-pass-as-matmuls").parameters.at("layers"));
    const double batch = std::stod(card_named("forward-pass-as-matmuls").parameters.at("batch"));
    CHECK_EQUAL(products.found.at("layer1"), 2 * batch * static_cast<double>(widths[0] * widths[1]));
}

TEST(cards_hold_their_worked_values) {
    const KeyRow rows[] = {
        {"lines-and-composition", "gut-order", {}, "parallel"},
        {"lines-and-composition", "gut-order", {{"slope_g", "3"}, {"intercept_g", "-1"}}, "same"}, // f and g alike
        {"lines-and-composition", "number-intercept", {}, "3.00"},
        {"lines-and-composition", "number-intercept", {{"intercept_f", "4"}}, "-2.00"},
        {"lines-and-composition", "choice-degree", {}, "line"},
        {"lines-and-composition", "choice-degree", {{"slope_g", "0"}}, "constant"},
        {"why-nonlinearity", "gut-stops", {}, "relu"},
        {"why-nonlinearity", "number-one-relu", {}, "2"},
        {"why-nonlinearity", "number-one-relu", {{"width", "7"}, {"inputs", "40"}}, "2"},
        {"why-nonlinearity", "number-lifted", {}, "1"},
        {"why-nonlinearity", "number-lifted", {{"depth", "16"}, {"after", "3,9"}}, "1"},
        {"gradient-descent-step", "gut-twice", {}, "bounces"},
        {"gradient-descent-step", "gut-twice", {{"curvature", "3.7"}, {"start", "-2"}}, "bounces"},
        {"gradient-descent-step", "number-largest", {}, "0.5"},
        {"gradient-descent-step", "number-largest", {{"curvature", "8"}}, "0.25"},
        {"gradient-descent-step", "number-largest", {{"objective", "bowl"}, {"start", "0"}}, "0.5"},
        {"gradient-descent-step", "choice-bowl", {}, "steep"},
        {"gradient-descent-step", "choice-bowl", {{"curvature2", "9"}}, "steep"}, // the other one is steep now
        {"gradient-descent-step", "choice-bowl", {{"curvature2", "4"}}, "both"},
        {"softmax-cross-entropy", "gut-shift", {}, "stays"},
        {"softmax-cross-entropy", "gut-shift", {{"scale", "10"}, {"label", "3"}}, "stays"},
        {"softmax-cross-entropy", "order-arrows", {}, "sure_right unsure_right unsure_wrong sure_wrong"},
        {"softmax-cross-entropy", "order-arrows", {{"classes", "2"}, {"label", "1"}, {"shift", "50"}}, "sure_right unsure_right unsure_wrong sure_wrong"},
        {"softmax-cross-entropy", "number-uniform-loss", {}, "2.303"},
        {"softmax-cross-entropy", "number-uniform-loss", {{"scale", "3"}, {"label", "4"}}, "2.303"},
        {"softmax-cross-entropy", "number-uniform-gradient", {}, "-0.9"},
        {"memory-coalescing", "gut-late-or-second", {}, "second"},
        {"memory-coalescing", "number-late", {}, "5"},
        {"memory-coalescing", "number-eighth", {{"sizes", "stride=4,offset=0"}}, "32"}, // whatever the learner looks at
        {"memory-coalescing", "number-lowest", {}, "12.5"},
        {"transpose-and-bank-conflicts", "gut-slow", {}, "tile_load"},
        {"transpose-and-bank-conflicts", "number-none", {}, "32"},
        {"transpose-and-bank-conflicts", "number-one", {{"rung", "transpose_padding/1_tile"}, {"sizes", "padding=4"}}, "1"},
        {"transpose-and-bank-conflicts", "number-two", {}, "2"},
        {"warps-and-block-shape", "gut-hundred", {}, "fifth"},
        {"warps-and-block-shape", "point-warp", {}, "y[2:4,0:16]"},
        {"warps-and-block-shape", "number-sixteen", {}, "2"},
        {"warps-and-block-shape", "number-eight", {{"block", "10x10"}}, "4"},
        {"warp-divergence", "gut-long", {}, "longest"},
        {"warp-divergence", "number-share", {}, "12.8"},
        {"warp-divergence", "point-meet", {{"rung", "branch_parity/2_by_warp"}}, "store"},
        {"grid-block-thread-index", "gut-where", {}, "most"},
        {"grid-block-thread-index", "number-touched", {}, "319"},
        {"grid-block-thread-index", "number-touched", {{"rung", "5_grid_stride"}, {"sizes", "blocks=7"}}, "319"},
        {"grid-block-thread-index", "point-most", {}, "y[128]"},
        {"two-d-indexing", "gut-exchange", {}, "slower"},
        {"two-d-indexing", "number-untouched", {}, "6\u2009144"},
        {"two-d-indexing", "number-sectors", {}, "16"},
        {"cpu-loop-to-kernel", "gut-loops", {}, "add reverse"},
        {"cpu-loop-to-kernel", "number-rounded", {}, "64"},
        {"shared-memory-basics", "gut-barrier", {}, "warps"},
        {"shared-memory-basics", "number-alone", {{"rung", "stencil/2_shared"}, {"sizes", "radius=1"}}, "2\u2009304"},
        {"shared-memory-basics", "number-shared", {}, "264"},
        {"reduction-and-warp-shuffle", "gut-repeats", {}, "tree shuffle integer"},
        {"reduction-and-warp-shuffle", "number-shuffles", {}, "5"},
        {"reduction-and-warp-shuffle", "order-idle", {}, "shuffle sequential modulo"},
        {"tiled-matmul-kernel", "gut-limit", {}, "shared"},
        {"tiled-matmul-kernel", "gut-limit", {{"chip", "rtx4090"}}, "shared"}, // of an A100 it is asked
        {"tiled-matmul-kernel", "number-per-load", {}, "0.5"},
        {"tiled-matmul-kernel", "number-per-load", {{"block", "8x8"}}, "0.5"},
        {"tiled-matmul-kernel", "number-square", {{"block", "32x32"}}, "2.00"},
        {"tiled-matmul-kernel", "number-global", {}, "262 144"},
    };
    for (const KeyRow& row : rows) check_key(row);
    if (!has_fashion()) return;
    const KeyRow trained[] = {
        {"training-step-anatomy", "gut-omit", {}, "zero_grad"},
        {"training-step-anatomy", "gut-omit", {{"lr", "0"}}, "none"},
        {"training-step-anatomy", "number-norm", {}, "3"},
        {"training-step-anatomy", "number-norm", {{"layers", "784,20,10"}, {"omit", "step"}}, "3"},
    };
    for (const KeyRow& row : trained) check_key(row);
}

TEST(trained_neuron_knows_its_images) {
    if (!has_fashion()) skip("dataset-fashion-mnist is not installed");
    const Card& card = card_named("neuron-and-activation");
    Session session(card.request());
    session.play();
    settle(session);
    const auto run = session.run(0);
    const auto key = [&](const char* id, const Setup& setup, const Run* of) {
        const auto check = std::find_if(card.checks.begin(), card.checks.end(), [&](const Check& one) { return one.id == id; });
        return key_of(card, *check, setup, of);
    };
    CHECK_EQUAL(key("gut-bias", session.setup(), run.get()).right, std::vector<std::string>{"some"});
    CHECK_EQUAL(key("point-strongest", session.setup(), run.get()).right, (std::vector<std::string>{"image3", "image13"}));
    // what a net counts after 4,000 steps may differ by an image or two between instruction sets
    const Key silent = key("number-silent", session.setup(), run.get());
    CHECK(silent.answer.number() > 220 && silent.answer.number() < 250, silent.text);
    // The card speaks of ReLU, so the activation that a learner tries out changes none of its keys.
    Setup plain = card_setup(card);
    plain.steps = 100;
    for (const char* activation : {"step", "tanh", "silu"}) {
        const Row named(activation);
        Setup other = card_setup(card, {{"activation", activation}});
        other.steps = 100;
        CHECK_EQUAL(key("gut-bias", other, run.get()).right, key("gut-bias", plain, run.get()).right);
        CHECK_EQUAL(key("point-strongest", other, run.get()).right, key("point-strongest", plain, run.get()).right);
        CHECK_EQUAL(key("number-silent", other, run.get()).text, key("number-silent", plain, run.get()).text);
        // What the questions say of that activation itself: only a step is silent like a ReLU.
        const Arguments arguments{{"neuron", "8"}, {"delta", "0.5"}, {"images", "500"}};
        const auto asked = [&](const char* question) { return find_experiment(card.experiment).answer(question, arguments, other, nullptr); };
        const bool stops = std::string_view(activation) == "step";
        CHECK_EQUAL(asked("silent_images").number() > 0, stops);
        CHECK_EQUAL(asked("bias_effect").text() == "some", stops);
    }
    const auto dataset = load_fashion_mnist(); // the options call the pictures by what they show
    const std::pair<Dim, const char*> shown[] = {{0, "Ankle boot"}, {1, "Pullover"}, {3, "Trouser"}, {6, "Coat"}, {8, "Sandal"}, {13, "Dress"}};
    for (const auto& [image, name] : shown)
        CHECK_EQUAL(dataset->class_names[static_cast<std::size_t>(dataset->test_y.at(image))], std::string(name));
    for (const Check& check : card.checks)
        if (check.id == "point-strongest")
            for (const CheckOption& option : check.options) // and show them
                CHECK_EQUAL(option.image ? fmt::format("image{}", *option.image) : "none", option.id);
}

TEST(a_question_does_not_depend_on_what_it_names_itself) {
    struct Asked {
        const char *card, *check;
        Parameters changed;
        bool same;
    };
    const Asked rows[] = {
        {"transpose-and-bank-conflicts", "number-two", {{"rung", "transpose_padding/1_tile"}, {"sizes", "padding=4"}}, true},
        {"transpose-and-bank-conflicts", "number-two", {{"record_block", "1"}}, true},
        {"transpose-and-bank-conflicts", "number-two", {{"schedule", "3"}}, false},
        {"shared-memory-basics", "gut-barrier", {{"source", "// somebody wrote this in the place of a kernel\n"}}, true},
        {"tiled-matmul-kernel", "number-per-load", {{"block", "8x8"}}, false},
        {"cpu-loop-to-kernel", "gut-loops", {{"rung", "faulty/running_sum/1_thread_each"}}, true},
        {"cpu-loop-to-kernel", "gut-loops", {{"block", "64"}}, true}, // each of those it names has its own
        {"memory-coalescing", "gut-late-or-second", {{"sizes", "stride=16,offset=0"}}, true},
        {"memory-coalescing", "gut-late-or-second", {{"block", "64"}}, false},
    };
    for (const Asked& row : rows) {
        const Row named(std::string(row.card) + " " + row.check);
        const Card& card = card_named(row.card);
        const auto check = std::ranges::find(card.checks, std::string(row.check), &Check::id);
        REQUIRE(check != card.checks.end(), row.check);
        const Setup one = card_setup(card), other = card_setup(card, row.changed);
        CHECK_EQUAL(answered_from(*check, one.parameters) == answered_from(*check, other.parameters), row.same);
        if (!row.same) continue;
        const Key key = key_of(card, *check, one, nullptr), again = key_of(card, *check, other, nullptr);
        CHECK_EQUAL(key.text, again.text);
        CHECK(key.right == again.right);
    }
}

TEST(every_question_of_a_lesson_has_an_answer) {
    for (const char* id : {"compose_lines", "linear_stack", "descend", "logits"}) {
        const Experiment& experiment = find_experiment(id);
        const Setup setup = setup_of(id, {});
        for (const ParameterInfo& info : experiment.parameters()) CHECK(!info.meaning.empty(), info.name);
        for (const QuestionInfo& info : experiment.questions()) {
            const Row named(std::string(id) + " " + info.name);
            CHECK(!info.meaning.empty());
            const Answer answer = experiment.answer(info.name, {}, setup, nullptr);
            if (answer.is_number()) CHECK(std::isfinite(answer.number()));
            else CHECK(!answer.text().empty());
            CHECK(answer.provenance == Provenance::computed || answer.provenance == Provenance::counted);
        }
        CHECK_THROWS(experiment.answer("nothing", {}, setup, nullptr), ArgumentError, "nothing", id);
    }
}

// What a card promises its reader: texts in both languages with the same steps and placeholders, controls that some
// paragraph shows, questions whose options cover what the controls lead to.
TEST(cards_are_whole) {
    CHECK(written().problems.empty(), written().problems.empty() ? "" : written().problems.front());
    CHECK(written().cards.size() >= 18, std::to_string(written().cards.size()));
    const auto placeholders = [](const std::string& text) {
        std::vector<std::string> out;
        bool formula = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '$') formula = !formula;
            if (text[i] != '{' || formula) continue;
            out.push_back(text.substr(i, text.find('}', i) - i + 1));
        }
        std::sort(out.begin(), out.end());
        return out;
    };
    const auto headings = [](const std::string& text) {
        std::vector<std::string> out;
        for (std::size_t at = text.find("\n## "); at != std::string::npos; at = text.find("\n## ", at + 1))
            out.push_back(text.substr(at + 4, text.find('\n', at + 1) - at - 4));
        return out;
    };
    for (const Card& card : written().cards) {
        const Row named(card.id);
        CHECK(card.text.en.starts_with("# " + card.title.en + "\n"));
        CHECK(card.text.ko.starts_with("# " + card.title.ko + "\n"));
        std::vector<std::string> steps;
        for (const CardStep& step : card.lesson) {
            steps.push_back(step.text);
            CHECK_EQUAL(placeholders(step.caption.en), placeholders(step.caption.ko));
        }
        CHECK_EQUAL(headings(card.text.en), steps);
        CHECK_EQUAL(headings(card.text.ko), steps);
        CHECK_EQUAL(placeholders(card.text.en), placeholders(card.text.ko));
        CHECK(std::count(card.text.en.begin(), card.text.en.end(), '$') % 2 == 0 && std::count(card.text.ko.begin(), card.text.ko.end(), '$') % 2 == 0);
        CHECK(!card.views.empty() && card.views.size() <= 3 && card.minutes > 0);
        const Experiment& experiment = find_experiment(card.experiment);
        for (const CardControl& control : card.controls) {
            const std::string& name = control.parameter;
            const bool known = name == "seed" || std::any_of(experiment.parameters().begin(), experiment.parameters().end(),
                                                             [&](const ParameterInfo& info) { return info.name == name; });
            CHECK(known, name);
            CHECK(card.text.en.find("{parameter:" + name + "}") != std::string::npos, name);
            for (const ControlChoice& choice : control.choices) { // in words of both languages, and what they choose can be run
                const Row offered(choice.value);
                CHECK(!choice.words.en.empty() && !choice.words.ko.empty());
                const Parameters chosen = experiment.with(experiment.complete(card.parameters), name, choice.value);
                try {
                    experiment.start(setup_of(card.experiment, chosen, card.steps, card.seed));
                } catch (const ArgumentError& error) { // of a choice that goes with another one
                    const bool other = std::any_of(card.controls.begin(), card.controls.end(), [&](const CardControl& one) {
                        return &one != &control && std::any_of(one.choices.begin(), one.choices.end(), [&](const ControlChoice& with) {
                            try {
                                const Parameters first = experiment.with(experiment.complete(card.parameters), one.parameter, with.value);
                                experiment.start(setup_of(card.experiment, experiment.with(first, name, choice.value), card.steps, card.seed));
                                return true;
                            } catch (const ArgumentError&) {
                                return false;
                            }
                        });
                    });
                    CHECK(other, error.what());
                }
            }
        }
        CHECK(!card.checks.empty() && card.checks.front().gut, "the gut comes first");
        for (const Check& check : card.checks) {
            const Row one(check.id);
            CHECK_EQUAL(placeholders(check.ask.en), placeholders(check.ask.ko));
            CHECK_EQUAL(placeholders(check.why.en), placeholders(check.why.ko));
        }
    }
    for (const LearningPath& path : written().paths)
        for (const PathStop& stop : path.stops)
            if (path.id == "lines-to-xor" || path.id == "forward-to-training-memory") CHECK(!stop.title.en.empty() && !stop.title.ko.empty(), stop.card);
}

namespace {

/// A Run of one step of a card, recorded in full; null where its data set is not installed.
std::shared_ptr<const Run> first_step(const Card& card, const Parameters& parameters) {
    const auto data = parameters.find("data");
    if (data != parameters.end() && data->second == "fashion-mnist" && !has_fashion()) return nullptr;
    RunRequest request = card.request();
    request.parameters = parameters;
    request.steps = card.steps <= 4 ? card.steps : 1; // a ladder's are other kernels each
    request.observe_every = 1;
    request.device.threads = 1;
    Session session(request, std::make_shared<DataStore>());
    session.play();
    settle(session);
    return session.run(0);
}

} // namespace

TEST(what_a_step_prepares_is_there) {
    for (const Card& card : written().cards) {
        const Row named(card.id);
        const auto first = first_step(card, card.parameters);
        if (!first) continue;
        const Run& run = *first;
        std::set<std::string> modules;
        for (std::size_t i = 0; i < run.sites().size(); ++i) modules.insert(run.sites()[i].module);
        const auto check = [&](const Scene& scene) {
            const StepIndex iteration = std::min(scene.iteration.value_or(0), run.head() - 1);
            const EventTree tree(run, iteration); // with what lies below its kernels
            for (const std::string& cursor : {scene.cursor, scene.class_cursor}) CHECK(cursor.empty() || tree.find(cursor) != nullptr, cursor);
            CHECK(!scene.iteration || (*scene.iteration >= 0 && *scene.iteration < card.steps));
            const std::string tensor = scene.select.substr(0, scene.select.find('[')); // an element of it, perhaps
            CHECK(tensor.empty() || tensor == "none" || run.tensors_of(iteration)->find(tensor) != nullptr, tensor);
            for (const std::string& module : scene.open.value_or(std::vector<std::string>{})) CHECK(modules.contains(module), module);
        };
        for (const CardStep& step : card.lesson) {
            const Row one(step.text);
            check(step);
        }
        for (const Check& each : card.checks) {
            const Row one(each.id);
            check(each.scene);
        }
    }
}

// A class sees each part with the parameters that the part brings: there stands what the part names first.
TEST(what_a_class_sees_is_there) {
    for (const Card& card : written().cards) {
        std::map<Parameters, std::shared_ptr<const Run>> runs;
        for (const CardStep& step : card.lesson) {
            const Row named(card.id + " " + step.text);
            const std::string& cursor = step.cursor_for(true);
            if (cursor.empty() || (step.in_class.empty() && cursor.find(" | ") == std::string::npos)) continue;
            Parameters seen = card.parameters;
            for (const auto& [name, value] : step.in_class) seen[name] = value;
            if (!runs.contains(seen)) runs[seen] = first_step(card, seen);
            if (!runs[seen]) continue;
            const StepIndex iteration = std::min(step.iteration.value_or(0), runs[seen]->head() - 1);
            const std::string first = cursor.substr(0, cursor.find(" | "));
            CHECK(EventTree(*runs[seen], iteration).find(first) != nullptr, first);
        }
    }
}

// What is said of a kernel is seen: no two parts of a card show a class the same stage.
TEST(no_two_parts_show_a_class_the_same_kernel) {
    for (const Card& card : written().cards) {
        if (std::find(card.views.begin(), card.views.end(), "kernel-theatre") == card.views.end()) continue;
        std::map<std::string, std::string> seen; // by what makes the picture, the part
        for (const CardStep& step : card.lesson) {
            const std::vector<std::string>& views = !step.class_views.empty() ? step.class_views : !step.views.empty() ? step.views : card.views;
            const std::string& place = step.cursor_for(true);
            const std::string cursor = place.substr(0, place.find(" | "));
            const std::string select = std::find(views.begin(), views.end(), "tensor") == views.end() && step.select.find('[') == std::string::npos ? "" : step.select;
            const auto [at, fresh] = seen.emplace(fmt::format("{} {} {} {} {}", step.in_class, cursor, step.iteration.value_or(-1), views, select), step.text);
            CHECK(fresh, card.id + ": " + step.text + " shows what " + at->second + " shows");
        }
    }
}

// "Why?" is asked of anything on screen, with the parameters of a learner and with those that a class sees.
TEST(every_number_of_a_lesson_can_be_walked_back) {
    for (const Card& card : written().cards) {
        std::set<Parameters> settings{card.parameters};
        for (const CardStep& step : card.lesson) {
            Parameters seen = card.parameters;
            for (const auto& [name, value] : step.in_class) seen[name] = value;
            settings.insert(seen);
        }
        for (const Parameters& parameters : settings) {
            const Row named(card.id);
            const auto first = first_step(card, parameters);
            if (!first) continue;
            const Run& run = *first;
            int walked = 0;
            for (const RecordedTensor& recorded : run.tensors_of(0)->tensors) {
                const EventSite* site = recorded.id.event.iteration == 0 ? site_of(run, recorded.id) : nullptr;
                if (!site || site->phase == Phase::data || recorded.role == Role::metric || !is_floating(recorded.tensor.dtype())) continue;
                const Why found = why(run, run, 0, recorded.name, {});
                const bool read = found.chain.back().role == Role::data; // a batch of images too many to keep
                CHECK((found.end == Why::End::began || read) && found.chain.size() > 1, fmt::format("{} of {}: {} links, the last {} of {}, end {}", recorded.name, site->name, found.chain.size(), found.chain.back().tensor, found.chain.back().op, static_cast<int>(found.end)));
                ++walked;
            }
            const bool kernel = card.experiment == "run_kernel" || card.experiment == "climb_ladder"; // below ops, lanes tell where a number is from
            CHECK(walked > 1 || kernel, std::to_string(walked));
        }
    }
}

/// What a listing types is what the card sets.
TEST(a_listing_is_of_the_cards_own_net) {
    std::size_t seen = 0;
    for (const Card& card : written().cards) {
        if (card.listing.empty()) continue;
        const Row row(card.id);
        ++seen;
        std::string code;
        for (const ListingLine& line : card.listing) code += line.code + "\n";
        const auto has = [&](const std::string& words) { CHECK(code.find(words) != std::string::npos, words); };
        has("batch_size=" + card.parameters.at("batch") + ",");
        has("lr=" + card.parameters.at("lr") + ")");
        std::string layers = card.parameters.at("layers"), before;
        for (std::size_t at = 0; at < layers.size();) {
            const std::size_t end = std::min(layers.find(',', at), layers.size());
            const std::string width = layers.substr(at, end - at);
            if (!before.empty()) has("nn.Linear(" + before + ", " + width + ")");
            before = width;
            at = end + 1;
        }
    }
    CHECK(seen > 0);
    // The lines that can be left out are the choices of the parameter that leaves them out.
    std::set<std::string> lines, choices;
    for (const ListingLine& line : card_named("training-step-anatomy").listing)
        if (!line.without.empty()) lines.insert(line.without.at("omit"));
    for (const ParameterInfo& info : find_experiment("train_mlp").parameters())
        if (info.name == "omit") choices.insert(info.choices.begin(), info.choices.end());
    choices.erase("none");
    CHECK(lines == choices);
}

/// Part `gate`: a bias of −10 switches a neuron of this net off, and what then gets no gradient is its own.
TEST(a_bias_of_minus_ten_switches_a_neuron_off) {
    Session session(card_named("chain-rule-backprop").request());
    session.submit(Edit::parse("b1[1] = -10"), 0, 0);
    session.run_to(1);
    session.wait();
    const auto tensors = session.run(session.status().runs - 1)->tensors_of(0);
    REQUIRE(tensors != nullptr);
    const Tensor &a1 = tensors->find("a1")->tensor, &dz1 = tensors->find("dz1")->tensor, &dW1 = tensors->find("dW1")->tensor, &dW2 = tensors->find("dW2")->tensor;
    for (Dim n = 0; n < 4; ++n) CHECK(a1.at(n, 1) == 0 && dz1.at(n, 1) == 0);
    for (Dim i = 0; i < 2; ++i) CHECK(dW1.at(i, 1) == 0 && dW2.at(1, i) == 0);
    double others = 0;
    for (Dim n = 0; n < 4; ++n) others += std::abs(dz1.at(n, 0)) + std::abs(dz1.at(n, 2));
    CHECK(others > 0);
}
