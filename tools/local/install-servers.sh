#!/bin/sh
# Installs packages of Debian or Ubuntu without starting or enabling their services and without creating a database
# cluster: Tollbridge runs servers of its own, on ports of its own. Usage, as root: install-servers.sh PACKAGE…
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
  # Another installation may be under way: wait for it rather than fail.
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# dpkg asks this program before it starts a service; 101 means "do not". An existing file stays.
if [ ! -e "$policy" ]; then
  made_policy=yes
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod 755 "$policy"
fi

# Old lists name files that are gone. Without network the lists that are there may still do.
apt-get update -o DPkg::Lock::Timeout=120 || true

for package in "$@"; do
  if [ "$package" = postgresql ]; then
    # This part brings the setting, which must say no before the server's own package is configured.
    install_packages postgresql-common
    saved_cluster=$(mktemp "$cluster.XXXXXX")
    cp -p "$cluster" "$saved_cluster"
    echo 'create_main_cluster = false' >> "$cluster"
  fi
done

install_packages "$@"

# Not at the next boot either.
for package in "$@"; do
  case $package in
    nats-server | redis-server | prometheus | prometheus-alertmanager | pgbouncer | patroni | haproxy)
      systemctl disable "$package.service" 2> /dev/null || true
      ;;
    etcd-server) systemctl disable etcd.service 2> /dev/null || true ;;
  esac
done
