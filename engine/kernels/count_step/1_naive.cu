// Number of the step, rung 1: one thread counts.
//
// Adam corrects its means by how many steps they have seen, and a captured graph of launches is replayed as it stands: so the count lies on the GPU and
// goes up there. All the time is the launch's.
//
// Thread 0 owns t; others of the block return at once.
// Launch: one block. t_next may be t.
// Bytes: 4 read, 4 written. FLOPs: none.
// Expected: one request for t, and one for t_next.

__global__ void count_step_naive(const int* t, int* t_next) {
    if (threadIdx.x > 0) return;
    *t_next = *t + 1;
}
