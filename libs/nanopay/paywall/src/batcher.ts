import {
  frameHeadLength,
  lengthOf,
  maxFrameBytes,
  maxFrameItems,
  type FrameItem,
  type Outcome,
} from '@tollbridge/nanopay-protocol';
import type { Transport } from './transport';

export interface BatcherOptions {
  /** Time-out of one message. */
  messageTimeoutMs: number;
  /** Maximum number of concurrent messages. More messages would only make each one smaller. */
  maxUnderWay: number;
  /** Maximum number of waiting payments. Further payments are rejected immediately. */
  maxWaiting: number;
  /** Called with the error when the outcomes of a message are unknown. */
  onFailed?: ((error: unknown) => void) | undefined;
}

interface Waiting {
  item: FrameItem;
  latestStartMs: number;
  resolve(outcome: Outcome): void;
}

/** From this number of payments on, the overhead of a separate message is small. */
const enoughForOne = 24;
/**
 * While a message is in flight, the next one waits this long for the reply, to collect payments that arrive meanwhile.
 */
const gatherMs = 1;
const unknown: Outcome = { status: 'unknown' };

/**
 * Batches payments into one message: those of one turn of the event loop, and those that arrive while messages are in
 * flight. A full message does not wait for the end of the turn. Without payments no timer runs.
 */
export class Batcher {
  private waiting: Waiting[] = [];
  private underWay = 0;
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly options: BatcherOptions,
  ) {}

  /**
   * Never rejects.
   * @param latestStartMs on the clock of `performance.now()`. A payment that is not sent by then resolves as unknown.
   */
  submit(item: FrameItem, latestStartMs: number): Promise<Outcome> {
    if (this.waiting.length >= this.options.maxWaiting) return Promise.resolve(unknown);
    return new Promise((resolve) => {
      this.waiting.push({ item, latestStartMs, resolve });
      if (this.underWay >= this.options.maxUnderWay) return;
      // Sends immediately, so that the ledger service starts while this process handles the rest of the turn.
      if (this.waiting.length >= enoughForOne) return this.sendWaiting();
      if (this.isScheduled) return;
      this.isScheduled = true;
      if (this.underWay === 0) setImmediate(() => this.sendWaiting());
      else this.timer = setTimeout(() => this.sendWaiting(), gatherMs);
    });
  }

  private sendWaiting(): void {
    this.isScheduled = false;
    clearTimeout(this.timer);
    while (this.waiting.length > 0 && this.underWay < this.options.maxUnderWay) {
      const batch = this.takeBatch();
      if (batch.length > 0) void this.send(batch);
    }
  }

  private takeBatch(): Waiting[] {
    const nowMs = performance.now();
    const batch: Waiting[] = [];
    let byteLength = frameHeadLength;
    let taken = 0;
    for (const entry of this.waiting) {
      byteLength += lengthOf(entry.item);
      if (batch.length === maxFrameItems || (byteLength > maxFrameBytes && batch.length > 0)) break;
      taken++;
      if (entry.latestStartMs < nowMs) entry.resolve(unknown);
      else batch.push(entry);
    }
    this.waiting.splice(0, taken);
    return batch;
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    this.underWay++;
    let failure: unknown;
    const outcomes = await this.outcomesOf(batch.map(({ item }) => item)).catch((error: unknown) => {
      failure = error;
    });
    this.underWay--;
    batch.forEach(({ resolve }, at) => resolve(outcomes?.[at] ?? unknown));
    this.sendWaiting();
    if (!outcomes) this.options.onFailed?.(failure);
  }

  private async outcomesOf(items: readonly FrameItem[]): Promise<Outcome[]> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error('The payment ledger has not answered in time.')),
        this.options.messageTimeoutMs,
      );
    });
    try {
      const outcomes = await Promise.race([this.transport.send(items), tooLate]);
      if (outcomes.length !== items.length)
        throw new Error(`Expected ${items.length} outcomes from the payment ledger, got ${outcomes.length}.`);
      return outcomes;
    } finally {
      clearTimeout(timer);
    }
  }
}
