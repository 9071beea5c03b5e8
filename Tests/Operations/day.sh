#!/bin/bash
# A day of a small server in a few minutes: a service of its own user that starts before the clock is set, a camera that
# uploads all the time, a backup whose disk is away and back, and root who imports, adds a token and verifies. In the end
# nothing may be lost, be at a wrong place, or belong to the wrong user. Needs root, loop devices, curl and faketime.
# Usage: [ROUNDS=10] LEAFLOG=/path/to/leaflog day.sh
set -u
leaflog=${LEAFLOG:?set LEAFLOG to the path of the program}
photos=$(cd "$(dirname "$0")/../.." && pwd)/Fixtures/Photos
work=$(mktemp -d)
cd "$work" || exit 2
chmod 755 .
clean() {
  # shellcheck disable=SC2046
  kill $(jobs -p) 2> /dev/null
  cd /
  for place in "$work"/*/; do mountpoint -q "$place" && umount -l "$place"; done
  rm -rf "$work"
}
trap clean EXIT
fail() { echo "WRONG: $*"; exit 1; }

mkdir home disk usb
for disk in disk usb; do
  truncate -s 300M $disk.img && mkfs.ext4 -q $disk.img && mount -o loop $disk.img $disk || exit 77
  chown nobody $disk
done
chown nobody home
as() { HOME=$work/home setpriv --reuid nobody --clear-groups "$@"; }
library=$work/disk/library

as "$leaflog" init "$library" --quiet
token=$(as "$leaflog" --library "$library" token add camera --quiet)
begin() { # words before the command
  HOME=$work/home setpriv --reuid nobody --clear-groups "$@" "$leaflog" --library "$library" serve --require-token \
    --tls own --port 21950 > service.out 2> service.err &
  service=$!
  for _ in $(seq 100); do curl -ks -o /dev/null https://127.0.0.1:21950/healthz && return; sleep 0.1; done
  fail "the service does not start: $(cat service.out service.err)"
}
end() { kill "$service" || fail "the service has ended: $(cat service.err)"; wait "$service" 2> /dev/null; }
api() { curl -ks --retry 60 --retry-all-errors --retry-delay 1 -H "Authorization: Bearer $token" "$@"; }

# The clock is right only a while after the start.
begin; end
authority=$(as sha256sum "$library/tls-authority.pem")
# (libfaketime changes the environment of the first program, where Swift then does not find its arguments.)
begin env FAKETIME=-2500d LD_PRELOAD="$(echo /usr/lib/*/faketime/libfaketime.so.1)" env
end
begin
[ "$(as sha256sum "$library/tls-authority.pem")" = "$authority" ] || fail "the authority was replaced by a wrong clock"

touch camera.on
sent=0
(
  n=0
  while [ -e camera.on ]; do
    n=$((n + 1))
    cp "$photos/monstera/IMG_0005.jpg" shot.jpg && head -c $n /dev/zero >> shot.jpg
    api -f -o /dev/null "https://127.0.0.1:21950/api/v1/photos?name=$n.jpg&plant=Fern" -H 'Content-Type: image/jpeg' \
      --data-binary @shot.jpg && echo "$n" > acknowledged
  done
) &
camera=$!

as "$leaflog" --library "$library" backup "$work/usb/leaflog" --quiet || fail "no first backup"
for round in $(seq "${ROUNDS:-10}"); do
  umount usb
  as "$leaflog" --library "$library" backup "$work/usb/leaflog" --quiet 2> err && fail "a backup to a disk that is away"
  [ -z "$(ls -A usb)" ] || fail "something was made where the disk is away: $(ls -A usb)"
  "$leaflog" --library "$library" import "$photos/basil" --quiet || fail "root cannot import"
  "$leaflog" --library "$library" token add "root-$round" --quiet > /dev/null || fail "root cannot add a token"
  "$leaflog" --library "$library" verify > out || fail "root's verify: $(cat out)"
  end
  begin
  mount -o loop usb.img usb
  as "$leaflog" --library "$library" backup "$work/usb/leaflog" --quiet || fail "no backup when the disk is back"
done
rm camera.on; wait $camera
sent=$(cat acknowledged)
end

[ -z "$(find disk usb ! -user nobody ! -name lost+found)" ] || fail "not nobody's: $(find disk usb ! -user nobody)"
as "$leaflog" --library "$library" verify --full > out || fail "$(cat out)"
as "$leaflog" --library "$library" backup "$work/usb/leaflog" --quiet || fail "no last backup"
as "$leaflog" --library "$work/usb/leaflog" verify --full > out || fail "the backup: $(cat out)"
count=$(as "$leaflog" --library "$library" stats --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["photos"])')
[ "$count" -ge $((sent + 4)) ] || fail "$count photos, of $sent acknowledged and 4 imported"
echo "RIGHT: $sent photos were acknowledged, and $count are there, whole, in the library and its backup"
