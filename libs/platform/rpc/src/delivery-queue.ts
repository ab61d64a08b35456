import type { JsMsg } from 'nats';
import type { EventEnvelope } from './events';

/** An event as the server delivered it to this process. It is answered once: acknowledged, handed back or given up. */
export interface Delivery<D = unknown> {
  message: JsMsg;
  text: string;
  event: EventEnvelope<D>;
  /** By the monotonic clock. */
  receivedAtMs: number;
}

export interface DeliveryBounds {
  maxEvents: number;
  maxBytes: number;
}

/** Deliveries that wait for the batch under way, in the order in which they came. Bounded by number and by size. */
export class DeliveryQueue<D = unknown> {
  private waiting: Delivery<D>[] = [];
  private bytes = 0;
  private isClosed = false;
  private wakeTaker: () => void = () => undefined;
  private wakeGiver: () => void = () => undefined;

  constructor(private readonly bounds: DeliveryBounds) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Resolves when there is room for the next delivery. */
  async push(delivery: Delivery<D>): Promise<void> {
    this.waiting.push(delivery);
    this.bytes += delivery.text.length;
    this.wakeTaker();
    while (this.isFull && !this.isClosed) await new Promise<void>((resolve) => (this.wakeGiver = resolve));
  }

  /** Nothing more will come; what waits can still be taken. */
  close(): void {
    this.isClosed = true;
    this.wakeTaker();
    this.wakeGiver();
  }

  /**
   * Takes what waits, at least one and at most a batch, and waits for it where there is nothing.
   * @returns an empty batch when the queue is closed and empty
   */
  async take(bounds: DeliveryBounds): Promise<Delivery<D>[]> {
    while (this.waiting.length === 0 && !this.isClosed)
      await new Promise<void>((resolve) => (this.wakeTaker = resolve));
    const batch = this.waiting.splice(0, this.batchLength(bounds));
    for (const { text } of batch) this.bytes -= text.length;
    this.wakeGiver();
    return batch;
  }

  /**
   * Every delivery of an event halves the batch that it may be in. What makes a whole batch fail without being a fault of
   * one event, such as a statement that takes too long, is so found after some deliveries.
   */
  private batchLength({ maxEvents, maxBytes }: DeliveryBounds): number {
    let [length, bytes, limit] = [0, 0, maxEvents];
    for (const { message, text } of this.waiting) {
      limit = Math.min(limit, Math.max(1, maxEvents >> Math.min(message.info.deliveryCount - 1, 30)));
      bytes += text.length;
      if (length > 0 && (length >= limit || bytes > maxBytes)) break;
      length++;
    }
    return length;
  }

  private get isFull(): boolean {
    return this.waiting.length >= this.bounds.maxEvents || this.bytes >= this.bounds.maxBytes;
  }
}
