#!/usr/bin/env bash
# Runs the README's two commands on a bare Debian 12: packaging/bare_debian.sh [--run-only|--test-only] [--keep] [FOLDER]
#
# Needs root and debootstrap. Builds a minimal system in FOLDER (default: agdesk-bare-debian in the temporary folder),
# clones HEAD of this checkout into it and runs `make run` and `make test` there with no display. The system gets what
# this machine needs to reach its package mirrors (apt sources and options, pip's configuration, certificates, proxies)
# and nothing else. FOLDER is removed at the end unless --keep is given; the picture of the window stays in build/.
set -euo pipefail

suite=bookworm
commands=(run test)
keep=no
root=${TMPDIR:-/tmp}/agdesk-bare-debian
for argument in "$@"; do
    case $argument in
        --run-only) commands=(run) ;;
        --test-only) commands=(test) ;;
        --keep) keep=yes ;;
        -*) echo "usage: $0 [--run-only|--test-only] [--keep] [FOLDER]" >&2; exit 2 ;;
        *) root=$argument ;;
    esac
done
checkout=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
house=/usr/src/agdesk # where the clone lies inside
say() { printf '\n== %s\n' "$*"; }

[ "$(id -u)" -eq 0 ] || { echo "this needs root: it makes a chroot" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 2; }
if [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then
    echo "$root exists and is not empty" >&2
    exit 2
fi

# --- mounts: noted as they are made, taken off in reverse, and nothing is deleted while one is left
mounts=()
bind() { # bind SOURCE [ro]
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
    mount --make-rslave "$root$1"
    mounts+=("$root$1")
    [ "${2:-}" != ro ] || mount -o remount,ro,bind "$root$1"
}
clean() {
    status=$?
    trap - EXIT
    for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
        umount --recursive "${mounts[i]}" 2>/dev/null || umount --recursive --lazy "${mounts[i]}"
    done
    if grep -qF " $root/" /proc/self/mounts; then
        echo "something is still mounted below $root; it is left as it is" >&2
    elif [ $keep = no ]; then
        rm -rf --one-file-system "$root"
    fi
    exit "$status"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# --- the mirrors of this machine: URI, suite and component of every Debian index that apt knows here
sources=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' "Created-By: Packages" |
    awk -v suite=$suite '$1 == "Debian" && index($3, suite) == 1 { print "deb", $2, $3, $4 }' | sort -u)
mirror=$(awk -v suite=$suite '$3 == suite { print $2; exit }' <<<"$sources")
[ -n "$mirror" ] || { echo "apt knows no mirror of Debian $suite here; is it configured, and was apt-get update run?" >&2; exit 1; }

say "debootstrap $suite"
mkdir -p "$root"
root=$(cd "$root" && pwd -P)
started=$SECONDS
debootstrap --variant=minbase --include=python3,python3-pip,make,git,ca-certificates \
    $suite "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
rm -f "$root.log"
echo "done in $((SECONDS - started)) s"

echo "$sources" >"$root/etc/apt/sources.list"
apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIPv)' >"$root/etc/apt/apt.conf.d/90host" || true
cp -L --remove-destination /etc/resolv.conf /etc/hosts "$root/etc/"
rm -rf "$root/etc/ssl/certs" # its links are absolute: copying onto them would write into this machine's own
cp -rL /etc/ssl/certs "$root/etc/ssl/certs"
for file in /etc/pip.conf /etc/xdg/pip /root/.config/pip; do
    [ ! -e "$file" ] || { mkdir -p "$root$(dirname "$file")" && cp -r "$file" "$root$file"; }
done
# local folders that pip's configuration names as sources of packages (an index lies in a folder beside its files)
while read -r folder; do
    [ ! -d "$folder" ] || bind "$folder" ro
done < <(python3 -m pip config list | grep -oE "([ '=]|file://)/[^ ']+" |
    sed -E "s#^([ '=]|file://)##; s#/simple/*\$##" | sort -u)
mount -t proc proc "$root/proc"
mounts+=("$root/proc")
bind /dev
git clone --quiet --no-hardlinks "$checkout" "$root$house"

inside=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb)
while IFS= read -r line; do
    inside+=("$line")
done < <(env | grep -iE '^(PIP_[A-Z_]+|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|(https?|ftp|all|no)_proxy)=')

failed=()
for name in "${commands[@]}"; do
    say "make $name"
    started=$SECONDS
    status=0
    timeout --kill-after=30 2400 chroot "$root" env -i "${inside[@]}" \
        sh -c "cd $house && exec make $name" >"$root/$name.log" 2>&1 </dev/null || status=$?
    tail -n 25 "$root/$name.log"
    echo "make $name: status $status after $((SECONDS - started)) s"
    [ "$status" -eq 0 ] || failed+=("make $name")
    if [ "$name" = run ]; then
        picture=$root$house/build/first-run.png
        if [ -s "$picture" ] && [ "$(head -c 8 "$picture" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; then
            mkdir -p "$checkout/build"
            cp "$picture" "$checkout/build/bare-debian.png"
            echo "the window: build/bare-debian.png, $(stat -c %s "$picture") bytes"
        else
            failed+=("the picture of the window")
        fi
    fi
done

if [ "${#failed[@]}" -gt 0 ]; then
    say "FAILED:$(printf ' %s;' "${failed[@]}")"
    exit 1
fi
say "both the system and the commands are fine"
