// Loops of uneven lengths, rung 2: sorted by length.
//
// What changed: thread t takes element order[t], and `order` has the elements sorted by their lengths. The lanes of a warp now take the
// same number of rounds, or nearly. The price: a sort, and reads and writes that go criss-cross, up to 32 sectors for a request. It pays
// where rounds are many and dear, or where one order serves many times.
//
// The sort counts: how many elements have each length, where each length's elements begin, and then every element takes the next place of
// its length. In which order elements of one length come is chance, and does not matter to y.
//
// A thread owns y[order[t]]; a block blockDim.x neighbours in `order`.
// Launch: uneven_loops_sorted_clear with one block of 64; _count, any block, the grid covers n; _starts with one thread; _place, as _count;
// then uneven_loops_sorted, 1-D, any block, the grid covers n.
// Bytes: 12 · n read, 4 · n written; by the sort 8 · n read, 4 · n written. FLOPs: 2 for each round.
// Expected of a full warp: loads of order 4 sectors per request; loads of x and stores to y as the data will have it, n / 32 requests each;
// atomics on counts and starts n / 32 requests each. Active lanes in the loop: nearly 32.

constexpr int longest = 64; // lengths are below

__global__ void uneven_loops_sorted(const float* x, const int* lengths, const int* order, float* y, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const int i = order[t];
    const int length = lengths[i];
    float v = x[i];
    for (int round = 0; round < length; ++round) v = fmaf(v, 0.75f, 0.25f);
    y[i] = v;
}

__global__ void uneven_loops_sorted_clear(int* counts) { counts[threadIdx.x] = 0; }

/// counts[l]: how many elements have length l.
__global__ void uneven_loops_sorted_count(const int* lengths, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[lengths[i]], 1);
}

/// starts[l]: how many elements are shorter than l. One thread, for 64 lengths; for more see the prefix sum.
__global__ void uneven_loops_sorted_starts(const int* counts, int* starts) {
    int sum = 0;
    for (int l = 0; l < longest; ++l) {
        starts[l] = sum;
        sum += counts[l];
    }
}

/// Each element takes the next place among those of its length.
__global__ void uneven_loops_sorted_place(const int* lengths, int* starts, int* order, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) order[atomicAdd(&starts[lengths[i]], 1)] = i;
}
