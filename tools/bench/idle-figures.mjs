// Processor time of an idle deployment.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// For two minutes after the deployment of contracts, local chains mine a block per second, which the apps read.
const restSeconds = 140;
const measuredSeconds = 60;
// Linux counts processor time in hundredths of a second.
const ticksPerSecond = 100;

/** @param deployment `pids` by process name; `isOneProcess` @returns {import('./run.mjs').Figure[]} */
export function idleFigures({ pids, isOneProcess }) {
  return [
    {
      name: `idle processor, ${isOneProcess ? 'one process' : 'one process per service'}`,
      unit: '% of a core',
      measure: async () => {
        await sleep(restSeconds * 1_000);
        return sumOf(await processorShares(pids, measuredSeconds));
      },
    },
  ];
}

/**
 * @param {string} name of a process of a deployment
 * @returns {boolean} whether it is a server instead of an app of Tollbridge
 */
export const isServer = (name) => /^(postgres|nats|redis|anvil)/.test(name);

/** @param {Record<string, number>} shares */
export const sumOf = (shares) => Object.values(shares).reduce((sum, share) => sum + share, 0);

/**
 * @param {Record<string, number>} pids by name
 * @param {number} seconds to measure
 * @returns {Promise<Record<string, number>>} percentage of a core that each process used, with its children
 */
export async function processorShares(pids, seconds) {
  const before = treeSeconds(pids);
  const startedMs = performance.now();
  await sleep(seconds * 1_000);
  const after = treeSeconds(pids);
  const elapsed = (performance.now() - startedMs) / 1_000;
  return Object.fromEntries(
    Object.keys(pids).map((name) => [name, ((after[name] - before[name]) / elapsed) * 100]),
  );
}

/** @param {Record<string, number>} pids @returns {Record<string, number>} resident memory in MB, without children */
export function residentMb(pids) {
  const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, resident(pid)]));
}

/**
 * @param {Record<string, number>} pids by name
 * @returns {Record<string, number>} processor seconds so far, with children
 */
export function treeSeconds(pids) {
  const processes = readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : '';
    return stat === '' ? [] : [{ pid: Number(entry), parent: parentOf(stat), seconds: secondsOf(stat) }];
  });
  const secondsBelow = (pid) =>
    processes
      .filter((each) => each.pid === pid || each.parent === pid)
      .reduce((sum, each) => sum + (each.pid === pid ? each.seconds : secondsBelow(each.pid)), 0);
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, secondsBelow(pid)]));
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended after it was listed.
    return '';
  }
}

// A process name may contain spaces and parentheses, but the fields after it do not.
const fieldsOf = (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

const parentOf = (stat) => Number(fieldsOf(stat)[1]);

/**
 * @param {string} stat of /proc/<pid>/stat
 * @returns user and system time in seconds, including ended children
 */
export const secondsOf = (stat) =>
  fieldsOf(stat)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
