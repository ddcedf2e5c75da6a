# Sourced by app/run and tests/run: installs what is missing, configures and builds.
# Everything said here goes to standard error; standard output belongs to the program.
set -euo pipefail
trap 'exit 130' INT
trap 'exit 143' TERM

root=$(cd -- "${BASH_SOURCE[0]%/*}/.." >/dev/null && pwd -P)
build=$root/build
system=$(. /etc/os-release 2>/dev/null && printf '%s' "${ID:-} ${VERSION_ID:-}") || system=unknown

# Who needs it, its name in Debian 12 and 13, and why.
packages='
build  build-essential        compiler and linker, also for kernels edited in the lab
build  cmake                  configures the build
build  ninja-build            runs the build
build  pkg-config             finds libraries that have no CMake package
build  git                    names the version that was built
build  ca-certificates        https for git
build  libeigen3-dev          matrix reference
build  libfmt-dev             text formatting
build  libsqlite3-dev         .gradus files, progress
build  libxxhash-dev          hashes of tensors and chunks
build  libdeflate-dev         compressed data sets
build  zlib1g-dev             compressed traces
build  libzip-dev             NPZ archives
build  libdw-dev              places in kernel sources
build  libelf-dev             names in a compiled kernel
build  libseccomp-dev         confines kernels that are stepped through
build  libtomlplusplus-dev    lesson cards
build  nlohmann-json3-dev     JSON in and out
build  libcli11-dev           command line
build  qt6-base-dev           the window
build  qt6-svg-dev            pictures of views as SVG
build  libqcustomplot-dev     plots
build  dataset-fashion-mnist  pictures of clothes to learn from
build  fonts-inter            text
build  fonts-jetbrains-mono   code and numbers
build  fonts-noto-cjk         Korean text
build  fonts-stix             formulas
test   xvfb                   an X server without a screen
test   xauth                  lets the tests use it
test   xdotool                keys and clicks
test   sqlite3                reads .gradus files from outside
full   clang-19               compiles the fuzzers
full   libclang-rt-19-dev     their run-time library
'

say() { printf '%s\n' "$@" >&2; }
fail() {
    say "gradus: $*"
    exit 1
}

# Qt and the compilers want UTF-8; a bare machine has no locale but C. The language asked for is kept.
use_utf8() {
    [[ $(locale charmap 2>/dev/null) == UTF-8 ]] && return
    export LANGUAGE=${LANGUAGE:-${LC_ALL:-${LANG:-en}}} LC_ALL=C.UTF-8
}

# Makes build/ and waits until no other set-up or build works in it. Fails where nothing can be written.
lock_build() {
    { mkdir -p "$build" && exec 9>>"$build/.lock"; } 2>/dev/null || return 1
    if ! flock -n 9; then
        say "Waiting for another build in $build"
        flock 9
    fi
}
unlock_build() { exec 9>&-; }

# Reads the messages of apt and ninja: progress becomes one line kept up to date on a terminal and a line per quarter
# elsewhere; all else passes through.
show_progress() {
    local line doing percent shown=''
    while IFS= read -r line; do
        if [[ $line =~ ^(dl|pm)status:.*:([0-9]+)\.[0-9]+: || $line =~ ^( *)([0-9]+)%\  ]]; then
            percent=${BASH_REMATCH[2]}
            case ${BASH_REMATCH[1]} in
                dl) doing=downloading ;;
                pm) doing=installing ;;
                *) doing=compiling ;;
            esac
            if [[ -t 2 ]]; then
                printf '\r\033[K  %s %d %%' $doing "$percent" >&2
            elif [[ $shown != "$doing $((percent / 25))" ]]; then
                say "  $doing $percent %"
            fi
            shown="$doing $((percent / 25))"
        else
            printf '%s\n' "$line"
        fi
    done
    if [[ -t 2 && $shown ]]; then printf '\r\033[K' >&2; fi
}

# apt RUNNER WORD...: apt-get as root, behind exec or setsid. Its progress comes through a descriptor opened behind sudo,
# which closes those it is given; the lock (9) stays here, lest a service that a package starts keep it.
apt() {
    local as_root=() runner=$1
    shift
    if ((EUID)); then as_root=(sudo); fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c "$runner"' apt-get "$@" 3>&1' apt-get \
        -y --no-install-recommends -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=3 "$@" \
        </dev/null 2>&1 9>&- | show_progress >>"$build/setup.log"
}

install_packages() { # NAME...
    local started=$SECONDS
    if ((EUID)) && ! { command -v sudo && sudo true; } >/dev/null; then
        fail "installing these packages takes root or sudo, and here is neither; as root, run:" \
            "apt-get install --no-install-recommends $*"
    fi
    : >"$build/setup.log"
    apt exec update || say "apt-get update failed; going on with the package lists that are here"
    # Ctrl-C ends the download; but dpkg, which would leave the system half installed, gets out of its way.
    if ! apt exec --download-only install "$@" || ! (trap '' INT && apt 'setsid --wait' install "$@"); then
        tail -n 12 "$build/setup.log" >&2
        fail "apt-get could not install the packages: the lines above say why; all its messages are in $build/setup.log"
    fi
    say "Installed in $((SECONDS - started)) s"
}

# need_packages SET...: installs what is missing. A list once found complete on this machine is not asked for again.
need_packages() {
    local set name reason installed state stamp names=() missing=() reasons=()
    while read -r set name reason; do
        if [[ " $* " == *" $set "* ]]; then names+=("$name"); fi
    done <<<"$packages"
    stamp=$build/.packages-${!#}
    state="$HOSTNAME $system ${names[*]}"
    [[ -f $stamp && $(<"$stamp") == "$state" ]] && return

    if command -v apt-get >/dev/null; then
        installed=$(dpkg-query -W -f '${db:Status-Status}=${Package} ' "${names[@]}" 2>/dev/null) || true
        while read -r set name reason; do
            if [[ " $* " == *" $set "* && " $installed" != *" installed=$name "* ]]; then
                missing+=("$name")
                reasons+=("$(printf '  %-22s %s' "$name" "$reason")")
            fi
        done <<<"$packages"
        if ((${#missing[@]})); then
            say "Installing with apt:" "${reasons[@]}"
            install_packages "${missing[@]}"
        fi
    else
        say "There is no apt here; the lab needs what Debian calls ${names[*]}"
    fi
    printf '%s\n' "$state" >"$stamp"
}

# configure PRESET: runs CMake unless it has run here before; from then on ninja runs it when its files change.
configure() {
    local dir=$build/$1 state="$root $system" mark=$build/$1/.configured
    if [[ -f $mark && $(<"$mark") != "$state" ]]; then
        rm -rf "$dir" # the checkout was moved, or the system under it renewed
    elif [[ -f $mark && -f $dir/build.ninja && ! $root/CMakePresets.json -nt $mark ]]; then
        return
    elif [[ ! -f $mark ]]; then
        rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles" # of a run that was interrupted: what it had not found stays not found
    fi
    say "Configuring $1"
    mkdir -p "$dir"
    if ! (cd "$root" && cmake --preset "$1") >"$dir/configure.log" 2>&1; then
        rm -f "$build"/.packages-* # perhaps a package was removed
        cat "$dir/configure.log" >&2
        fail "CMake could not configure; its messages are above and in $dir/configure.log"
    fi
    printf '%s\n' "$state" >"$mark"
}

# One compiler per core, as far as memory reaches: a large file takes 1.5 GB.
compilers() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
    if ((memory < 1)); then memory=1; fi
    echo $((memory < cores ? memory : cores))
}

# compile PRESET TARGET...: says nothing where there is nothing to do.
compile() {
    local preset=$1 dir=$build/$1 started=$SECONDS done=yes
    shift
    configure "$preset"
    [[ $(ninja -C "$dir" -n "$@" 2>&1) == *'no work to do'* ]] && return
    say "Building $* ($preset)"
    if [[ -t 2 ]]; then
        (cd "$dir" && exec ninja -j "$(compilers)" "$@") >&2 9>&- || done=no
    else
        (cd "$dir" && NINJA_STATUS='%p ' exec ninja -j "$(compilers)" "$@") 2>&1 9>&- | show_progress >&2 || done=no
    fi
    [[ $done == yes ]] || fail "the build failed; the compiler's messages are above"
    say "Built in $((SECONDS - started)) s"
}
