// Processes that can be killed. Each is restarted when it ends, as by a supervisor in production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const restartMs = 100;
// On a busy machine, a start takes several seconds.
const startsWithinMs = 60_000;
const keptChars = 20_000;

/** An app, started as in production. */
export class AppProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #isWanted = true;
  /** Output since the last start. */
  output = '';

  constructor(name, file, env) {
    Object.assign(this, { name, file, env });
  }

  /** Starts the app. Resolves when it is ready. Afterwards, it is restarted when it ends. */
  async start() {
    const child = this.#run();
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`${this.name} ended:\n${this.output}`)),
    );
    ended.catch(() => undefined);
    await Promise.race([this.untilStarted(), ended]);
    return this;
  }

  #run() {
    this.output = '';
    const env = { ...process.env, NODE_ENV: 'production', TOLLBRIDGE_ENV: 'sandbox', ...this.env };
    const child = spawn(process.execPath, [this.file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (this.output = (this.output + chunk).slice(-keptChars)));
    child.once('exit', async () => {
      await sleep(restartMs);
      if (this.#isWanted) this.#run();
    });
    return child;
  }

  async untilStarted() {
    for (const endMs = Date.now() + startsWithinMs; !this.output.includes('"started"'); await sleep(20))
      if (Date.now() > endMs)
        throw new Error(`${this.name} did not start within ${startsWithinMs} ms:\n${this.output}`);
  }

  /** Kills the process with SIGKILL. Resolves when its successor has started. */
  async kill() {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    this.output = '';
    await this.untilStarted();
  }

  /** Disables the restart, because a successor is about to start. */
  retire() {
    this.#isWanted = false;
  }

  pause() {
    this.#child.kill('SIGSTOP');
  }

  wake() {
    this.#child.kill('SIGCONT');
  }

  /** Stops the process as a supervisor does, without a restart. */
  async end(timeoutMs) {
    this.#isWanted = false;
    this.#child.kill('SIGTERM');
    await this.untilEnded(timeoutMs);
  }

  /** Resolves when the process has ended without a signal from here. */
  async untilEnded(timeoutMs) {
    if (this.#child.exitCode !== null) return;
    const signal = AbortSignal.timeout(timeoutMs);
    await once(this.#child, 'exit', { signal }).catch(() => {
      throw new Error(`${this.name} did not end within ${timeoutMs} ms:\n${this.output.slice(-2_000)}`);
    });
  }

  async stop() {
    this.#isWanted = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** Kills PostgreSQL and all its children together, before any of them can write. Its supervisor restarts it. */
export async function killPostgres(supervisor) {
  const { postgres: pid } = supervisor.pids;
  killWithChildren(pid);
  while (supervisor.pids.postgres === pid) await sleep(5);
}

export function killWithChildren(pid) {
  const all = [pid, ...childrenOf(pid)];
  for (const each of all) {
    try {
      process.kill(each, 'SIGKILL');
    } catch (error) {
      // The process has ended with its parent.
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Returns the children of a process. On systems that do not list them, they end when their parent is missing. */
function childrenOf(parent) {
  let pids = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
