// Reversed in place by a thread for each element: of a pair each overwrites what the other reads.
//
// rung: reverse/2_in_place
// set: n=512
// expect: race in y
// schedules: differ

__global__ void reverse_in_place_copy(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void reverse_in_place(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = i; j < n; j += gridDim.x * blockDim.x) y[j] = y[n - 1 - j]; // <- fault: race
}
