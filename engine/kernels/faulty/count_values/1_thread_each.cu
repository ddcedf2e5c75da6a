// Counts of values, rung 1: a thread for each turn of the loop.
//
// for (i = 0 …) counts[x[i]]++. Wrong: ++ is a read, an addition and a write. Two threads with the same value read the same count, each adds
// one to it, and one of the two is lost: a race at every count that two threads meet in.
//
// A thread owns x[i]; no one owns counts.
// Launch: 1-D, any block; the grid covers n. counts are zero before.

__global__ void count_values_thread_each(const int* x, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    counts[x[i]]++;
}
