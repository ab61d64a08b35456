import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lastLines } from './run-command.mjs';

// Enough for days of an idle sandbox, or for minutes of a benchmark. Use a less verbose LOG_LEVEL for longer periods.
const largestBytes = 16e6;
const keptBytes = 1e6;
const checkIntervalMs = 5_000;

/**
 * Truncates a log, which happens at each start of the sandbox. Children write to the file themselves, so that they can
 * outlive this process without blocking. They always append, so that the file can be truncated while they write.
 * @param {string} path
 */
export function emptyLog(path) {
  closeSync(openSync(path, 'w', 0o600));
}

/** @param {string} path @returns {number} a file descriptor */
export const openLog = (path) => openSync(path, 'a', 0o600);

/**
 * Truncates logs that have grown too large, and keeps their end.
 * @param {string} folder
 * @returns {() => void} stops it
 */
export function boundLogs(folder) {
  const timer = setInterval(() => {
    for (const name of readdirSync(folder)) cut(join(folder, name));
  }, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** @param {string} path */
function cut(path) {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size <= largestBytes) return;
    const end = Buffer.alloc(keptBytes);
    readSync(file, end, 0, keptBytes, size - keptBytes);
    ftruncateSync(file, 0);
    writeSync(file, end.subarray(end.indexOf('\n') + 1), 0, undefined, 0);
  } finally {
    closeSync(file);
  }
}

/** @param {string} path */
export function logTail(path) {
  try {
    return lastLines(readFileSync(path, 'utf8'));
  } catch {
    return '';
  }
}
