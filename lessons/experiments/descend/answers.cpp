#include "lessons/experiments/descend/answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/descend/process.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus::descent {

namespace {

constexpr int long_walk = 400, short_walk = 10;

/// A walk from a setup, tried with many learning rates. It starts anew each time, and beside the minimum even where the
/// setup starts in it: in a bowl, what a learning rate does in the end does not depend on the start.
class Walk {
public:
    explicit Walk(const Setup& setup) : process_(setup) {
        process_.set_lr(0);
        process_.replay(0);
        for (std::size_t i = 0; i < process_.coordinates().size(); ++i)
            start_.push_back(process_.coordinate(i) + (process_.slope(i) == 0 ? 1 : 0));
    }

    /// ‖f'‖ before any update, after half of them, and after all.
    struct Slopes {
        double start = 0, half = 0, end = 0;
    };
    Slopes slopes(double lr, int updates) {
        for (std::size_t i = 0; i < start_.size(); ++i) process_.move(i, start_[i]);
        process_.set_lr(lr);
        Slopes out;
        for (int i = 0; i <= updates; ++i) { // update i leaves from the place after i updates
            process_.replay(i);
            out.end = process_.gradient_norm();
            if (i == 0) out.start = out.end;
            if (i == updates / 2) out.half = out.end;
        }
        return out;
    }
    /// What ‖f'‖ has become after so many updates, as a factor.
    double growth(double lr, int updates) {
        const Slopes slope = slopes(lr, updates);
        return slope.end / slope.start;
    }
    /// Converging is getting nearer also in the second half of a long walk, or being as near as numbers go.
    bool converges(double lr) {
        const Slopes slope = slopes(lr, long_walk);
        return slope.end < slope.half || slope.end < 1e-9 * slope.start;
    }

private:
    DescendProcess process_;
    std::vector<double> start_;
};

/// Where converging ends: doubling, then bisection.
double largest_converging(Walk& walk) {
    double low = 0, high = 1e-6;
    while (walk.converges(high)) {
        low = high;
        high *= 2;
        if (high > 1e12) throw ArgumentError("largest_lr: every learning rate converges; there is no slope");
    }
    if (low == 0) throw ArgumentError("largest_lr: no learning rate converges");
    for (int i = 0; i < 60 && high - low > 1e-12 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (walk.converges(middle) ? low : high) = middle;
    }
    return low;
}

/// The rate that gets nearest in a short walk: golden-section search up to the largest that converges.
double fastest(Walk& walk) {
    const double ratio = 0.5 * (std::sqrt(5.0) - 1);
    double low = 0, high = largest_converging(walk);
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = walk.growth(left, short_walk), at_right = walk.growth(right, short_walk);
    for (int i = 0; i < 80; ++i) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = walk.growth(left, short_walk);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = walk.growth(right, short_walk);
        }
    }
    return 0.5 * (low + high);
}

Answer largest_lr(const Asked& asked) {
    Walk walk(asked.setup);
    return computed(largest_converging(walk));
}
Answer best_lr(const Asked& asked) {
    Walk walk(asked.setup);
    return computed(fastest(walk));
}

/// What the walk does at `factor` times the best rate, from how the slope has changed after a hundred updates.
Answer verdict(const Asked& asked) {
    const double factor = asked.number("factor", "2");
    if (!(factor > 0 && factor <= 1000)) throw ArgumentError("verdict: factor must be above 0 and at most 1000");
    Walk walk(asked.setup);
    const double growth = walk.growth(factor * fastest(walk), 100);
    return computed_word(growth < 0.9 ? "creeps" : growth <= 1.1 ? "bounces" : "runs_away");
}

/// Which curvature of the bowl sets the largest rate: each is halved in turn, and the limit looked for again.
Answer limiting_curvature(const Asked& asked) {
    Setup setup = asked.setup;
    setup.parameters["objective"] = "bowl";
    const auto limit = [](const Setup& with) {
        Walk walk(with);
        return largest_converging(walk);
    };
    const double before = limit(setup);
    bool moves[2] = {false, false};
    const char* const names[2] = {"curvature", "curvature2"};
    double curvature[2];
    for (int i = 0; i < 2; ++i) {
        curvature[i] = asked.parameter(names[i]);
        Setup halved = setup;
        halved.parameters[names[i]] = number_text(0.5 * curvature[i]);
        moves[i] = std::abs(limit(halved) - before) > 1e-3 * before;
    }
    if (moves[0] == moves[1]) return computed_word("both");
    return computed_word((curvature[0] > curvature[1]) == moves[0] ? "steep" : "flat");
}

/// Updates until f is below a thousandth of what it was, at the current rate; from 1 to 100 000.
Answer updates_to_thousandth(const Asked& asked) {
    DescendProcess process(asked.setup);
    process.replay(0);
    const double before = process.loss();
    for (int i = 1; i <= 100'000; ++i) {
        process.replay(i);
        if (process.loss() <= 1e-3 * before) return counted(i, "updates");
    }
    return counted(INFINITY, "updates");
}

} // namespace

const std::vector<AnswerEntry>& entries() {
    static const std::vector<AnswerEntry> list{
        {{"largest_lr", "the largest learning rate that still converges, by bisection", false, false}, largest_lr},
        {{"best_lr", "the learning rate that gets nearest to the minimum in ten updates", false, false}, best_lr},
        {{"verdict", "what the walk does at `factor` times the best rate: creeps, bounces or runs_away", false, true}, verdict},
        {{"limiting_curvature", "which curvature of the bowl sets the largest rate: steep, flat or both", false, false},
         limiting_curvature},
        {{"updates_to_thousandth", "updates until f is a thousandth of what it was", false, false}, updates_to_thousandth},
    };
    return list;
}

} // namespace gradus::descent
