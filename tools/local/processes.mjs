import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The system reuses process ids. A process id together with this start mark identifies one process permanently.
 * @param {number} pid
 * @returns {string | undefined} undefined if the process does not exist
 */
export function startMark(pid) {
  if (process.platform !== 'linux') return askPs('lstart', pid)?.replaceAll(' ', '-');
  const fields = statOf(pid);
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

/** @param {number} pid @returns {string[] | undefined} the fields of /proc/PID/stat, starting with the third */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses. It can contain any character, so count from its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** @param {string} column @param {number} pid */
function askPs(column, pid) {
  const { stdout, status } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

// For programs, Linux uses hundredths of a second on every machine.
const tickMs = 10;

/** Returns the processor time that a process has used, or 0 if the process does not exist. @param {number} pid */
export function processorMsOf(pid) {
  if (process.platform === 'linux') {
    const fields = statOf(pid);
    return fields ? (Number(fields[11]) + Number(fields[12])) * tickMs : 0;
  }
  // The format is hours:minutes:seconds or minutes:seconds.
  const parts = (askPs('time', pid) ?? '0').split(':').map(Number);
  return 1_000 * parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** @param {{ pid: number, mark: string }} known */
export const isAlive = ({ pid, mark }) => startMark(pid) === mark;

/**
 * Sends a signal to a process and waits. If the process does not end, kills it and its children.
 * @param {{ pid: number, mark: string }} known
 * @param {{ signal?: NodeJS.Signals, timeoutMs?: number }} [options]
 */
export async function endProcess(known, { signal = 'SIGTERM', timeoutMs = 10_000 } = {}) {
  if (!isAlive(known)) return;
  send(known.pid, signal);
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
    if (!isAlive(known)) return;
  }
  sendToGroup(known.pid, 'SIGKILL');
  while (isAlive(known)) await sleep(10);
}

/** @param {number} pid @param {NodeJS.Signals} signal */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/**
 * Each child process of this program leads its own process group.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function sendToGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    send(pid, signal);
  }
}
