import { TransactionUpdate, type StreamedUpdate, type TransactionUpdateMessage } from '@tollbridge/contracts';
import { fieldsOf } from '@tollbridge/rpc';
import { textFrame } from '../sockets/text-frame';

/** A client that is subscribed to a transaction set. */
export interface Subscriber {
  /** Receives the frame of the current state. Called once, before any update. */
  onSubscribed(transactionId: string, state: Buffer): void;
  /** @param state the frame of the new state, shared by all subscribers */
  onUpdate(state: Buffer): void;
  /** Called when the subscription failed and the feed has removed the subscriber. */
  onRejected(transactionId: string, reason: RejectionReason): void;
}

export type RejectionReason = 'NOT_FOUND' | 'SERVICE_UNAVAILABLE';

const declaredFields = fieldsOf(TransactionUpdate).map(({ name }) => name as keyof TransactionUpdate);

/**
 * The state of one transaction set and its subscribers. Events and snapshots arrive in any order. Only newer versions
 * are sent, so that a subscriber receives each version at most once and in order.
 */
export class Feed {
  readonly subscribers = new Set<Subscriber>();
  private version = 0;
  /** The frame of the current state, encoded once for all subscribers; undefined before the first state. */
  private state: Buffer | undefined;

  constructor(readonly transactionId: string) {}

  get isKnown(): boolean {
    return this.state !== undefined;
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    if (this.state) subscriber.onSubscribed(this.transactionId, this.state);
  }

  /** @returns the number of subscribers that received the update */
  apply(update: TransactionUpdate): number {
    if (update.version <= this.version) return 0;
    const isFirst = this.state === undefined;
    this.version = update.version;
    const state = (this.state = encode(update));
    for (const subscriber of this.subscribers) {
      if (isFirst) subscriber.onSubscribed(this.transactionId, state);
      else subscriber.onUpdate(state);
    }
    return this.subscribers.size;
  }

  reject(reason: RejectionReason): void {
    const rejected = [...this.subscribers];
    this.subscribers.clear();
    for (const subscriber of rejected) subscriber.onRejected(this.transactionId, reason);
  }
}

/** Sends declared fields only, because a newer tx-engine may publish more. */
function encode(update: TransactionUpdate): Buffer {
  // The specification requires a string, even before there is a transaction.
  const sent = { ...update, txHash: update.txHash ?? '' };
  const data = Object.fromEntries(
    declaredFields.map((name) => [name, sent[name]]),
  ) as unknown as StreamedUpdate;
  const message: TransactionUpdateMessage = { type: 'transaction_update', data };
  return textFrame(JSON.stringify(message));
}

/** Parses an update from the bus; undefined if it is invalid or belongs to another set. */
export function readUpdate(transactionId: string, data: unknown): TransactionUpdate | undefined {
  const update = data as TransactionUpdate | null | undefined;
  const isOne = update?.transactionId === transactionId && Number.isSafeInteger(update.version);
  return isOne && update.version > 0 ? update : undefined;
}
