// The second store writes back what the first has just overwritten.
//
// rung: reverse/2_in_place
// set: n=1000
// expect: wrong result in y

__global__ void reverse_in_place_copy(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void reverse_in_place(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    y[i] = y[n - 1 - i];
    y[n - 1 - i] = y[i]; // <- fault: wrong result
}
