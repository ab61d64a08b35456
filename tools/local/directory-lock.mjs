import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isErrno, readProcess } from './directory.mjs';
import { Problem } from './problem.mjs';
import { isAlive, startMark } from './processes.mjs';

/** @typedef {import('./directory.mjs').Directory} Directory */

const waitMs = 250;

/**
 * Tries to lock a folder, which only one process may use.
 * @param {Directory} directory
 * @returns {{ holder?: number }} with a holder if another process has the lock
 */
export const tryLock = (directory) => tryLockFile(directory.file('lock'));

/**
 * Runs the work while this process holds the lock file. Waits if another process holds it.
 * @template T
 * @param {string} path of the lock file
 * @param {(holder: number) => void} onWait called once, with the id of the process that holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLockFile(path, onWait, work) {
  await takeLockFile(path, onWait);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Waits for the lock file. This process then holds it until it exits.
 * @param {string} path
 * @param {(holder: number) => void} onWait
 */
export async function holdLockFile(path, onWait) {
  await takeLockFile(path, onWait);
  process.once('exit', () => rmSync(path, { force: true }));
}

/**
 * @param {string} path
 * @param {(holder: number) => void} onWait called once, with the id of the process that holds the lock
 */
async function takeLockFile(path, onWait) {
  let { holder } = tryLockFile(path);
  if (holder !== undefined) onWait(holder);
  while (holder !== undefined) {
    await setTimeout(waitMs);
    ({ holder } = tryLockFile(path));
  }
}

/** Also takes over the lock of a dead process. @param {string} path @returns {{ holder?: number }} */
function tryLockFile(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${process.pid} ${startMark(process.pid)}\n`);
  try {
    // A hard link is created atomically with its content, and fails if the name exists. There are two attempts, because
    // the first one may find a stale lock.
    for (let attempt = 0; attempt < 2; attempt++) {
      if (links(draft, path)) return {};
      const holder = readProcess(path);
      if (holder && isAlive(holder)) return { holder: holder.pid };
      removeDead(path);
    }
    return { holder: readProcess(path)?.pid ?? 0 };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {Directory} directory */
export function lock(directory) {
  const { holder } = tryLock(directory);
  if (holder === undefined) return;
  throw new Problem(
    `Tollbridge already runs in ${directory.path} (process ${holder}). ` +
      'Stop it with Ctrl-C, or use another folder: npm start -- --directory FOLDER',
  );
}

/** @param {Directory} directory */
export function unlock(directory) {
  if (readProcess(directory.file('lock'))?.pid === process.pid)
    rmSync(directory.file('lock'), { force: true });
}

/** @param {string} draft @param {string} path */
function links(draft, path) {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Moves the lock before it removes it, because another process may have replaced the stale lock just now.
 * @param {string} path
 */
function removeDead(path) {
  const aside = `${path}.${process.pid}.dead`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readProcess(aside);
  if (moved && isAlive(moved)) links(aside, path);
  rmSync(aside, { force: true });
}
