# shellcheck shell=bash
# What scripts/check and the scripts that it runs share. Source it from the root of the repository.

# Prints a command and runs it.
run() {
    echo "== $*"
    "$@"
}

# Reports a check that is skipped, and why. scripts/check names a file in CHECK_SKIPPED, which it prints at the end.
skip() {
    echo "${0##*/}: skipped: $*" >&2
    if [ -n "${CHECK_SKIPPED:-}" ]; then
        echo "${0##*/}: $*" >>"$CHECK_SKIPPED"
    fi
}

# For a check that cannot run here. The argument is the reason, with its remedy. With --if-possible the check is skipped; otherwise
# this is an error. With --prepare nothing is checked.
cannot() {
    case ${mode:-} in
        --if-possible) skip "$*" ;;
        --prepare) ;;
        *)
            echo "${0##*/}: $*" >&2
            exit 1
            ;;
    esac
}

# Installs packages of Debian, if this is root on such a system. The caller checks what is missing afterwards.
install() {
    if [ $# = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then return; fi
    echo "== installing $*"
    # Another script may be installing as well.
    local options=(-y -qq --no-install-recommends -o DPkg::Lock::Timeout=300)
    if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@" >/dev/null; then
        echo "${0##*/}: cannot install $*" >&2
    fi
}

# Starts a check beside the next ones. `finish` prints what it wrote.
beside() {
    BESIDE_OUTPUT=$(mktemp)
    # With job control it has a process group, and Ctrl-C is not ignored in it, which some tests rely on.
    set -m
    "$@" >"$BESIDE_OUTPUT" 2>&1 </dev/null &
    set +m
    BESIDE=$!
    BESIDE_NAME="$*"
    trap 'kill -- "-$BESIDE" 2>/dev/null || true; rm -f "$BESIDE_OUTPUT"' EXIT
}

# Waits for the check that was started beside the others. Fails if it failed.
finish() {
    local result=0
    wait "$BESIDE" || result=$?
    echo "== $BESIDE_NAME (ran beside the checks above)"
    cat "$BESIDE_OUTPUT"
    rm -f "$BESIDE_OUTPUT"
    trap - EXIT
    return "$result"
}
