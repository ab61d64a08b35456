import { TransactionUpdate, type TransactionUpdateMessage } from '@tollbridge/contracts';
import { fieldsOf } from '@tollbridge/rpc';
import { textFrame } from '../sockets/text-frame';

/** Who follows a set of transactions. */
export interface Follower {
  /** The set exists: the frame of its present state. Comes once, before any change. */
  began(transactionId: string, state: Buffer): void;
  /** @param state a frame, the same bytes for all followers */
  changed(state: Buffer): void;
  /** The set cannot be followed; its follower was forgotten. */
  refused(transactionId: string, reason: RefusalReason): void;
}

export type RefusalReason = 'NOT_FOUND' | 'SERVICE_UNAVAILABLE';

const declaredFields = fieldsOf(TransactionUpdate).map(({ name }) => name as keyof TransactionUpdate);

/**
 * What is known of one set of transactions, and who wants to know. Changes and answers to questions come in any order:
 * only what is newer than the last is handed on, so that nothing is told twice and nothing old after something new.
 */
export class Feed {
  readonly followers = new Set<Follower>();
  private version = 0;
  /** The frame of the present state, made once for all followers; none before anything is known. */
  private state: Buffer | undefined;

  constructor(readonly transactionId: string) {}

  get isKnown(): boolean {
    return this.state !== undefined;
  }

  add(follower: Follower): void {
    this.followers.add(follower);
    if (this.state) follower.began(this.transactionId, this.state);
  }

  /** Answers to how many it was told. */
  take(update: TransactionUpdate): number {
    if (update.version <= this.version) return 0;
    const isFirst = this.state === undefined;
    this.version = update.version;
    const state = (this.state = encode(update));
    for (const follower of this.followers) {
      if (isFirst) follower.began(this.transactionId, state);
      else follower.changed(state);
    }
    return this.followers.size;
  }

  refuse(reason: RefusalReason): void {
    const refused = [...this.followers];
    this.followers.clear();
    for (const follower of refused) follower.refused(this.transactionId, reason);
  }
}

/** What is declared goes out and nothing else, whatever a newer service tells besides. */
function encode(update: TransactionUpdate): Buffer {
  const data = Object.fromEntries(
    declaredFields.map((name) => [name, update[name]]),
  ) as unknown as TransactionUpdate;
  const message: TransactionUpdateMessage = { type: 'transaction_update', data };
  return textFrame(JSON.stringify(message));
}

/** Reads an update that came over the bus; nothing when it is none of this set. */
export function readUpdate(transactionId: string, data: unknown): TransactionUpdate | undefined {
  const update = data as TransactionUpdate | null | undefined;
  const isOne = update?.transactionId === transactionId && Number.isSafeInteger(update.version);
  return isOne && update.version > 0 ? update : undefined;
}
