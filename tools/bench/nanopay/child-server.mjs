// A server in a separate process. It reports its URL when it listens, and answers commands one at a time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} file in this folder
 * @param {object} options passed to the server
 */
export async function startChild(file, options = {}) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Express is slower in any other environment.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
  gone.catch(() => undefined);
  const answer = async () => (await Promise.race([once(child, 'message'), gone]))[0];
  const { url } = await answer();
  return {
    url,
    ask(question) {
      const answered = answer();
      child.send({ question });
      return answered;
    },
    /** Kills the process with SIGKILL. */
    async kill() {
      child.kill('SIGKILL');
      await gone.catch(() => undefined);
    },
    async stop() {
      child.kill();
      await gone.catch(() => undefined);
    },
  };
}
