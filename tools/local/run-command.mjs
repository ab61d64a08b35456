import { spawn } from 'node:child_process';

// The end of the output. This is enough to see the cause of a failure.
const keptCharacters = 400_000;

/**
 * Running commands, so that an interrupted start can stop them.
 * @type {Set<import('node:child_process').ChildProcess>}
 */
const running = new Set();

/**
 * @typedef {object} CommandResult
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {string} output the end of stdout and stderr, in the order of arrival
 */

/**
 * Runs a program and waits until it ends.
 * @param {string} program
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {(line: string) => void} [options.onLine]
 * @param {number} [options.timeoutMs] after this time the program is stopped, and its output says so
 * @returns {Promise<CommandResult>}
 */
export function runCommand(program, args, { cwd, env, onLine, timeoutMs = 0 } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  let line = '';
  const take = (/** @type {string} */ text) => {
    output = (output + text).slice(-keptCharacters);
    if (!onLine) return;
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const complete of lines) onLine(complete);
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const timer = timeoutMs > 0 ? setTimeout(end, timeoutMs) : undefined;
  function end() {
    output += `\nNot done after ${timeoutMs / 1000} s, so it was ended.`;
    child.kill('SIGTERM');
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  }).finally(() => {
    clearTimeout(timer);
    running.delete(child);
  });
}

export function stopCommands() {
  for (const child of running) child.kill('SIGTERM');
}

/** @param {string} text @param {number} [count] */
export function lastLines(text, count = 20) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
