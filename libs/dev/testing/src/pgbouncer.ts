import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port';
import { findProgram, LocalProgram } from './local-program';

/** A PgBouncer in transaction mode for one test. It forwards to one database. */
export interface PgBouncer {
  /** The URL of the database through PgBouncer, for the same role. */
  url: string;
  remove(): Promise<void>;
}

/**
 * @param databaseUrl URL of the database with one role
 * @param connections number of connections to PostgreSQL: fewer than the clients, so that clients share them
 */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const [database, user] = [target.pathname.slice(1), target.username];
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${user}" "${target.password}"\n`);
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  // PgBouncer does not run as root.
  const [program, ...args] = [...asOrdinaryUser(), installed('pgbouncer'), settings];
  const running = await LocalProgram.start(program!, args, /listening on 127\.0\.0\.1/);
  target.host = `127.0.0.1:${port}`;
  return {
    url: target.toString(),
    async remove() {
      await running.stop('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function asOrdinaryUser(): string[] {
  if (process.getuid?.() !== 0) return [];
  return [findProgram('setpriv'), '--reuid', '65534', '--regid', '65534', '--clear-groups'];
}

/** The path of a program that only some tests need. Installs it at first use. */
function installed(name: string): string {
  const programs = pathToFileURL(join(__dirname, '../../../../tools/local/server-programs.mjs')).href;
  const script = `const { ensurePrograms } = await import(${JSON.stringify(programs)});
    process.stdout.write((await ensurePrograms([${JSON.stringify(name)}], () => undefined))[0]);`;
  const args = ['--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`);
  return stdout;
}
