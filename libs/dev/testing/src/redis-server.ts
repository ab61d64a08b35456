import { closedUrl } from './http-server';
import { findProgram, LocalProgram } from './local-program';

/** A Redis without persistence for one test. The test can make it hang. */
export interface RedisServer {
  url: string;
  /** Redis stops responding, but closes no connection. */
  hang(): void;
  goOn(): void;
  kill(): Promise<void>;
  /** Restarts on the same port after a kill, with no data. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const { port } = new URL(await closedUrl());
  const args = ['--bind', '127.0.0.1', '--port', port, '--save', '', '--appendonly', 'no'];
  const start = () => LocalProgram.start(findProgram('redis-server'), args, /Ready to accept connections/);
  let program = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => program.signal('SIGSTOP'),
    goOn: () => program.signal('SIGCONT'),
    kill: () => program.stop('SIGKILL'),
    restart: async () => void (program = await start()),
    remove: () => program.stop('SIGKILL'),
  };
}
