import { Injectable } from '@nestjs/common';
import { BusConnection, DomainError } from '@tollbridge/rpc';
import type { FrameItem, Outcome, UnknownOutcome } from '@tollbridge/nanopay-protocol';
import { Batcher, natsTransport } from '@tollbridge/paywall';

// Within the time of a call, also for what has waited for its message before.
const messageTimeoutMs = 5_000;
const maxWaitMs = 3_000;
const maxUnderWay = 8;
// What waits is a few hundred bytes each; more could not be answered in time.
const maxWaiting = 10_000;

export type KnownOutcome = Exclude<Outcome, UnknownOutcome>;

/** The way to the enclave, which decides about all payments. */
@Injectable()
export class Enclave {
  private readonly batcher: Batcher;

  constructor(bus: BusConnection) {
    const { nats: connection, inboxPrefix } = bus;
    const transport = natsTransport({ connection, inboxPrefix, timeoutMs: messageTimeoutMs });
    this.batcher = new Batcher(transport, { messageTimeoutMs, maxUnderWay, maxWaiting });
  }

  /**
   * @throws DomainError SERVICE_UNAVAILABLE where nobody knows. It is no verdict, and is not kept as the answer to an
   * Idempotency-Key: the same call again finds out.
   */
  async ask(item: FrameItem): Promise<KnownOutcome> {
    const outcome = await this.batcher.submit(item, performance.now() + maxWaitMs);
    if (outcome.status !== 'unknown') return outcome;
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The payment ledger did not answer, so the outcome is unknown. Repeat the call with the same Idempotency-Key.',
      { retryAfterSeconds: 1 },
    );
  }
}
