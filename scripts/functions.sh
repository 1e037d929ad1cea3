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
