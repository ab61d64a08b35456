#!/bin/sh
# Runs a program of an image without a container engine: a read-only root, uid 1000, no rights, no files of the machine.
# Usage, as root: unshare --mount --propagation private sh sealed-root.sh ROOT CONTENT NODE CONFIG DATA PROGRAM…
# ROOT is an empty folder. CONTENT becomes /tollbridge, and CONFIG becomes /run/tollbridge. DATA becomes /key, the only
# writable folder.
set -eu
root=$1 content=$2 node=$3 config=$4 data=$5
shift 5

bind() {
  mount --bind "$1" "$root/$2"
  mount -o "remount,bind,nosuid,$3" "$root/$2"
}

mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"
cd "$root"
mkdir -p usr proc dev etc/ssl tollbridge run/tollbridge key
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
# The libraries of the machine replace those of the base image. Its own programs in /usr/local are hidden.
bind /usr usr ro,nodev
mount -t tmpfs -o size=1m,mode=755 tmpfs usr/local
mkdir usr/local/bin
: > usr/local/bin/node
bind "$node" usr/local/bin/node ro,nodev
mount -o remount,ro usr/local

echo 'node:x:1000:1000::/nonexistent:/usr/sbin/nologin' > etc/passwd
for name in hosts resolv.conf nsswitch.conf ld.so.cache; do
  [ ! -e "/etc/$name" ] || cp "/etc/$name" "etc/$name"
done
[ ! -d /etc/ssl/certs ] || bind /etc/ssl etc/ssl ro,nodev
for name in null zero random urandom; do
  : > "dev/$name"
  bind "/dev/$name" "dev/$name" noexec
done
bind /proc proc ro,noexec
bind "$content" tollbridge ro,nodev
bind "$config" run/tollbridge ro,nodev,noexec
bind "$data" key rw,nodev,noexec
mount -o remount,ro "$root"

exec chroot "$root" setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all --ambient-caps=-all env --chdir=/tollbridge -u PWD -u OLDPWD "$@"
