import { Injectable } from '@nestjs/common';
import { BusConnection, DomainError } from '@tollbridge/rpc';
import type {
  ChannelOutcome,
  FrameItem,
  Outcome,
  SettleItem,
  UnknownOutcome,
} from '@tollbridge/nanopay-protocol';
import { Batcher, natsTransport } from '@tollbridge/paywall';

// Shorter than the deadline of a call, including the wait for a batch.
const messageTimeoutMs = 5_000;
const maxWaitMs = 3_000;
const maxInFlight = 8;
// Each item has a few hundred bytes. More items could not be answered in time.
const maxWaiting = 10_000;

export type KnownOutcome = Exclude<Outcome, UnknownOutcome | ChannelOutcome>;

/** Sends payments in batches to the payment ledger service. */
@Injectable()
export class LedgerClient {
  private readonly batcher: Batcher;

  constructor(bus: BusConnection) {
    const { nats: connection, inboxPrefix } = bus;
    const transport = natsTransport({ connection, inboxPrefix, timeoutMs: messageTimeoutMs });
    this.batcher = new Batcher(transport, { messageTimeoutMs, maxUnderWay: maxInFlight, maxWaiting });
  }

  /**
   * @throws DomainError SERVICE_UNAVAILABLE if the outcome is unknown. This error is not stored under an
   * Idempotency-Key, so a retry of the call returns the outcome.
   */
  async submit(item: Exclude<FrameItem, SettleItem>): Promise<KnownOutcome> {
    const outcome = await this.batcher.submit(item, performance.now() + maxWaitMs);
    if (outcome.status !== 'unknown' && outcome.status !== 'settled') return outcome;
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The payment ledger did not answer, so the outcome is unknown. Repeat the call with the same Idempotency-Key.',
      { retryAfterSeconds: 1 },
    );
  }
}
