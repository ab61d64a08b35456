import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RestrictedNats {
  /** `127.0.0.1:4222` */
  host: string;
  close(): Promise<void>;
}

/** A NATS server of one test with users: `users` is the list of that name in the server's configuration. */
export async function startRestrictedNats(users: string): Promise<RestrictedNats> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-nats-users-'));
  const file = join(folder, 'nats.conf');
  writeFileSync(file, `host: 127.0.0.1\nport: -1\nauthorization { users = [${users}] }\n`);
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
    async close() {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      process.off('exit', killOnExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
