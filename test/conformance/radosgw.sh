#!/usr/bin/env bash
# Runs the S3 storage and `carrel publish` against a real Ceph RadosGW, which is stricter than the S3 server of the other tests: about 70 seconds.
# Installs Debian's packages when they are missing, and starts a cluster of one node in a temporary folder.
# Where it cannot be had, it says so and why, and ends with 0, or with 1 when CARREL_CONFORMANCE=required.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/node_modules/.bin:$PATH"

cannot() {
  echo "RadosGW conformance was NOT run: $1" >&2
  [ "${CARREL_CONFORMANCE:-}" != required ]
  exit
}

packages=(radosgw ceph-mon ceph-osd ceph-mgr ceph-common)
install_packages() {
  [ "$(id -u)" = 0 ] || cannot "Ceph is not installed, and only root may install it (apt-get install ${packages[*]})."
  command -v apt-get >/dev/null || cannot "Ceph is not installed, and there is no apt-get here to install it with."
  local output
  if ! output=$(apt-get update 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" 2>&1); then
    cannot "apt-get could not install ${packages[*]}: $(tail -n 3 <<<"$output")"
  fi
}
for program in radosgw radosgw-admin ceph-mon ceph-osd ceph-mgr ceph; do
  command -v "$program" >/dev/null || { install_packages; break; }
done

folder=$(mktemp -d /tmp/carrel-radosgw-XXXXXX)
processes=()
clean_up() {
  # The gateway first, the monitor last; what does not end in ten seconds is killed.
  for ((at = ${#processes[@]} - 1; at >= 0; at--)); do kill "${processes[at]}" 2>/dev/null || true; done
  for process in "${processes[@]}"; do
    for _ in $(seq 100); do kill -0 "$process" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$process" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

read -r monitor_v2 monitor_v1 gateway < <(node -e '
  const { createServer } = require("node:net");
  const servers = [0, 0, 0].map(() => createServer().listen(0, "127.0.0.1"));
  setImmediate(() => { console.log(servers.map((server) => server.address().port).join(" ")); servers.forEach((server) => server.close()); });
')
fsid=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
monitors="[v2:127.0.0.1:$monitor_v2/0,v1:127.0.0.1:$monitor_v1/0]"
mkdir "$folder"/{mon,mgr,osd,rgw,run}
# cephx stays on: without it the gateway never gets past the monitor.
cat >"$folder/ceph.conf" <<CONF
[global]
fsid = $fsid
mon host = $monitors
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = $folder/run
admin socket = $folder/run/\$name.asok
log file = $folder/\$name.log
crash dir = $folder/crash
keyring = $folder/keyring
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
[mon]
mon data = $folder/mon
[mgr]
mgr data = $folder/mgr
keyring = $folder/mgr/keyring
mgr initial modules =
[osd]
osd data = $folder/osd
keyring = $folder/osd/keyring
osd objectstore = bluestore
bluestore block size = 4294967296
osd memory target = 939524096
[client.rgw.a]
rgw data = $folder/rgw
keyring = $folder/rgw/keyring
rgw frontends = beast endpoint=127.0.0.1:$gateway
CONF

# Says which step did not work, with the last it told.
step() {
  local name=$1
  shift
  timeout 60 "$@" >"$folder/step.log" 2>&1 || cannot "$name failed: $(tail -n 5 "$folder/step.log")"
}
start() {
  local name=$1
  shift
  "$@" --conf "$folder/ceph.conf" --foreground >"$folder/$name.out" 2>&1 &
  processes+=($!)
}
admin() { ceph --conf "$folder/ceph.conf" --name client.admin --connect-timeout 30 "$@"; }
export -f admin
export folder

step 'the key of the monitor' ceph-authtool --create-keyring "$folder/keyring" --gen-key --name mon. --cap mon 'allow *'
step 'the key of the administrator' ceph-authtool "$folder/keyring" --gen-key --name client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
step 'the map of monitors' monmaptool --create --fsid "$fsid" --addv a "$monitors" "$folder/monmap"
step 'the monitor' ceph-mon --conf "$folder/ceph.conf" --mkfs --id a --monmap "$folder/monmap" --keyring "$folder/keyring"
start mon ceph-mon --id a
step 'the key of the manager' bash -c 'admin auth get-or-create mgr.x mon "allow profile mgr" osd "allow *" --out-file "$folder/mgr/keyring"'
step 'the key of the gateway' bash -c 'admin auth get-or-create client.rgw.a mon "allow rw" osd "allow rwx" mgr "allow rw" --out-file "$folder/rgw/keyring"'
start mgr ceph-mgr --id x
step 'the new store' bash -c "admin osd new $osd"
step 'the key of the store' bash -c 'admin auth get-or-create osd.0 mon "allow profile osd" mgr "allow profile osd" osd "allow *" --out-file "$folder/osd/keyring"'
step 'the store' ceph-osd --conf "$folder/ceph.conf" --id 0 --mkfs --osd-uuid "$osd"
start osd ceph-osd --id 0
step 'the place of the store' bash -c 'admin osd crush add osd.0 1.0 root=default'
start rgw radosgw --name client.rgw.a
for second in $(seq 120); do
  (exec 3<>"/dev/tcp/127.0.0.1/$gateway") 2>/dev/null && break
  kill -0 "${processes[-1]}" 2>/dev/null || cannot "the gateway ended: $(tail -n 5 "$folder/rgw.out" "$folder/client.rgw.a.log" 2>/dev/null)"
  [ "$second" != 120 ] || cannot "the gateway did not listen within two minutes: $(tail -n 5 "$folder/rgw.out" "$folder/client.rgw.a.log" 2>/dev/null)"
  sleep 1
done
step 'the user' radosgw-admin --conf "$folder/ceph.conf" --name client.admin user create --uid carrel --display-name Carrel --access-key CARRELKEY --secret-key carrel-secret
step 'the user who may only read' radosgw-admin --conf "$folder/ceph.conf" --name client.admin user create --uid reader --display-name Reader --access-key READERKEY --secret-key reader-secret

CARREL_TEST_S3_ENDPOINT="http://127.0.0.1:$gateway" AWS_ACCESS_KEY_ID=CARRELKEY AWS_SECRET_ACCESS_KEY=carrel-secret \
  vitest run --config test/conformance/vitest.config.ts
