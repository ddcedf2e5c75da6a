#include "engine/simt/confine.hpp"

#include <array>
#include <asm/ioctls.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <initializer_list>
#include <linux/audit.h>
#include <new>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace gradus::simt {

namespace {

std::span<std::byte> told_in;
std::string library_path; // the one file that may still be opened, which it is already:
int library_file = -1;
alignas(16) std::array<std::byte, 65536> signal_stack; // a lane's own may be all but used up

constexpr int changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/// A system call in the words of what it is for.
const char* what_it_does(int call) {
    switch (call) {
    case SYS_openat2: return "open a file";
    case SYS_creat:
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_truncate:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_link:
    case SYS_linkat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_rmdir:
    case SYS_chmod:
    case SYS_fchmod:
    case SYS_fchmodat:
    case SYS_chown:
    case SYS_fchown:
    case SYS_fchownat:
    case SYS_lchown:
    case SYS_utimensat: return "change a file";
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone:
    case SYS_clone3: return "start a process";
    case SYS_execve:
    case SYS_execveat: return "start a program";
    case SYS_socket:
    case SYS_socketpair:
    case SYS_connect:
    case SYS_bind:
    case SYS_accept:
    case SYS_accept4:
    case SYS_sendto:
    case SYS_sendmsg: return "use the network";
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_ptrace:
    case SYS_prlimit64: // of another
    case SYS_setpriority:
    case SYS_sched_setaffinity:
    case SYS_sched_setscheduler:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
    case SYS_kcmp:
    case SYS_pidfd_open:
    case SYS_pidfd_getfd:
    case SYS_pidfd_send_signal: return "reach another process";
    case SYS_mount:
    case SYS_umount2:
    case SYS_chroot:
    case SYS_reboot:
    case SYS_setuid:
    case SYS_unshare:
    case SYS_setns: return "change the system";
    default: return "ask the system for something that a kernel may not";
    }
}

[[noreturn]] void end_with_words(int code, const char* words) {
    std::strncpy(reinterpret_cast<char*>(told_in.data()), words, told_in.size() - 1);
    _exit(code);
}

/// Runs in place of the call: nothing but memory and _exit may be used.
void forbidden(int, siginfo_t* info, void* context) {
    if (info->si_arch != AUDIT_ARCH_X86_64) end_with_words(3, what_it_does(-1)); // another mode of the processor, where numbers mean other calls
    greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const int call = info->si_syscall;
    if (call == SYS_prlimit64 && registers[REG_RDI] == 0) end_with_words(3, "change its limits");
    if (call == SYS_tgkill && registers[REG_RDI] == getpid()) end_with_words(3, "send itself a signal");
    if (call != SYS_open && call != SYS_openat) end_with_words(3, what_it_does(call));
    const bool at = call == SYS_openat;
    if (registers[at ? REG_RDX : REG_RSI] & changes) end_with_words(3, "change a file");
    const auto* path = reinterpret_cast<const char*>(registers[at ? REG_RSI : REG_RDI]);
    if (library_file < 0 || library_path != path) end_with_words(3, "open a file");
    registers[REG_RAX] = std::exchange(library_file, -1); // the call's answer
}

void limit(int what, std::uint64_t most, std::uint64_t at_last) {
    const rlimit value{most, at_last};
    setrlimit(static_cast<__rlimit_resource>(what), &value);
}
void limit(int what, std::uint64_t most) { limit(what, most, most); }

/// Where the machine's memory runs out, this is the process to be ended, and not the lab.
void offer_memory() {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, "1000", 4) < 0) errno = 0; // then it is as likely as any other
    close(file);
}

/// 0, or a negative number of errno.
int filter_calls() {
    struct Filter {
        scmp_filter_ctx context = seccomp_init(SCMP_ACT_TRAP);
        ~Filter() { seccomp_release(context); }
    } const filter;
    if (!filter.context) return -ENOMEM;
    int failed = seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);
    const auto allow = [&](int call, std::initializer_list<scmp_arg_cmp> where = {}) {
        failed |= seccomp_rule_add_array(filter.context, SCMP_ACT_ALLOW, call, static_cast<unsigned>(where.size()), where.begin());
    };
    for (const int call : {SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_read, SYS_pread64, SYS_close, SYS_fstat, SYS_lseek, SYS_futex,
                           SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_time, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_getpid, SYS_gettid,
                           SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
                           SYS_restart_syscall, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_rseq, SYS_set_robust_list, SYS_arch_prctl, SYS_set_tid_address,
                           SYS_membarrier, SYS_sched_getaffinity, SYS_sysinfo, SYS_uname})
        allow(call);
    allow(SYS_newfstatat, {SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH)}); // fstat, as newer C libraries call it
    for (const std::uint64_t own : {std::uint64_t{STDOUT_FILENO}, std::uint64_t{STDERR_FILENO}}) {
        allow(SYS_write, {SCMP_A0(SCMP_CMP_EQ, own)});
        allow(SYS_writev, {SCMP_A0(SCMP_CMP_EQ, own)});
    }
    allow(SYS_ioctl, {SCMP_A1(SCMP_CMP_EQ, TCGETS)}); // is it a terminal?
    allow(SYS_prlimit64, {SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0)}); // how much is left?
    allow(SYS_tgkill, {SCMP_A0(SCMP_CMP_EQ, static_cast<std::uint64_t>(getpid())), SCMP_A2(SCMP_CMP_EQ, SIGABRT)}); // as abort() does; one that stops it would be waited for
    return failed ? -EINVAL : seccomp_load(filter.context);
}

} // namespace

bool end_with(pid_t parent, int signal) {
    prctl(PR_SET_PDEATHSIG, signal);
    return getppid() == parent; // it may have ended before
}

bool confine(const Limits& limits, std::span<std::byte> words, std::string& reason, const std::string& library) {
    told_in = words;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    std::set_new_handler([] { end_with_words(1, "ran out of memory"); }); // it may be on a lane's stack, where nobody would catch it
    offer_memory();
    limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1); // at the first a signal of its own, at the second any other's
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 32);
    limit(RLIMIT_NPROC, 0);
    const stack_t stack{signal_stack.data(), 0, signal_stack.size()};
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = forbidden;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSYS, &action, nullptr);
    if (!library.empty()) {
        // What every kernel is linked with is here, so that loading one opens no other file.
        for (const char* needed : {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1"}) dlopen(needed, RTLD_NOW);
        library_path = library;
        library_file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
    }
    const int loaded = filter_calls();
    if (loaded != 0) reason = fmt::format("the system refuses to filter calls: {}", std::strerror(-loaded));
    return loaded == 0;
}

} // namespace gradus::simt
