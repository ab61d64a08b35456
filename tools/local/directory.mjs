import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.mjs';
import { isAlive, startMark } from './processes.mjs';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const defaultDirectory = join(repository, '.tollbridge');

// The names that `--fresh` deletes. Only known names, so that a mistyped --directory deletes no other files.
const dataNames = [
  'postgres',
  'nats',
  'redis',
  'evm',
  'logs',
  'chains.json',
  'world.json',
  'contracts.json',
  'demo-payment.json',
  'passwords.json',
  'state.json',
];

/** The folder of one sandbox: data of its servers, logs, secrets, and the ids of its processes. */
export class Directory {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
    mkdirSync(join(path, 'pids'), { recursive: true });
    mkdirSync(join(path, 'logs'), { recursive: true });
  }

  /** @param {string[]} names */
  file(...names) {
    return join(this.path, ...names);
  }

  /** Creates a folder that only its owner may read. @param {string[]} names */
  privateFolder(...names) {
    const path = this.file(...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  deleteData() {
    for (const name of dataNames) rmSync(this.file(name), { recursive: true, force: true });
    mkdirSync(this.file('logs'), { recursive: true });
  }

  /** @param {string} name @param {number} pid */
  notePid(name, pid) {
    const mark = startMark(pid);
    if (mark) writeFileSync(this.file('pids', name), `${pid} ${mark}\n`);
  }

  /** @param {string} name */
  forgetPid(name) {
    rmSync(this.file('pids', name), { force: true });
  }

  /** Returns the processes that a killed start left running. */
  orphans() {
    const recorded = readdirSync(this.file('pids')).map((name) => ({
      name,
      known: readProcess(this.file('pids', name)),
    }));
    return recorded.flatMap(({ name, known }) => (known && isAlive(known) ? [{ name, ...known }] : []));
  }

  /** @param {string} name @returns {any} undefined if the file does not exist */
  readJson(name) {
    const path = this.file(name);
    let text;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new Problem(`${path} is damaged. Delete the data and start again: npm start -- --fresh`, {
        cause,
      });
    }
  }

  /** Writes atomically, readable only by the owner. @param {string} name @param {unknown} content */
  writeJson(name, content) {
    const path = this.file(name);
    const draft = `${path}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  }
}

/** @param {string} path @returns {{ pid: number, mark: string } | undefined} */
export function readProcess(path) {
  try {
    const [pid, mark] = readFileSync(path, 'utf8').trim().split(' ');
    return pid && mark ? { pid: Number(pid), mark } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {unknown} error @param {string} code */
export const isErrno = (error, code) => error instanceof Error && 'code' in error && error.code === code;
