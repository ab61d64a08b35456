import { closedUrl } from './http-server';
import { findProgram, LocalProgram } from './local-program';

/** A Redis of one test that keeps nothing, and that can be made to hang. */
export interface RedisServer {
  url: string;
  /** It keeps its connections and answers nothing. */
  hang(): void;
  goOn(): void;
  remove(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const { port } = new URL(await closedUrl());
  const args = ['--bind', '127.0.0.1', '--port', port, '--save', '', '--appendonly', 'no'];
  const program = await LocalProgram.start(findProgram('redis-server'), args, /Ready to accept connections/);
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => program.signal('SIGSTOP'),
    goOn: () => program.signal('SIGCONT'),
    remove: () => program.stop('SIGKILL'),
  };
}
