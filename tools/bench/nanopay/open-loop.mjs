import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { summary } from '../measure.mjs';

// A shorter interval would use too much processor time of the servers.
const shortestBeatMs = 0.5;
// Time for the ticker to wait for the first tick.
const leadMs = 20;
const [running, stopped] = [1, 2];

/**
 * Sends a fixed number of requests per second, even if the server is slower (open loop). Each latency starts at the
 * scheduled time, so that queueing counts. An unsent request counts as a wait until the end.
 * @param {(index: number) => Promise<unknown>} send
 * @param {{ ratePerSecond: number, seconds: number, mostInFlight: number }} options
 */
export async function openLoop(send, options) {
  const load = new OpenLoad(send, options);
  const ticker = await Ticker.start(Math.max(shortestBeatMs, 1_000 / options.ratePerSecond));
  try {
    return await Promise.race([load.run(ticker), ticker.failed]);
  } finally {
    await ticker.stop();
  }
}

/** A thread that signals when a request is due. */
class Ticker {
  static async start(periodMs) {
    const ticker = new Ticker(periodMs);
    await Promise.race([once(ticker.thread, 'message'), ticker.failed]);
    return ticker;
  }

  constructor(periodMs) {
    const shared = new SharedArrayBuffer(16);
    this.state = new Int32Array(shared, 0, 1);
    this.startNs = new BigInt64Array(shared, 8, 1);
    this.thread = new Worker(new URL('ticker.mjs', import.meta.url), { workerData: { shared, periodMs } });
    this.gone = once(this.thread, 'exit');
    this.failed = new Promise((_, reject) => this.thread.once('error', reject));
    this.failed.catch(() => undefined);
    this.gone.catch(() => undefined);
  }

  /** Sends ticks from the given time on, by the clock of this process. */
  beat(startMs, onBeat) {
    this.thread.on('message', onBeat);
    this.startNs[0] = process.hrtime.bigint() + BigInt(Math.round((startMs - performance.now()) * 1e6));
    this.enter(running);
  }

  async stop() {
    this.enter(stopped);
    await this.gone;
  }

  enter(state) {
    Atomics.store(this.state, 0, state);
    Atomics.notify(this.state, 0);
  }
}

/** The state of `openLoop` between the ticks. */
export class OpenLoad {
  latencies = [];
  /** Lateness of the load generator in ms. If it is large, the figures measure the generator instead of the server. */
  lateness = [];
  failures = 0;
  firstFailure = undefined;
  answered = 0;
  next = 0;
  inFlight = 0;
  isOver = false;

  constructor(send, { ratePerSecond, seconds, mostInFlight }) {
    this.send = send;
    this.count = Math.floor(ratePerSecond * seconds);
    this.periodMs = 1_000 / ratePerSecond;
    this.mostInFlight = mostInFlight;
  }

  run(ticker) {
    this.startMs = performance.now() + leadMs;
    this.endMs = this.startMs + this.count * this.periodMs;
    ticker.beat(this.startMs, () => this.onBeat());
    return new Promise((resolve) => (this.finish = resolve));
  }

  dueMs(index) {
    return this.startMs + index * this.periodMs;
  }

  onBeat() {
    if (this.startMs === undefined) return;
    const nowMs = performance.now();
    const isFree = this.inFlight < this.mostInFlight && !this.isOver;
    const waited = nowMs - this.dueMs(this.next);
    if (isFree && waited >= 0 && this.next < this.count) this.lateness.push(waited);
    this.pump(nowMs);
    // Set at the end, because requests that this thread has missed before are its own delay, and are still sent.
    if (nowMs >= this.endMs) this.isOver = true;
    this.endIfDone();
  }

  pump(nowMs) {
    while (!this.isOver && this.next < this.count && this.inFlight < this.mostInFlight) {
      const dueMs = this.dueMs(this.next);
      if (dueMs > nowMs) return;
      this.start(this.next++, dueMs);
    }
  }

  endIfDone() {
    if ((this.isOver || this.next === this.count) && this.inFlight === 0) this.end();
  }

  start(index, dueMs) {
    this.inFlight++;
    const ended = (isGood, error) => {
      const nowMs = performance.now();
      this.inFlight--;
      if (isGood) {
        this.answered++;
        this.latencies.push(nowMs - dueMs);
        this.lastMs = nowMs;
      } else {
        this.failures++;
        this.firstFailure ??= error;
      }
      this.pump(nowMs);
      this.endIfDone();
    };
    this.send(index).then(
      () => ended(true),
      (error) => ended(false, error),
    );
  }

  end() {
    const { startMs } = this;
    // Later ticks send nothing.
    this.startMs = undefined;
    const unsent = this.count - this.next;
    for (let index = this.next; index < this.count; index++)
      this.latencies.push(this.endMs - startMs - index * this.periodMs);
    const seconds = (Math.max(this.endMs, this.lastMs ?? 0) - startMs) / 1_000;
    const { p50, p99 } = summary(this.latencies, seconds, 0);
    this.finish({
      rate: this.answered / seconds,
      p50,
      p99,
      answered: this.answered,
      unsent,
      failures: this.failures,
      firstFailure: this.firstFailure,
      lateP99: summary(this.lateness, seconds, 0).p99,
    });
  }
}
