# A copy of this Debian in ./machine of a folder of its own, to be booted under systemd-nspawn; the folder goes in the end.
# Sourced by scripts that have set `leaflog`, the path of the program, and `programs`, what they need besides. With `below`,
# the copy is of the Debian in that folder, and has the program only if that has it.
# shellcheck shell=bash disable=SC2154
for program in systemd-nspawn /lib/systemd/systemd curl $programs; do
  command -v "$program" > /dev/null || { echo "SKIPPED: no $program here"; exit 77; }
done
work=$(mktemp -d)
cd "$work" || exit 2
clean() {
  cd /
  for place in machine/proc machine/srv/disk machine layers; do
    if mountpoint -q "$work/$place"; then umount -l "$work/$place"; fi
  done
  rm -rf "$work"
}
trap clean EXIT
fail() { echo "WRONG: $*"; exit 1; }

mkdir machine layers
mount -t tmpfs none layers && mkdir layers/up layers/work \
  && mount -t overlay -o lowerdir="${below:-/}",upperdir=layers/up,workdir=layers/work none machine && mount -t proc none machine/proc \
  || exit 77
[ -n "${below:-}" ] || cp "$leaflog" machine/usr/local/bin/leaflog
rm -f machine/etc/machine-id machine/etc/fstab; touch machine/etc/machine-id machine/etc/fstab

in_machine() { chroot machine env HOME=/root "$@"; }
unit() { cat > "machine/etc/systemd/system/$1"; }

# Boots it with these units, the first of which powers it off and leaves /srv/log; the rest are more options, behind --.
boot() {
  local units=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do units+=("$1.service"); shift; done
  [ $# = 0 ] || shift
  printf '[Unit]\nRequires=basic.target\nAfter=basic.target\nWants=%s\nAllowIsolate=yes\n' "${units[*]}" | unit leaflog-test.target
  umount machine/proc
  timeout 1500 systemd-nspawn -q -D machine --register=no --keep-unit "$@" -b systemd.unit=leaflog-test.target > console 2>&1
  mount -t proc none machine/proc
  [ -s machine/srv/log ] || fail "it does not boot: $(tail -5 console)"
}
