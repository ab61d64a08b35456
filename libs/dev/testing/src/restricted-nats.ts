import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RestrictedNats {
  /** `127.0.0.1:4222` */
  host: string;
  /** Stops the process without closing its connections. */
  freeze(): void;
  thaw(): void;
  /**
   * Replaces the server's users while it runs. Existing connections lose permissions that the new users do not have.
   * @param more other lines of the server's configuration
   */
  reload(users: string, more?: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A NATS server of one test with users.
 * @param users the list `users` in the server's configuration
 * @param authTimeoutMs time limit for the authentication of a connection
 */
export async function startRestrictedNats(users: string, authTimeoutMs = 2_000): Promise<RestrictedNats> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-nats-users-'));
  const file = join(folder, 'nats.conf');
  const write = (list: string, more = ''): void =>
    writeFileSync(
      file,
      `host: 127.0.0.1\nport: -1\nauthorization { timeout: ${authTimeoutMs / 1_000}, users = [${list}] }\n${more}\n`,
    );
  write(users);
  // The PATH of an ordinary user lacks the folders of servers.
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/local/sbin:/usr/sbin` };
  const server = spawn('nats-server', ['-c', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const killOnExit = (): void => void server.kill('SIGKILL');
  process.once('exit', killOnExit);
  const host = await new Promise<string>((resolve, reject) => {
    let output = '';
    server.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const match = /Listening for client connections on (\S+)/.exec(output);
      if (match) resolve(match[1]!);
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`nats-server ended: ${output}`)));
  });
  return {
    host,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async reload(list, more) {
      write(list, more);
      const reloaded = new Promise<void>((resolve) =>
        server.stderr.on(
          'data',
          (chunk: Buffer) => chunk.includes('Reloaded server configuration') && resolve(),
        ),
      );
      server.kill('SIGHUP');
      await reloaded;
    },
    async close() {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      process.off('exit', killOnExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
