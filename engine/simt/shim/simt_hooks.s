# What GCC's calls of hooks become in a kernel's assembly (engine/simt/inline_hooks.hpp): the usual case is done in place, for which the
# kernel need not leave its own code. Whatever is special calls: what is asked for the first time, a log that is full, an address outside
# of what this instruction touched before, values that are logged, too.
#
# These stand where a call stood, so that all registers which a call may change are free. Offsets are SimtNow's, in engine/simt/simt.h.
# A site is the address behind the hook, as if it were what the call returns to.

# The linker need not find them, as it must everything else: whoever runs the kernel has them.
    .weak   simt_init, simt_func_entry, simt_func_exit, simt_read_range, simt_write_range, simt_out_of_bounds

    .section simt_usual, "aw", @nobits
    .balign 16
    .skip   16                              # one at least, so that the section is there

# An access of so many bytes at %rdi. mask: bits of the address that must be 0. The hook is called with the address and this
# instruction's SimtUsual.
    .macro simt_access hook, mask
    .weak   \hook
    .pushsection simt_usual, "aw", @nobits
3:  .skip   16
    .popsection
    movq    %rdi, %rax
    subq    3b(%rip), %rax
    cmpq    3b+8(%rip), %rax
    jae     2f
    .if \mask
    testb   $\mask, %dil
    jnz     2f
    .endif
    movq    simt_hooked(%rip), %rdx
    movl    16(%rdx), %ecx
    cmpl    20(%rdx), %ecx
    je      2f
    leaq    1f(%rip), %rax
    addl    24(%rdx), %eax
    movq    (%rdx), %rsi
    movl    %eax, (%rsi,%rcx,4)
    movq    8(%rdx), %rsi
    movq    %rdi, (%rsi,%rcx,8)
    incl    %ecx
    movl    %ecx, 16(%rdx)
    jmp     1f
2:  leaq    3b(%rip), %rsi
    call    *\hook@GOTPCREL(%rip)
1:
    .endm

# A basic block begins. A step back in the code is logged, at the block that it comes from: the last one. In functions that were not
# entered by a hook (the compiler's own way to a variable of extern __shared__) none is.
    .macro simt_block hook
    .weak   \hook
    movq    simt_hooked(%rip), %rdx
    cmpq    %rbp, 32(%rdx)
    jne     1f
    leaq    1f(%rip), %rax
    movq    40(%rdx), %rdi
    movq    %rax, 40(%rdx)
    cmpq    %rax, %rdi
    jb      1f
    cmpq    $-1, %rdi                       # each block is to be told of
    je      2f
    movl    16(%rdx), %ecx
    cmpl    20(%rdx), %ecx
    je      2f
    addl    24(%rdx), %edi
    movq    (%rdx), %rsi
    movl    %edi, (%rsi,%rcx,4)
    movq    8(%rdx), %rsi
    movq    $0, (%rsi,%rcx,8)
    incl    %ecx
    movl    %ecx, 16(%rdx)
    jmp     1f
2:  call    *\hook@GOTPCREL(%rip)
1:
    .endm

    .text
