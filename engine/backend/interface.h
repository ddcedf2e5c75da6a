/* The boundary between the engine and what computes: a versioned C interface, so that a backend can live in a
 * module of its own (the CUDA one is loaded at run time) and never throws across it.
 *
 * An op is found once per shape (`find`), which chooses an implementation, and then called many times through
 * a plain function pointer with its arguments filled in. */
#ifndef GRADUS_BACKEND_INTERFACE_H
#define GRADUS_BACKEND_INTERFACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRADUS_BACKEND_VERSION 4
#define GRADUS_MAX_RANK 6
#define GRADUS_MAX_ARRAYS 8
#define GRADUS_MAX_ATTRIBUTES 16

typedef enum GradusStatus {
    GRADUS_OK = 0,
    GRADUS_UNSUPPORTED = 1, /* this backend has no implementation for these types and shapes */
    GRADUS_BAD_ARGUMENT = 2,
    GRADUS_FAILED = 3
} GradusStatus;

typedef struct GradusContext GradusContext; /* one opened backend: its threads, its memory */

typedef struct GradusArray {
    void* data;
    int64_t sizes[GRADUS_MAX_RANK];
    int64_t strides[GRADUS_MAX_RANK]; /* elements */
    int32_t rank;
    int32_t dtype; /* gradus::DType */
} GradusArray;

/* One call of one op. Inputs and outputs may name the same buffer only where the op says so. */
typedef struct GradusCall {
    GradusContext* context;
    GradusArray inputs[GRADUS_MAX_ARRAYS];
    GradusArray outputs[GRADUS_MAX_ARRAYS];
    double attributes[GRADUS_MAX_ATTRIBUTES];
    int32_t input_count;
    int32_t output_count;
    /* For a kernel that works through another one (fp16 in fp32 arithmetic): set by find. */
    GradusStatus (*inner)(const struct GradusCall* call);
} GradusCall;

typedef GradusStatus (*GradusKernel)(const GradusCall* call);

typedef struct GradusOpenOptions {
    const char* isa; /* cpu: "baseline", "avx2", "avx512" or "" for the best there is; simt: "" or "native" */
    int32_t threads; /* 0: one per core */
    const char* rungs; /* simt: rungs in place of the usual ones, "matmul/1_naive matmul_nt/1_naive"; else "" */
} GradusOpenOptions;

typedef struct GradusBackend {
    int32_t version;
    const char* name; /* "cpu", "cuda", "simt" */
    /* On failure the sentence in `reason` (at most `reason_size` bytes) says why this backend cannot be used. */
    GradusStatus (*open)(const GradusOpenOptions* options, GradusContext** context, char* reason, int32_t reason_size);
    void (*close)(GradusContext* context);
    /* The implementation for an op of this name with these types, shapes and attributes (data pointers are not
     * looked at), and its name as the trace shows it. Of the call only `inner` is changed. */
    GradusStatus (*find)(GradusContext* context, const char* op, GradusCall* call, GradusKernel* kernel,
                         const char** implementation);
    /* Whether it computes an op of this name on a type (gradus::DType) of its output or first input, for some shapes. */
    int32_t (*computes)(const char* op, int32_t dtype);
    int32_t (*threads)(const GradusContext* context);
    const char* (*isa)(const GradusContext* context);
    const char* (*device)(const GradusContext* context); /* "Intel(R) Xeon(R) …" */
    /* A sentence for the last call that did not return GRADUS_OK, find's or a kernel's; "" where there is nothing to add. */
    const char* (*trouble)(const GradusContext* context);
    /* Another text in place of a rung's ("matmul/3_shared"), from the next call on; "" for its own. Null where a backend has no rungs. */
    GradusStatus (*replace_kernel)(GradusContext* context, const char* rung, const char* text);
} GradusBackend;

#ifdef __cplusplus
}
#endif

#endif
