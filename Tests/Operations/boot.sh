#!/bin/bash
# Boots a copy of this Debian under systemd-nspawn with a library whose disk is mounted late and a backup whose disk is
# not: a service, an import that moves photos and a backup all begin before. Nothing may be made where the disks are
# away, no photo be gone, and the service serve once the disk is there. Needs root, systemd and systemd-container.
# Usage: LEAFLOG=/path/to/leaflog boot.sh
set -u
leaflog=$(readlink -f "${LEAFLOG:?set LEAFLOG to the path of the program}")
here=$(cd "$(dirname "$0")" && pwd)
photos=$here/../../Fixtures/Photos
programs=
# shellcheck source=SCRIPTDIR/machine.sh
. "$here/machine.sh"

mkdir -p machine/srv/disk machine/srv/camera machine/away/disk machine/away/usb
cp "$photos"/monstera/*.jpg machine/srv/camera/
leaflog_there() { in_machine /usr/local/bin/leaflog "$@"; }
leaflog_there init /srv/disk/library --quiet || fail "no library"
leaflog_there --library /srv/disk/library import /srv/camera --quiet --policy exact
leaflog_there --library /srv/disk/library backup /away/usb/leaflog --quiet 2> /dev/null
rm -r machine/away/usb/leaflog
cp "$photos"/basil/*.jpg machine/srv/camera/
count=$(find machine/srv/camera -type f | wc -l)

leaflog_unit() { # name, more lines, words
  printf '[Service]\nType=%s\nEnvironment=HOME=/root\nExecStart=/usr/local/bin/leaflog --library /away/disk/library %s\n%b' \
    "$2" "$4" "$3" | unit "$1.service"
}
leaflog_unit diary notify 'Restart=on-failure\nRestartSec=1\n[Unit]\nStartLimitIntervalSec=0\n' 'serve --port 21960'
leaflog_unit camera oneshot '' 'import /srv/camera --move --policy exact'
leaflog_unit copy oneshot '' 'backup /away/usb/leaflog'
unit late.service << 'END'
[Unit]
After=camera.service copy.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'until journalctl -u diary.service | grep -q "no Leaflog library"; do sleep 0.2; done'
ExecStart=/bin/sh -c 'find /away > /srv/before; find /srv/camera -type f | wc -l > /srv/photos'
ExecStart=/bin/mount --bind /srv/disk /away/disk
ExecStart=/bin/sh -c 'for n in $(seq 100); do curl -s http://127.0.0.1:21960/healthz > /srv/health && break; sleep 0.2; done'
ExecStopPost=/bin/sh -c 'journalctl -b -u camera -u copy -u diary > /srv/log'
ExecStopPost=/bin/systemctl poweroff --no-block
END
boot late diary camera copy
[ "$(sort machine/srv/before)" = "$(printf '/away\n/away/disk\n/away/usb')" ] \
  || fail "made where a disk is away: $(cat machine/srv/before)"
[ "$(cat machine/srv/photos)" = "$count" ] || fail "$(cat machine/srv/photos) of $count photos are left"
grep -q ok machine/srv/health || fail "the service does not come up: $(cat machine/srv/log)"
leaflog_there --library /srv/disk/library verify --full > out || fail "$(cat out)"
echo "RIGHT: nothing was made or moved before the disk was there, and the service came up with it"
