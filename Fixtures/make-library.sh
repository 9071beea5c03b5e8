#!/usr/bin/env bash
# Makes a small library, and a diary file of it, as the present version of Leaflog writes them:
#
#   Fixtures/make-library.sh VERSION [PROGRAM]
#
# The result is Fixtures/Library/VERSION. Tests read what every released version has written, so make it once for each
# version of the schema, and never again.
set -euo pipefail
version=$1
program=$(realpath "${2:-.build/release/leaflog}")
cd "$(dirname "$0")"
target=$PWD/Library/$version
photos=$PWD/Photos
[ ! -e "$target" ] || { echo "$target exists already." >&2; exit 1; }

# Libraries record the paths of imported files: these say nothing about the machine.
work=/tmp/leaflog-fixture
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp -r "$photos/basil" "$photos/monstera" "$work"
rm "$work"/basil/*05{17,24,31}* "$work"/monstera/IMG_000[2-5].jpg
cd "$work"
export LEAFLOG_LIBRARY=library TZ=Europe/Berlin LC_ALL=C.UTF-8
leaflog() { "$program" "$@" --quiet --yes; }

leaflog init --policy exact --time-zone Europe/Berlin
leaflog import basil monstera
leaflog plant edit basil --location 'Kitchen, east window' --note 'From seed.'
leaflog symptom add Headache --severity 3 --at 2025-06-01T21:15 --medication Ibuprofen --note 'After pruning: „Süß“ 🌿'
leaflog symptom add 'Itchy eyes' --severity mild --at 2025-06-02 --tag pollen
leaflog factor add Coffee --highest 10 --unit cups
leaflog log set --on 2025-06-01 --factor coffee=2 --sleep-hours 7.25 --sleep-quality 4 --stress 2 --exercise-type walk --exercise-minutes 40 \
  --sugar low --alcohol none --office-day no
leaflog episode add --from 2025-06-03 --to 2025-06-06 --type cold --severity 2 --symptom cough --mucus clear
leaflog mood set happy --on 2025-06-01 --note 'First leaf.'
leaflog quote add 'To plant a garden is to believe in tomorrow.' --author 'A gardener'
leaflog quote favourite b7
leaflog activity add Watering --plant basil --every 3d --start-from 2025-05-10 --weekly-goal 3
leaflog activity 'done' Watering --on 2025-05-17
leaflog mood set calm --on 2025-06-02
leaflog undo
leaflog settings set report.name 'A gardener'
leaflog export json --output diary.json
# An import ends with a checkpoint, so that everything is in the catalog's file.
leaflog import basil
[ ! -s library/catalog.sqlite-wal ]

mkdir -p "$(dirname "$target")"
cp -r library "$target"
rm -rf "$target"/catalog.sqlite-* "$target"/lock "$target"/tmp "$target"/trash "$target"/cache
cp diary.json "$target.json"
