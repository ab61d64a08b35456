import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../../local/directory.mjs';

export const nodes = ['pg1', 'pg2'];
export const host = '127.0.0.1';

/** @param {Record<string, number>} ports */
export function haproxySettings(ports) {
  const servers = nodes.map(
    (node) => `  server ${node} ${host}:${ports[node]} check port ${ports[`${node}-rest`]}`,
  );
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind ${host}:${ports.postgres}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/**
 * @param {string} node @param {string} folder
 * @param {import('./patroni-cluster.mjs').ClusterOptions} options
 */
export function nodeSettings(node, folder, { ports, programs, password }) {
  const address = `${host}:${ports[node]}`;
  const rest = `${host}:${ports[`${node}-rest`]}`;
  const login = { username: 'postgres', password };
  return {
    scope: 'tollbridge',
    name: node,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: `${host}:${ports.etcd}` },
    bootstrap: {
      dcs: {
        // The shortest values that Patroni recommends. A failed primary is replaced after the ttl.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        // An acknowledged commit is on both nodes, and only the synchronous standby can be promoted.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: serverSettings() },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(folder, node),
      bin_dir: dirname(programs.postgres),
      pgpass: join(folder, `${node}.pgpass`),
      authentication: {
        superuser: login,
        replication: { username: 'replicator', password },
        rewind: login,
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: '' },
    },
  };
}

/** The settings of deploy/postgres, as in production. */
function serverSettings() {
  const text = readFileSync(join(repository, 'deploy/postgres/postgresql.conf'), 'utf8');
  const lines = [...text.matchAll(/^(\w+) = '?([^'\n]*)'?$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]));
}
