#!/bin/bash
# Runs Leaflog on the file systems that this machine can make, and prints what happens on each: for the table in the
# manual, "Where to Keep a Library". Needs root, loop devices, /dev/fuse, and for some lines xfsprogs, btrfs-progs,
# exfat-fuse, exfatprogs, ntfs-3g, squashfs-tools, sshfs and sshd; what is missing is named.
# Usage: LEAFLOG=/path/to/leaflog file-systems.sh
set -u
leaflog=${LEAFLOG:?set LEAFLOG to the path of the program}
photos=$(cd "$(dirname "$0")/../.." && pwd)/Fixtures/Photos/basil
work=$(mktemp -d)
cd "$work" || exit 2
clean() {
  cd /
  for place in "$work"/*/; do mountpoint -q "$place" && umount -l "$place"; done
  rm -rf "$work"
}
trap clean EXIT

run() { "$leaflog" "$@" 2>&1 | tail -1 | cut -c1-150; }

use() { # place, options of init
  echo "== $1"
  run init "$1/library" "${@:2}"
  "$leaflog" --library "$1/library" import "$photos" > out 2>&1; cat out | tail -2 | cut -c1-150
  "$leaflog" --library "$1/library" token add phone 2>&1 > /dev/null | grep -v "This is the secret" | cut -c1-150
  run --library "$1/library" verify --full
  "$leaflog" --library "$1/library" backup "$1/backup" --quiet 2>&1 | cut -c1-150
  echo "hard links: $(stat -c %h "$1"/library/blobs/*/* | sort -u | tr '\n' ' ')"
  "$leaflog" --library "$1/library" serve --tls own --port 0 > out 2>&1 &
  local service=$!
  for _ in $(seq 50); do grep -qE "https|No key" out && break; sleep 0.1; done
  kill $service 2> /dev/null; wait $service 2> /dev/null
  grep -E "https|No key" out | cut -c1-150
}

image() { # name, size, command that makes the file system
  command -v "$3" > /dev/null || { echo "== $1: no $3 here"; return 1; }
  truncate -s "$2" "$1.img"; mkdir -p "$1"
  "${@:3}" "$1.img" > /dev/null 2>&1
}

image ext4 300M mkfs.ext4 -q && mount -o loop ext4.img ext4 && use ext4
image xfs 400M mkfs.xfs -q && mount -o loop xfs.img xfs && use xfs
image btrfs 300M mkfs.btrfs -q && mount -o loop btrfs.img btrfs && use btrfs
mkdir tmpfs && mount -t tmpfs none tmpfs && use tmpfs
mkdir layers overlay && mount -t tmpfs none layers && mkdir layers/low layers/up layers/work \
  && mount -t overlay -o lowerdir=layers/low,upperdir=layers/up,workdir=layers/work none overlay && use overlay
if image exfat 300M mkfs.exfat; then
  device=$(losetup -f --show exfat.img)
  mount.exfat-fuse "$device" exfat > /dev/null 2>&1 && use exfat && umount exfat
  mount.exfat-fuse -o umask=077 "$device" exfat > /dev/null 2>&1 && rm -r exfat/* && echo "with umask=077:" && use exfat
  umount exfat; losetup -d "$device"
fi
image ntfs 300M mkfs.ntfs -F -q && ntfs-3g ntfs.img ntfs && use ntfs
if command -v mksquashfs > /dev/null; then
  mkdir squashfs && mksquashfs ext4/library squashfs.img -quiet -no-progress > /dev/null \
    && mount -o loop squashfs.img squashfs && echo "== squashfs, read-only" \
    && run --library squashfs verify --full && run --library squashfs plant add Rose
fi
if command -v sshfs > /dev/null && command -v /usr/sbin/sshd > /dev/null; then
  mkdir -p /run/sshd remote sshfs && ssh-keygen -q -t ed25519 -N '' -f key
  /usr/sbin/sshd -p 2299 -h "$work/key" -o AuthorizedKeysFile="$work/key.pub" -o StrictModes=no -o PidFile="$work/pid"
  for _ in $(seq 50); do
    sshfs -p 2299 -o "IdentityFile=$work/key,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null" \
      "root@127.0.0.1:$work/remote" sshfs 2> /dev/null && break
    sleep 0.1
  done
  run init sshfs/library; use sshfs --yes
  umount sshfs; kill "$(cat pid)"
fi
