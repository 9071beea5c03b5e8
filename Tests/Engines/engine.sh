# Sourced by the scripts beside it: sets up a folder and an ordinary user, and cleans up at the end.
set -eu

folder=$(realpath -m "$1")
port=$2
key=test:tester
secret=testing
mkdir -p "$folder"
if [ -n "$(ls -A "$folder")" ]; then
  echo "$folder is not empty." >&2
  exit 64
fi
if [ "$(id -u)" = 0 ]; then
  chown nobody:nogroup "$folder"
  exec setpriv --reuid=nobody --regid=nogroup --clear-groups bash "$0" "$@"
fi
cd "$folder"
export HOME=$folder

declare -A commands processes
end() {
  trap - EXIT TERM INT
  {
    [ ${#processes[@]} = 0 ] || kill -9 "${processes[@]}" || true
    wait
  } 2>/dev/null
  find "$folder" -mindepth 1 -delete
  exit "${1:-0}"
}
trap 'end $?' EXIT
trap 'end 0' TERM INT

# Starts a process; its output goes to NAME.log.
start() {
  commands[$1]=$(printf '%q ' "${@:2}")
  launch "$1"
}

launch() {
  eval "exec ${commands[$1]}" >>"$1.log" 2>&1 </dev/null &
  processes[$1]=$!
}

# Waits until a command succeeds, for at most a minute.
await() {
  local tries=600
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ $tries = 0 ]; then
      echo "not ready: $*" >&2
      tail -n 5 ./*.log >&2
      end 1
    fi
    sleep 0.1
  done
}

answers() { [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$1/${2:-}")" != 000 ]; }

# Reports that the service is ready, and obeys standard input until its end: `kill NAME` and `start NAME` for a process,
# each answered when it is done.
serve() {
  echo ready
  while read -r verb name; do
    case $verb in
      kill)
        {
          kill -9 "${processes[$name]}"
          wait "${processes[$name]}" || true
        } 2>/dev/null
        ;;
      start) launch "$name" ;;
    esac
    echo "$verb $name"
  done
}
