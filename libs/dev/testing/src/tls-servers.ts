import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { findProgram, LocalProgram } from './local-program';
import type { IssuedCertificate } from './test-certificates';

/** A server for one test file that accepts only TLS, on `localhost` and 127.0.0.1. */
export interface TlsServer {
  port: number;
  /** Uses this certificate for new connections from now on. */
  present(certificate: IssuedCertificate): Promise<void>;
  remove(): Promise<void>;
}

/** `freeze` stops the process without closing its connections. */
export interface TlsNats extends TlsServer {
  freeze(): void;
  thaw(): void;
}

const folderOf = (server: string): string => mkdtempSync(join(tmpdir(), `tollbridge-tls-${server}-`));

/**
 * A NATS server that requires a client certificate of the same authority, and a user with a password.
 * @param users the list `users` in the server's configuration
 * @param authTimeoutMs time limit for the authentication of a connection
 */
export async function startTlsNats(
  caFile: string,
  certificate: IssuedCertificate,
  users: string,
  authTimeoutMs = 2_000,
): Promise<TlsNats> {
  const folder = folderOf('nats');
  const file = join(folder, 'server.conf');
  const port = await freePort();
  const configure = ({ certFile, keyFile }: IssuedCertificate): void =>
    writeFileSync(
      file,
      `host: 127.0.0.1\nport: ${port}\nauthorization { timeout: ${authTimeoutMs / 1_000}, users = [${users}] }
       tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}", verify: true }`,
    );
  configure(certificate);
  const start = () => LocalProgram.start(findProgram('nats-server'), ['-c', file], /Server is ready/);
  let program = await start();
  return {
    port,
    async present(next) {
      configure(next);
      await program.stop();
      program = await start();
    },
    freeze: () => program.signal('SIGSTOP'),
    thaw: () => program.signal('SIGCONT'),
    async remove() {
      await program.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A Redis that requires a client certificate of the same authority, and a password. */
export async function startTlsRedis(
  caFile: string,
  certificate: IssuedCertificate,
  password: string,
): Promise<TlsServer> {
  const port = await freePort();
  const start = ({ certFile, keyFile }: IssuedCertificate): Promise<LocalProgram> => {
    const tls = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile];
    const ports = ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(port)];
    const args = [...ports, ...tls, '--requirepass', password, '--save', '', '--appendonly', 'no'];
    return LocalProgram.start(findProgram('redis-server'), args, /Ready to accept connections/);
  };
  let program = await start(certificate);
  return {
    port,
    async present(next) {
      await program.stop();
      program = await start(next);
    },
    remove: () => program.stop('SIGKILL'),
  };
}

/** A PostgreSQL cluster. Its superuser `postgres` must connect with TLS and a client certificate for `postgres`. */
export async function startTlsPostgres(caFile: string, certificate: IssuedCertificate): Promise<TlsServer> {
  const folder = folderOf('postgres');
  const data = join(folder, 'data');
  const [bin, owner, port] = [postgresFolder(), serverUser(), await freePort()];
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const as = (...command: string[]): [string, ...string[]] =>
    owner
      ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', ...command]
      : (command as [string, ...string[]]);
  const run = (...command: string[]): void => {
    const [program, ...args] = as(...command);
    execFileSync(program, args, { cwd: '/', stdio: 'ignore' });
  };
  run(join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-N', '-A', 'trust');
  const install = ({ certFile, keyFile }: IssuedCertificate): void => {
    const files: [string, string][] = [
      [certFile, 'server.crt'],
      [keyFile, 'server.key'],
      [caFile, 'ca.crt'],
    ];
    for (const [from, name] of files) {
      const to = join(data, name);
      copyFileSync(from, to);
      chmodSync(to, 0o600);
      if (owner) chownSync(to, owner.uid, owner.gid);
    }
  };
  install(certificate);
  writeFileSync(
    join(data, 'pg_hba.conf'),
    'hostssl all all 127.0.0.1/32 cert\nhostnossl all all all reject\n',
  );
  const settings = {
    port,
    ssl: 'on',
    ssl_ca_file: 'ca.crt',
    fsync: 'off',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, ...args] = as(join(bin, 'postgres'), '-D', data, ...options);
  const server = await LocalProgram.start(findProgram(program), args, /ready to accept connections/);
  return {
    port,
    async present(next) {
      install(next);
      run(join(bin, 'pg_ctl'), 'reload', '-D', data);
      // The server reads its files after the signal.
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
    async remove() {
      await server.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Debian installs PostgreSQL outside of every PATH. */
function postgresFolder(): string {
  const versions = '/usr/lib/postgresql';
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0]!;
  return join(versions, newest, 'bin');
}

/** PostgreSQL does not run as root. Every Linux has this user without rights (`server-user.mjs`). */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // The same id on every Debian.
  return { uid: 65_534, gid: 65_534 };
}
