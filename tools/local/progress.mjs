import { statSync } from 'node:fs';
import { processorMsOf } from './processes.mjs';

// A waiting process sometimes wakes up for its timers.
const workMs = 100;

/**
 * Detects whether a starting process still works: it writes to its log or uses the processor, even if only a little.
 */
export class Progress {
  constructor() {
    this.lastMs = performance.now();
    this.logBytes = 0;
    this.processorMs = 0;
    this.pid = 0;
  }

  /** @param {number} pid @param {string} log @returns {number} milliseconds without a sign of progress */
  silentMs(pid, log) {
    const logBytes = sizeOf(log);
    const processorMs = processorMsOf(pid);
    if (pid !== this.pid || logBytes !== this.logBytes || processorMs >= this.processorMs + workMs) {
      Object.assign(this, { pid, logBytes, processorMs, lastMs: performance.now() });
    }
    return performance.now() - this.lastMs;
  }
}

/** @param {string} path */
const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
