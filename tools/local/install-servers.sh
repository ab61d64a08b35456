#!/bin/sh
# Installs packages of Debian or Ubuntu without starting or enabling their services, and without a database cluster.
# Tollbridge runs its own servers on its own ports. Usage, as root: install-servers.sh PACKAGE…
set -eu
export DEBIAN_FRONTEND=noninteractive

policy=/usr/sbin/policy-rc.d
cluster=/etc/postgresql-common/createcluster.conf
made_policy=no
saved_cluster=

clean_up() {
  [ "$made_policy" = no ] || rm -f "$policy"
  [ -z "$saved_cluster" ] || mv -f "$saved_cluster" "$cluster"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

install_packages() {
  # If another installation is in progress, wait for it.
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# dpkg asks this program before it starts a service; 101 means "do not start". An existing file is not changed.
if [ ! -e "$policy" ]; then
  made_policy=yes
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
fi

# Old package lists refer to files that no longer exist. Without a network, the existing lists may still be sufficient.
apt-get update -o DPkg::Lock::Timeout=120 || true

for package in "$@"; do
  if [ "$package" = postgresql ]; then
    # This package contains the setting, which must be off before the server package is configured.
    install_packages postgresql-common
    saved_cluster=$(mktemp "$cluster.XXXXXX")
    cp -p "$cluster" "$saved_cluster"
    echo 'create_main_cluster = false' >> "$cluster"
  fi
done

install_packages "$@"

# Also prevents the start at the next boot.
for package in "$@"; do
  case $package in
    nats-server | redis-server | prometheus | prometheus-alertmanager | pgbouncer | patroni | haproxy)
      systemctl disable "$package.service" 2> /dev/null || true
      ;;
    etcd-server) systemctl disable etcd.service 2> /dev/null || true ;;
  esac
done
