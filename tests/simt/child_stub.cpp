// In place of gradus-simt: does what the request's one word says, confined as a kernel is. Its misdeeds are planted.

#include "engine/simt/arena.hpp"
#include "engine/simt/confine.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <seccomp.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

using namespace gradus::simt;

namespace {

volatile std::uint64_t sink = 0; // so that nothing is left out as unused
std::byte* shared = nullptr;     // the arena's memory

void fork_bomb() {
    for (;;)
        if (fork() < 0) _exit(7);
}

void write_file(int flags) {
    const int file = open("planted", flags, 0600);
    std::printf("file %d\n", file);
}

void loop() {
    for (;;) sink = sink + 1;
}

void flood() {
    for (;;) std::fputs("another line of a kernel that never stops\n", stdout);
}

constexpr const char* library = "/proc/self/comm"; // in place of the one file that may be opened

/// All that a kernel may: opens its library, asks for the time, prints, and takes memory back and forth.
void behave() {
    char words[16] = {};
    const int file = open(library, O_RDONLY);
    if (file < 0 || read(file, words, sizeof words - 1) < 0) _exit(8);
    close(file);
    if (!dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL)) _exit(9);
    for (std::size_t bytes = 1; bytes < std::size_t{1} << 30; bytes *= 8) {
        void* memory = std::malloc(bytes);
        if (!memory) _exit(10);
        std::memset(memory, 1, std::min<std::size_t>(bytes, 4096));
        std::free(memory);
    }
    sink = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    rlimit left{};
    getrlimit(RLIMIT_AS, &left);
    std::printf("hello\n");
    std::fprintf(stderr, "and more\n");
}

const std::map<std::string, std::function<void()>> deeds{
    {"behave", behave},
    {"nothing", [] {}},
    {"open", [] { std::printf("file %d\n", open("/proc/self/stat", O_RDONLY)); }},
    {"open twice", [] {
         close(open(library, O_RDONLY));
         std::printf("file %d\n", open(library, O_RDONLY));
     }},
    {"open to write", [] { std::printf("file %d\n", open(library, O_RDWR)); }},
    {"list", [] { sink = reinterpret_cast<std::uintptr_t>(opendir("/")); }},
    {"fork", [] { sink = static_cast<std::uint64_t>(fork()); }},
    {"fork bomb", fork_bomb},
    {"thread", [] { std::thread([] {}).join(); }},
    {"system", [] { sink = static_cast<std::uint64_t>(std::system("echo planted >planted")); }},
    {"exec", [] { execl("/bin/true", "true", nullptr); }},
    {"write", [] { write_file(O_WRONLY | O_CREAT); }},
    {"append", [] { write_file(O_WRONLY | O_APPEND); }},
    {"truncate", [] { write_file(O_RDONLY | O_TRUNC); }},
    {"temporary", [] { sink = reinterpret_cast<std::uintptr_t>(std::tmpfile()); }},
    {"write arena", [] { sink = static_cast<std::uint64_t>(write(3, "planted", 7)); }},
    {"shrink arena", [] { sink = static_cast<std::uint64_t>(ftruncate(3, 0)); }},
    {"rename", [] { sink = static_cast<std::uint64_t>(rename("planted", "planted2")); }},
    {"unlink", [] { sink = static_cast<std::uint64_t>(unlink("planted")); }},
    {"chmod", [] { sink = static_cast<std::uint64_t>(chmod("planted", 0777)); }},
    {"mkdir", [] { sink = static_cast<std::uint64_t>(mkdir("planted", 0777)); }},
    {"socket", [] { sink = static_cast<std::uint64_t>(socket(AF_INET, SOCK_STREAM, 0)); }},
    {"mount", [] { sink = static_cast<std::uint64_t>(mount("none", "/", "tmpfs", 0, nullptr)); }},
    {"ptrace", [] { sink = static_cast<std::uint64_t>(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr)); }},
    {"kill parent", [] { kill(getppid(), SIGTERM); }},
    {"limit parent", [] {
         const rlimit none{0, 0};
         prlimit(getppid(), RLIMIT_CPU, &none, nullptr);
     }},
    {"kill group", [] { kill(0, SIGTERM); }},
    {"kill all", [] { kill(-1, SIGTERM); }},
    {"stop itself", [] { std::raise(SIGSTOP); }},
    {"signal parent", [] { syscall(SYS_tgkill, getppid(), getppid(), SIGTERM); }},
    {"read parent", [] {
         char here = 0;
         const iovec to{&here, 1}, from{&here, 1};
         sink = static_cast<std::uint64_t>(process_vm_readv(getppid(), &to, 1, &from, 1, 0));
     }},
    {"write parent", [] {
         char here = 0;
         const iovec to{&here, 1}, from{&here, 1};
         sink = static_cast<std::uint64_t>(process_vm_writev(getppid(), &to, 1, &from, 1, 0));
     }},
    {"hold parent", [] { sink = static_cast<std::uint64_t>(syscall(SYS_pidfd_open, getppid(), 0)); }},
    {"lift limit", [] {
         const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
         setrlimit(RLIMIT_CPU, &none);
     }},
    {"block signals and fork", [] {
         sigset_t all;
         sigfillset(&all);
         sigprocmask(SIG_BLOCK, &all, nullptr);
         sink = static_cast<std::uint64_t>(fork());
     }},
    {"ignore signals and fork", [] {
         signal(SIGSYS, SIG_IGN);
         sink = static_cast<std::uint64_t>(fork());
     }},
    {"other mode", [] { asm volatile("int $0x80" ::"a"(2) : "memory"); }}, // fork, for a processor of 32 bits
    {"keyring", [] { syscall(SYS_keyctl, 0, 0); }},
    {"new 100 GB", [] { sink = reinterpret_cast<std::uintptr_t>(new char[100'000'000'000]); }},
    {"touch all", [] {
         for (;;) std::memset(new char[1 << 28], 1, 1);
     }},
    {"null", [] {
         auto* memory = static_cast<volatile char*>(std::malloc(100'000'000'000));
         memory[1] = 1;
     }},
    {"loop", loop},
    {"tell and loop", [] {
         *reinterpret_cast<volatile pid_t*>(shared) = getpid();
         loop();
     }},
    {"sleep", [] { std::this_thread::sleep_for(std::chrono::hours(1)); }},
    {"close and loop", [] {
         close(STDOUT_FILENO);
         close(STDERR_FILENO);
         loop();
     }},
    {"flood", flood},
    {"abort", [] { std::abort(); }},
    {"segfault", [] { *reinterpret_cast<volatile int*>(16) = 1; }},
    {"divide", [] { sink = 7 / sink; }},
    {"exit", [] { std::exit(0); }},
    {"exit 3", [] { std::exit(3); }},
    {"terminal", [] {
         std::fputs("\x1b[2J\xff", stderr);
         _exit(5);
     }},
};

/// As a container that allows no filters.
void refuse_filters() {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SYS_seccomp, 0);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SYS_prctl, 1, SCMP_A0(SCMP_CMP_EQ, 22)); // PR_SET_SECCOMP
    seccomp_load(filter);
    seccomp_release(filter);
}

} // namespace

int main(int, char** words) {
    if (!end_with(static_cast<pid_t>(std::atol(words[2])), SIGKILL)) return 1;
    Arena arena(3);
    shared = arena.memory();
    std::string word(reinterpret_cast<const char*>(arena.request().data()), arena.request().size());
    Limits limits;
    constexpr std::string_view unfiltered = "unfiltered: ", brief = "brief: ";
    if (word.starts_with(unfiltered)) {
        word.erase(0, unfiltered.size());
        refuse_filters();
    }
    if (word.starts_with(brief)) {
        word.erase(0, brief.size());
        limits.cpu_seconds = 1;
    }
    std::string reason;
    if (!confine(limits, arena.end_words(), reason, library)) std::fprintf(stderr, "gradus-simt: %s; the kernel runs with limits only\n", reason.c_str());
    if (word == "open files") { // what else of the lab's was handed on
        close(open(library, O_RDONLY));
        for (int file = 4; file < 256; ++file)
            if (lseek(file, 0, SEEK_CUR) >= 0 || errno != EBADF) word = "open";
        if (word == "open") _exit(11);
    } else deeds.at(word)();
    std::fflush(nullptr);
    arena.answer_room()[0] = std::byte{42};
    if (word != "nothing") arena.answered(1);
    _exit(0);
}
