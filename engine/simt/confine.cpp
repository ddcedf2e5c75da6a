#include "engine/simt/confine.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <initializer_list>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gradus::simt {

namespace {

std::span<std::byte> told_in;

/// A system call in the words of what it is for.
const char* what_it_does(int call) {
    switch (call) {
    case SYS_open:
    case SYS_openat:
    case SYS_creat:
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_truncate:
    case SYS_ftruncate:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_chmod:
    case SYS_fchmod:
    case SYS_fchmodat: return "change a file";
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone:
    case SYS_clone3: return "start a process";
    case SYS_execve:
    case SYS_execveat: return "start a program";
    case SYS_socket:
    case SYS_connect:
    case SYS_bind:
    case SYS_sendto: return "use the network";
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_ptrace: return "reach another process";
    default: return nullptr;
    }
}

/// Runs in place of the call: nothing but memory and _exit may be used.
void forbidden(int, siginfo_t* info, void*) {
    const char* words = what_it_does(info->si_syscall);
    char* out = reinterpret_cast<char*>(told_in.data());
    if (words) std::strncpy(out, words, told_in.size() - 1);
    else std::strncpy(out, "ask the system for something that a kernel may not", told_in.size() - 1);
    _exit(3);
}

void limit(int what, std::uint64_t most) {
    const rlimit value{most, most};
    setrlimit(static_cast<__rlimit_resource>(what), &value);
}

} // namespace

bool confine(const Limits& limits, std::span<std::byte> words, std::string& reason) {
    told_in = words;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, limits.cpu_seconds);
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 32);

    struct sigaction action {};
    action.sa_sigaction = forbidden;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (!filter) {
        reason = "no filter can be made";
        return false;
    }
    int failed = 0;
    for (const int call : {SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_read, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat, SYS_lseek,
                           SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_getrandom, SYS_rt_sigaction,
                           SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_access, SYS_readlink, SYS_getcwd, SYS_rseq,
                           SYS_set_robust_list, SYS_prlimit64, SYS_arch_prctl, SYS_set_tid_address, SYS_membarrier, SYS_sched_getaffinity, SYS_sysinfo, SYS_uname})
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    constexpr std::uint64_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SYS_openat, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, changes, 0));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SYS_open, 1, SCMP_A1(SCMP_CMP_MASKED_EQ, changes, 0));
    for (const std::uint64_t own : {std::uint64_t{STDOUT_FILENO}, std::uint64_t{STDERR_FILENO}}) {
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SYS_write, 1, SCMP_A0(SCMP_CMP_EQ, own));
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SYS_writev, 1, SCMP_A0(SCMP_CMP_EQ, own));
    }
    // abort() sends itself a signal.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SYS_tgkill, 1, SCMP_A0(SCMP_CMP_EQ, static_cast<std::uint64_t>(getpid())));
    const int loaded = failed ? -EINVAL : seccomp_load(filter);
    seccomp_release(filter);
    if (loaded != 0) reason = fmt::format("the system refuses to filter calls: {}", std::strerror(-loaded));
    return loaded == 0;
}

} // namespace gradus::simt
