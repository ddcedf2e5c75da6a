/* What a kernel that was compiled for the CPU asks of whoever runs it. The shim's headers, which bear CUDA's own names, put CUDA's
 * words into these; the kernel itself names none of them. Each lane of a block is a fibre; only one runs at a time. */
#ifndef GRADUS_SIMT_H
#define GRADUS_SIMT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the lane that is running stands. Lives as long as its block runs. */
typedef struct SimtLane {
    uint32_t thread[3], block[3], block_size[3], grid_size[3]; /* threadIdx, blockIdx, blockDim, gridDim */
    uint32_t rank;                                             /* in the block, x first */
    uint32_t lane, warp;                                       /* rank % 32, rank / 32 */
    uint32_t shared_bytes;                                     /* of the launch, dynamic */
} SimtLane;

/* Done once by whichever lane of a meeting comes last, for all: mine[i] is what the lane of bit i handed in, for the bits of mask. */
typedef void (*SimtTogether)(void* const* mine, uint32_t mask);
/* The same for a whole block: lanes by their rank; one that has returned has a null. */
typedef void (*SimtAllTogether)(void* const* mine, uint32_t lanes);

/* What a lane hands in to a shuffle, a vote or the like, and what it gets. */
typedef struct SimtHanded {
    uint64_t value, result;
    uint32_t source; /* the lane that a shuffle asks; others: SIMT_NO_LANE */
} SimtHanded;
enum { SIMT_NO_LANE = 0xff };

/* How lanes meet. Later memory accesses of these lanes come after earlier ones (__syncwarp): */
enum { SIMT_ORDERS = 1 };
/* Each hands in a SimtHanded, whose value and result are of these kinds (as engine/trace/kernel/value_kind.hpp has them). */
#define SIMT_HANDS(given, got) ((uint32_t)(given) << 8 | (uint32_t)(got) << 16)

typedef struct SimtRuntime {
    const SimtLane* (*lane)(void);
    /* All lanes of the block that have not returned meet (__syncthreads); `together` may be null. */
    void (*barrier)(SimtAllTogether together, void* mine);
    /* The lanes of the mask, of one warp, meet: shuffles, votes, matches, matrix instructions. `together` may be null. `how`:
     * SIMT_ORDERS and simt_hands. `name` is CUDA's, for messages. */
    void (*meet)(uint32_t mask, SimtTogether together, void* mine, uint32_t how, const char* name);
    uint32_t (*active)(void); /* __activemask */
    /* Right before an atomic read-modify-write of so many bytes, which the caller then does in plain C++. */
    void (*atomic)(void* address, uint32_t bytes, const char* name);
    void (*fence)(int scope); /* 0 block, 1 device, 2 system */
    /* cp.async: the read is recorded at once, the bytes land at the wait. `zeros`: so many of the last bytes are zeros. */
    void (*copy_async)(void* shared, const void* global, uint32_t bytes, uint32_t zeros);
    void (*commit)(void);
    void (*wait)(uint32_t prior); /* all batches but so many of the newest */
    int (*print)(const char* format, const uint64_t* words, uint32_t count); /* a double's bits, an integer, a pointer, each in a word */
    void (*fma)(float a, float b, float c, float result); /* a multiply-add in fp32 was done */
    void (*trap)(const char* why); /* __trap, a failed assert: the launch ends */
} SimtRuntime;

/* A build with hooks logs what it does by itself, in the instructions that shim/simt_hooks.s puts in place of the compiler's calls, and
 * calls only where something is special. Here is what these instructions know; what they name by its offset stands as it is there. */

/* Of the lane that is running. */
typedef struct SimtNow {
    uint32_t* sites;       /*  0  its column of the log: the place in the code of each row, and by which calls it came there */
    uint64_t* addresses;   /*  8  the same rows: what is touched */
    uint32_t count;        /* 16  rows that are filled */
    uint32_t last_row;     /* 20  the log's last: whoever fills it stops */
    uint32_t from;         /* 24  added to the low half of a place's address it is its site */
    uint64_t frame;        /* 32  rbp of the function with hooks that it is in */
    uint64_t last_block;   /* 40  where its last basic block begins */
    const SimtLane* place; /* 48 */
} SimtNow;

/* What an instruction may touch without asking: `count` addresses from `begin` on. None at first; whoever is asked says. */
typedef struct SimtUsual {
    uint64_t begin, count;
} SimtUsual;

/* Of a library with hooks, which gives its own to whoever asks simt_hooks for it. */
typedef struct SimtHooked {
    SimtNow* now;                    /* 0 */
    SimtUsual *usual, *usual_end;    /* of all its instructions */
    int64_t multiply_adds;           /* fp32, done so far by all lanes */
    uint64_t tells_multiply_adds;    /* whether each is told, too (SimtRuntime::fma) */
} SimtHooked;

#ifdef __cplusplus
}
#endif

#endif
