#!/bin/bash
# A day of an unattended server in a few minutes, in a copy of this Debian under systemd-nspawn that has little memory:
# the unit that `serve install --system` writes, whose address comes late, behind nginx, which is restarted; a camera
# that uploads all the time, also photos of 48 megapixels; certificates that are renewed; a timer with backups; and a
# disk that is full for a while. Nothing may be lost, nobody have to start anything, and /healthz and /readyz tell the
# truth throughout. Needs root, systemd, systemd-container, nginx, curl, openssl, libvips-tools and loop devices.
# Usage: [MEMORY=256] [ROUNDS=8] LEAFLOG=/path/to/leaflog unattended.sh
set -u
leaflog=$(readlink -f "${LEAFLOG:?set LEAFLOG to the path of the program}")
here=$(cd "$(dirname "$0")" && pwd)
photos=$here/../../Fixtures/Photos
memory=${MEMORY:-256}
export PATH=$PATH:/usr/sbin:/sbin
programs='nginx openssl vips ip'
# shellcheck source=SCRIPTDIR/machine.sh
. "$here/machine.sh"

truncate -s 400M disk.img && mkfs.ext4 -q disk.img && mkdir -p machine/srv/disk machine/srv/tls machine/srv/shots \
  && mount -o loop disk.img machine/srv/disk || exit 77
cp "$photos"/monstera/IMG_0005.jpg machine/srv/shots/small.jpg
vips black machine/srv/shots/large.jpg 8000 6000 --bands 3
in_machine useradd --create-home ada || exit 77
in_machine install -d -o ada -g ada /srv/disk/plants /srv/disk/backup
certificate() { # name
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -keyout machine/srv/tls/key.new \
    -out machine/srv/tls/certificate.new 2> /dev/null
  chown --reference=machine/srv/disk/plants machine/srv/tls/*.new
  mv machine/srv/tls/key.new "machine/srv/tls/key$2"; mv machine/srv/tls/certificate.new "machine/srv/tls/certificate$2"
}
certificate first ''; certificate second .next
as_ada() { in_machine setpriv --reuid ada --regid ada --clear-groups env HOME=/home/ada leaflog --library /srv/disk/plants "$@"; }
as_ada init --quiet || fail "no library"
token=$(as_ada token add camera --quiet)
in_machine leaflog --library /srv/disk/plants serve install --system --user ada --listen 192.0.2.7 --host plants.example \
  --proxy 192.0.2.0/24 --tls-certificate /srv/tls/certificate --tls-key /srv/tls/key > installed || fail "$(cat installed)"
unit backup.service << 'END'
[Service]
Type=oneshot
User=ada
Environment=LEAFLOG_LIBRARY=/srv/disk/plants
ExecStart=/usr/local/bin/leaflog backup /srv/disk/backup/plants
ExecStart=/usr/local/bin/leaflog verify --full --for 20m
END
unit backup.timer << 'END'
[Timer]
OnActiveSec=20
OnUnitInactiveSec=20
END
unit proxy.service << 'END'
[Service]
ExecStart=/usr/sbin/nginx -c /srv/nginx.conf -g 'daemon off;'
END
cat > machine/srv/nginx.conf << 'END'
user root;
pid /run/nginx-test.pid;
error_log stderr;
events {}
http {
  access_log off;
  server {
    listen 192.0.2.8:80;
    client_max_body_size 0;
    location / {
      proxy_pass https://192.0.2.7:8765;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host plants.example;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
      proxy_request_buffering off;
    }
  }
}
END
cat > machine/srv/camera << END
#!/bin/bash
# Uploads a photo of its own each time, in rounds, until the file on is gone.
n=0
while [ -e /srv/on ]; do
  n=\$((n + 1))
  kind=small; [ \$((n % 20)) = 7 ] && kind=large
  { cat /srv/shots/\$kind.jpg; head -c \$n /dev/zero; } > /run/shot.jpg
  status=\$(curl -s -m 120 -o /run/answer -w '%{http_code}' "http://192.0.2.8/api/v1/photos?name=\$n.jpg&plant=Fern" \\
    -H 'Authorization: Bearer $token' -H 'Content-Type: image/jpeg' --data-binary @/run/shot.jpg)
  case \$status in
    20?) sha256sum /run/shot.jpg | cut -d' ' -f1 >> /srv/acknowledged; echo \$kind >> /srv/kinds ;;
    000|502|503|504|507) n=\$((n - 1)); sleep 0.5 ;;
    *) echo "\$status \$(cat /run/answer)" >> /srv/refused ;;
  esac
done
END
cat > machine/srv/watch << 'END'
#!/bin/bash
# Notes the answers of /healthz and /readyz, each once per change.
last=
while [ -e /srv/on ]; do
  now=
  for path in healthz readyz; do
    now="$now $path $(curl -s -m 10 -0 -k -H Host: -w ' %{http_code}' "https://192.0.2.7:8765/$path")"
  done
  [ "$now" = "$last" ] || echo "$now" >> /srv/health
  last=$now
  sleep 0.2
done
END
cat > machine/srv/day << END
#!/bin/bash
exec 2> /srv/trouble
step() { echo "\$*" >> /srv/steps; }
until journalctl -u leaflog@ada | grep -q 'does not have the address'; do sleep 0.5; done
step "the service has failed without its address"
ip link set lo up; ip address add 192.0.2.7/32 dev lo; ip address add 192.0.2.8/32 dev lo
until curl -sfk -m 5 https://192.0.2.7:8765/readyz > /dev/null; do sleep 0.5; done
restarts=\$(systemctl show -P NRestarts leaflog@ada)
step "it is up, after \$restarts restarts"
systemctl start proxy backup.timer
/srv/watch & /srv/camera &
for round in \$(seq ${ROUNDS:-6}); do
  sleep 12
  systemctl restart proxy
  step "round \$round: \$(wc -l < /srv/acknowledged) photos"
done
mv /srv/tls/key.next /srv/tls/key; mv /srv/tls/certificate.next /srv/tls/certificate
for n in \$(seq 60); do
  openssl s_client -connect 192.0.2.7:8765 < /dev/null 2> /dev/null | grep -q 'subject=CN = second' && step "certificate renewed" && break
  sleep 0.5
done
fallocate -l \$(( \$(df --output=avail -B1 /srv/disk | tail -1) - 2000000 )) /srv/disk/filler && step "the disk is full"
sleep 5
rm /srv/disk/filler; step "there is room again"
sleep 10
kill -HUP \$(systemctl show -P MainPID leaflog@ada); sleep 2
rm /srv/on; wait
[ "\$(systemctl show -P NRestarts leaflog@ada)" = "\$restarts" ] && step "nothing was restarted since"
systemctl start backup.service && step "backed up and verified"
grep -E 'VmHWM|RssAnon' /proc/\$(systemctl show -P MainPID leaflog@ada)/status > /srv/memory
END
chmod +x machine/srv/camera machine/srv/watch machine/srv/day; touch machine/srv/on
unit day.service << 'END'
[Service]
Type=oneshot
TimeoutStartSec=1200
ExecStart=/srv/day
ExecStopPost=/bin/sh -c 'journalctl -b -o short-monotonic -u leaflog@ada -u backup > /srv/log'
ExecStopPost=/bin/systemctl poweroff --no-block
END
# The memory of the whole machine.
for group in /sys/fs/cgroup/memory/leaflog-$$ /sys/fs/cgroup/leaflog-$$; do
  [ -d "$(dirname "$group")" ] && mkdir "$group" 2> /dev/null || continue
  limit=$group/memory.max; [ -e "$limit" ] || limit=$group/memory.limit_in_bytes
  echo $((memory << 20)) > "$limit" && break
done || { echo "SKIPPED: no control group of its own here"; exit 77; }
# The machine is in the group, this script is not.
(echo "$BASHPID" > "$group/cgroup.procs"; boot day leaflog@ada -- --private-network --bind "$work/machine/srv/disk:/srv/disk")
status=$?
rmdir "$group"
[ "$status" = 0 ] || exit "$status"
cat machine/srv/steps machine/srv/health
[ -s machine/srv/memory ] && cat machine/srv/memory
for step in 'after [1-9][0-9]* restarts' 'certificate renewed' 'the disk is full' 'room again' 'nothing was restarted' 'backed up'; do
  grep -q "$step" machine/srv/steps || fail "not reached: $step ($(tail -3 machine/srv/trouble) $(tail -20 machine/srv/log))"
done
[ ! -e machine/srv/refused ] || fail "refused: $(head -3 machine/srv/refused)"
grep -q large machine/srv/kinds || fail "no large photo was taken"
ok='healthz {"status":"ok"} 200 readyz {"status":"ok"} 200'
full='healthz {"status":"ok"} 200 readyz {"status":"space"} 503'
[ "$(tr -d '\n' < machine/srv/health | sed 's/  */ /g')" = " $ok $full $ok" ] || fail "health: $(cat machine/srv/health)"
as_ada verify --full > out || fail "$(cat out)"
while read -r digest; do
  as_ada show "${digest:0:32}" > /dev/null || fail "lost: $digest"
done < machine/srv/acknowledged
in_machine setpriv --reuid ada --regid ada --clear-groups env HOME=/home/ada \
  leaflog --library /srv/disk/backup/plants verify > out 2>&1 || cat out
echo "RIGHT: $(wc -l < machine/srv/acknowledged) photos with $memory MB, $(grep -c large machine/srv/kinds) of them large, and nobody had to do anything"
