import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until a condition is true.
 * @param {string} what the name of the condition in the error message
 * @param {number} withinMs
 * @param {() => boolean | Promise<boolean>} isSo
 * @param {{ everyMs?: number }} [options]
 */
export async function until(what, withinMs, isSo, { everyMs = 50 } = {}) {
  for (const endMs = performance.now() + withinMs; !(await isSo()); await sleep(everyMs))
    if (performance.now() > endMs) throw new Error(`no ${what} within ${withinMs / 1_000} s`);
}
