#include "engine/kernels/faulty/faulty_ladders.hpp"

#include "engine/kernels/faulty/count_values/ladder.hpp"
#include "engine/kernels/faulty/product_index/ladder.hpp"
#include "engine/kernels/faulty/reverse_in_place/ladder.hpp"
#include "engine/kernels/faulty/running_sum/ladder.hpp"
#include "engine/kernels/faulty/stencil_barrier/ladder.hpp"
#include "engine/kernels/faulty/thread_index/ladder.hpp"

namespace gradus {

const std::vector<FaultyLadder>& faulty_ladders() {
    static const std::vector<FaultyLadder> ladders{
        faulty::thread_index::ladder(),  faulty::product_index::ladder(),    faulty::running_sum::ladder(),
        faulty::count_values::ladder(), faulty::reverse_in_place::ladder(), faulty::stencil_barrier::ladder(),
    };
    return ladders;
}

const std::vector<const Ladder*>& known_ladders() {
    static const std::vector<const Ladder*> ladders = [] {
        std::vector<const Ladder*> out;
        for (const Ladder& ladder : all_ladders()) out.push_back(&ladder);
        for (const FaultyLadder& faulty : faulty_ladders()) out.push_back(&faulty.ladder);
        return out;
    }();
    return ladders;
}

const KernelFault* fault_of(const Ladder& ladder, const Rung& rung) {
    for (const FaultyLadder& faulty : faulty_ladders())
        for (std::size_t i = 0; i < faulty.faults.size() && faulty.ladder.id == ladder.id; ++i)
            if (faulty.ladder.rungs[i].id == rung.id) return faulty.faults[i].sentence.empty() ? nullptr : &faulty.faults[i];
    return nullptr;
}

} // namespace gradus
