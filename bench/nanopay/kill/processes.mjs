// The processes that are killed: each is started again when it ends, as a supervisor does in production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const restartMs = 100;
// On a machine with much other work a start takes some seconds.
const startsWithinMs = 60_000;
const keptChars = 20_000;

/** One app, as production runs it. */
export class AppProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #isWanted = true;
  /** What the last start and what came after it said. */
  said = '';

  constructor(name, file, env) {
    Object.assign(this, { name, file, env });
  }

  /** Resolves when it has started; from then on it is kept alive. */
  async start() {
    const child = this.#run();
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`${this.name} ended:\n${this.said}`)),
    );
    ended.catch(() => undefined);
    await Promise.race([this.untilStarted(), ended]);
    return this;
  }

  #run() {
    this.said = '';
    const env = { ...process.env, NODE_ENV: 'production', TOLLBRIDGE_ENV: 'sandbox', ...this.env };
    const child = spawn(process.execPath, [this.file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (this.said = (this.said + chunk).slice(-keptChars)));
    child.once('exit', async () => {
      await sleep(restartMs);
      if (this.#isWanted) this.#run();
    });
    return child;
  }

  async untilStarted() {
    for (const endMs = Date.now() + startsWithinMs; !this.said.includes('"started"'); await sleep(20))
      if (Date.now() > endMs)
        throw new Error(`${this.name} did not start within ${startsWithinMs} ms:\n${this.said}`);
  }

  /** As nothing announces it; resolves when its successor has started. */
  async kill() {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    this.said = '';
    await this.untilStarted();
  }

  /** Its successor is about to come: it is not started again. */
  retire() {
    this.#isWanted = false;
  }

  pause() {
    this.#child.kill('SIGSTOP');
  }

  wake() {
    this.#child.kill('SIGCONT');
  }

  /** Stops it as a supervisor does, and it is not started again. */
  async end(timeoutMs) {
    this.#isWanted = false;
    this.#child.kill('SIGTERM');
    await this.untilEnded(timeoutMs);
  }

  /** Resolves when it has ended by itself. */
  async untilEnded(timeoutMs) {
    if (this.#child.exitCode !== null) return;
    const signal = AbortSignal.timeout(timeoutMs);
    await once(this.#child, 'exit', { signal }).catch(() => {
      throw new Error(`${this.name} did not end within ${timeoutMs} ms:\n${this.said.slice(-2_000)}`);
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

/** PostgreSQL and all its children at once: none of them has time to write anything. Its supervisor starts it again. */
export async function killPostgres(supervisor) {
  const { postgres: pid } = supervisor.pids;
  const all = [pid, ...childrenOf(pid)];
  for (const each of all) {
    try {
      process.kill(each, 'SIGKILL');
    } catch (error) {
      // It went with its parent.
      if (error.code !== 'ESRCH') throw error;
    }
  }
  while (supervisor.pids.postgres === pid) await sleep(5);
}

/** Where the system does not tell, they end by themselves when they miss their parent. */
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
