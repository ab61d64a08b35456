import type { JsMsg } from 'nats';
import type { EventEnvelope } from './events';

/** One delivery of an event to this process. It is settled once: acknowledged, returned or terminated. */
export interface Delivery<D = unknown> {
  message: JsMsg;
  text: string;
  event: EventEnvelope<D>;
  /** Time on the monotonic clock. */
  receivedAtMs: number;
}

export interface DeliveryBounds {
  maxEvents: number;
  maxBytes: number;
}

/** Deliveries that wait for the current batch, in order of arrival. Limited by number and size. */
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

  /** Adds a delivery. Resolves when the queue has space for the next delivery. */
  async push(delivery: Delivery<D>): Promise<void> {
    this.waiting.push(delivery);
    this.bytes += delivery.text.length;
    this.wakeTaker();
    while (this.isFull && !this.isClosed) await new Promise<void>((resolve) => (this.wakeGiver = resolve));
  }

  /** Accepts no more deliveries. Waiting deliveries can still be taken. */
  close(): void {
    this.isClosed = true;
    this.wakeTaker();
    this.wakeGiver();
  }

  /**
   * Takes waiting deliveries, from one up to a batch. Waits for the first delivery if the queue is empty.
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
   * Each redelivery of an event halves the largest batch that may contain it. A batch that fails as a whole
   * therefore shrinks until it succeeds, for example when one statement takes too long.
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
