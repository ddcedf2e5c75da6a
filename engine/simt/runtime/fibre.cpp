#include "engine/simt/runtime/fibre.hpp"

#include "engine/core/error.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

// The callee-saved registers go onto the old stack and come from the new one. A new fibre's stack holds the address of
// gradus_fibre_begin as if it had been left there, with its body in r12 and the argument in r13. A jump ends the switch: a processor
// predicts that a return goes back to where the call was, which here it never does.
asm(R"(
.text
.globl gradus_fibre_switch
.type gradus_fibre_switch, @function
gradus_fibre_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size gradus_fibre_switch, . - gradus_fibre_switch
.type gradus_fibre_begin, @function
gradus_fibre_begin:
    movq %r13, %rdi
    call *%r12
    ud2
.size gradus_fibre_begin, . - gradus_fibre_begin
)");
extern "C" void gradus_fibre_begin();

namespace gradus::simt {

namespace {
constexpr std::size_t page = 4096;
// The same depth of all stacks would fall into the same sets of the first-level cache; a few lines apart they do not.
constexpr std::size_t apart = 576, colours = 64;
} // namespace

FibreStacks::FibreStacks(std::size_t count) : count_(count), bytes_(count * stack_bytes) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw UnavailableError(fmt::format("no address space for the stacks of {} lanes", count));
    memory_ = static_cast<std::byte*>(memory);
    for (std::size_t i = 0; i < count; ++i) mprotect(memory_ + i * stack_bytes, page, PROT_NONE);
}

FibreStacks::~FibreStacks() { munmap(memory_, bytes_); }

void* FibreStacks::prepare(std::size_t i, void (*body)(void*), void* argument) const {
    auto* top = reinterpret_cast<std::uint64_t*>(memory_ + (i + 1) * stack_bytes - i % colours * apart);
    *--top = 0; // so that the stack is aligned as at a call
    *--top = 0; // and a walk up the stack ends here
    *--top = reinterpret_cast<std::uint64_t>(&gradus_fibre_begin);
    *--top = 0;                                       // rbp
    *--top = 0;                                       // rbx
    *--top = reinterpret_cast<std::uint64_t>(body);   // r12
    *--top = reinterpret_cast<std::uint64_t>(argument); // r13
    *--top = 0;                                       // r14
    *--top = 0;                                       // r15
    return top;
}

} // namespace gradus::simt
