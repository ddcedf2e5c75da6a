// Kernels with cooperative groups, compiled as the interpreter's are.

#include "tests/simt/shim/lanes.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

namespace gradus::shim_test {

__global__ void groups(void* argument) {
    auto& of = *static_cast<Groups*>(argument);
    const cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    const auto warp = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<16> tile16 = cg::tiled_partition<16>(block);
    const auto tile8 = cg::tiled_partition<8>(warp);

    of.rank16[rank] = tile16.thread_rank();
    of.meta16[rank] = tile16.meta_group_rank();
    of.metas16[rank] = tile16.meta_group_size();
    of.meta8[rank] = tile8.meta_group_rank();
    const cg::thread_group four = cg::tiled_partition(block, 4);
    four.sync();
    of.rank_group[rank] = four.thread_rank() * 10 + four.size();

    of.sum[rank] = cg::reduce(warp, static_cast<float>(rank), cg::plus<float>());
    of.least8[rank] = cg::reduce(tile8, static_cast<int>(rank), cg::less<int>());
    of.half_sum[rank] = __half2float(cg::reduce(tile16, __float2half(1.5f), cg::plus<__half>()));
    of.ballot8[rank] = tile8.ballot(rank % 3 == 0);
    of.scan[rank] = cg::inclusive_scan(warp, 2);
    of.before[rank] = cg::exclusive_scan(warp, 2);

    const auto odd = cg::binary_partition(warp, rank % 2 != 0);
    of.active_rank[rank] = odd.thread_rank();
    of.active_size[rank] = odd.size();
    of.odd_sum[rank] = cg::reduce(odd, static_cast<int>(rank % 32), cg::plus<int>());
    cg::sync(block);
}

} // namespace gradus::shim_test
