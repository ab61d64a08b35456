import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyLog, logTail, openLog } from './log-files.mjs';
import { Problem } from './problem.mjs';
import { endProcess, send, startMark } from './processes.mjs';
import { Progress } from './progress.mjs';

/**
 * @typedef {object} ChildPlan
 * @property {string} name
 * @property {() => Promise<{ program: string, args: string[], env?: NodeJS.ProcessEnv }>} command called before each
 * start
 * @property {() => Promise<boolean>} isReady
 * @property {NodeJS.Signals} [stopSignal] stops it in an orderly way
 * @property {NodeJS.Signals} [forceSignal] ends it immediately
 * @property {number} [stopTimeoutMs]
 * @property {number} [silentTimeoutMs] how long its start may continue without progress
 *
 * @typedef {object} Child
 * @property {ChildPlan} plan
 * @property {number} pid
 * @property {AbortController} stopping
 * @property {number} deaths
 * @property {unknown} failure the error of the last attempt to start it
 * @property {Promise<void>} ended
 */

const firstPauseMs = 100;
const longestPauseMs = 10_000;
// A child that ran for this time had started successfully. Only children that exit immediately wait longer each time.
const healthyMs = 2_000;
// A child may exit once or twice while others are still starting. After that, its log is more useful than another try.
const deathsBeforeReady = 3;
// On a busy machine, a start takes minutes but makes continuous progress. If a child waits this long without progress,
// it will not start.
const defaultSilentTimeoutMs = 180_000;
// A child that makes progress but is not ready after this time is broken.
const longestStartMs = 30 * 60_000;
const progressCheckMs = 500;

/** Runs child processes, restarts them when they exit, and records their process ids. */
export class Supervisor {
  /**
   * @param {import('./directory.mjs').Directory} directory
   * @param {{ print: (text: string) => void, onChange?: () => void, onRestart?: (name: string) => void }} hooks
   */
  constructor(directory, { print, onChange = () => {}, onRestart = () => {} }) {
    this.directory = directory;
    this.print = print;
    this.onChange = onChange;
    this.onRestart = onRestart;
    /** @type {Map<string, Child>} */
    this.children = new Map();
  }

  /** Process ids of running children by name. */
  get pids() {
    return Object.fromEntries(
      [...this.children].flatMap(([name, { pid }]) => (pid > 0 ? [[name, pid]] : [])),
    );
  }

  /** @param {ChildPlan} plan */
  start(plan) {
    emptyLog(this.logOf(plan.name));
    /** @type {Child} */
    const child = {
      plan,
      pid: 0,
      stopping: new AbortController(),
      deaths: 0,
      failure: undefined,
      ended: Promise.resolve(),
    };
    this.children.set(plan.name, child);
    child.ended = this.keepAlive(child);
  }

  /**
   * @param {string[]} names
   * @param {(text: string) => void} [note] reports the processes that it waits for; empty at the end
   */
  async untilReady(names, note = () => undefined) {
    const waiting = new Set(names);
    const say = () => note(waiting.size > 0 ? `waiting for ${[...waiting].join(', ')}` : '');
    say();
    await Promise.all(
      names.map(async (name) => {
        await this.untilChildReady(name);
        waiting.delete(name);
        say();
      }),
    );
  }

  /** Stops children gracefully, all at the same time. @param {string[]} names */
  async stop(names) {
    await Promise.all(
      names.map(async (name) => {
        const child = this.children.get(name);
        if (!child) return;
        child.stopping.abort();
        const { stopSignal, stopTimeoutMs } = child.plan;
        const mark = child.pid > 0 ? startMark(child.pid) : undefined;
        if (mark)
          await endProcess({ pid: child.pid, mark }, { signal: stopSignal, timeoutMs: stopTimeoutMs });
        await child.ended;
        this.children.delete(name);
        this.onChange();
      }),
    );
  }

  /** Kills every child. */
  kill() {
    for (const child of this.children.values()) {
      child.stopping.abort();
      if (child.pid > 0) send(child.pid, child.plan.forceSignal ?? 'SIGKILL');
    }
  }

  /** @param {string} name */
  logOf(name) {
    return this.directory.file('logs', `${name}.log`);
  }

  /** @param {Child} child */
  async keepAlive(child) {
    const { name } = child.plan;
    const { signal } = child.stopping;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const startedMs = Date.now();
      const how = await this.runOnce(child).catch((error) => {
        child.failure = error;
        return error.message;
      });
      if (signal.aborted) return;
      child.deaths++;
      if (Date.now() - startedMs > healthyMs) pauseMs = firstPauseMs;
      this.print(
        `${new Date().toISOString()} ${name} ended (${how}); it is started again in ${pauseMs / 1000} s`,
      );
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) this.onRestart(name);
    }
  }

  /** @param {Child} child @returns {Promise<string>} the exit code or signal */
  async runOnce(child) {
    const { name, command } = child.plan;
    const { program, args, env } = await command();
    if (child.stopping.signal.aborted) return 'stopped';
    const log = openLog(this.logOf(name));
    // Each child has its own process group. Ctrl-C on the terminal must reach only this process, because children must
    // stop in order.
    const running = spawn(program, args, { env, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    const ended = new Promise((/** @type {(how: string) => void} */ resolve) => {
      running.once('error', (error) => resolve(error.message));
      running.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    try {
      this.note(child, running.pid ?? 0);
      return await ended;
    } finally {
      // It is still running only if its process id could not be recorded. An unrecorded child must not continue.
      running.kill('SIGKILL');
      this.note(child, 0);
    }
  }

  /** @param {Child} child @param {number} pid 0 if it is not running */
  note(child, pid) {
    child.pid = pid;
    if (pid > 0) this.directory.notePid(child.plan.name, pid);
    else this.directory.forgetPid(child.plan.name);
    this.onChange();
  }

  /** @param {string} name */
  async untilChildReady(name) {
    const child = this.children.get(name);
    if (!child) throw new Error(`${name} was not started`);
    const { isReady, silentTimeoutMs = defaultSilentTimeoutMs } = child.plan;
    const [progress, startMs] = [new Progress(), performance.now()];
    let checkMs = startMs;
    for (; ; await sleep(25)) {
      if (child.failure) throw child.failure;
      if (child.stopping.signal.aborted) throw new Problem(`${name} was stopped.`);
      if (child.deaths >= deathsBeforeReady) throw this.notReady(name, 'does not start');
      if (child.pid > 0 && (await isReady().catch(() => false))) return;
      if (performance.now() < checkMs) continue;
      checkMs = performance.now() + Math.min(progressCheckMs, silentTimeoutMs);
      if (progress.silentMs(child.pid, this.logOf(name)) > silentTimeoutMs)
        throw this.notReady(name, `is not ready, and did nothing for ${silentTimeoutMs / 1_000} s`);
      if (performance.now() > startMs + longestStartMs)
        throw this.notReady(name, `is not ready after ${longestStartMs / 60_000} minutes`);
    }
  }

  /** @param {string} name @param {string} what */
  notReady(name, what) {
    const path = this.logOf(name);
    return new Problem(`${name} ${what}. Its log is ${path}; its last lines:`, { details: logTail(path) });
  }
}
