import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection, LastingSubscription } from '@tollbridge/rpc';
import { decodeFrame, encodeOutcomes, paymentsSubject } from '@tollbridge/nanopay-protocol';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Verifier } from '../verification/verifier';
import { FramesServer } from './frames.server';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { Payments } from './payments';

const drainMs = 5_000;

/**
 * Answers payment frames from the bus and TCP. Frames bypass the operations, because JSON and validation would cost
 * more than the payments (`bench:nanopay`, rows `tollbridge: paid`, `tollbridge over NATS: paid`).
 */
@Injectable()
export class FramesListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscription: LastingSubscription | undefined;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly bus: BusConnection,
    private readonly payments: Payments,
    private readonly writer: LedgerWriter,
    private readonly verifier: Verifier,
    private readonly server: FramesServer,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.writer.start();
    this.subscription = new LastingSubscription(this.bus, paymentsSubject, {
      // Uses no queue group: a stalled lease holder would keep its share of the payments from its successor.
      onMessage: ({ data, reply }) => {
        // Without the lease, this process does not answer: the lease holder receives the same message.
        if (reply && this.bus.answersAt(reply) && this.writer.isHolder) this.answerOnBus(data, reply);
      },
    });
    await this.bus.nats.flush();
    this.writer.whenSuperseded(() => void this.closeConnections());
    await this.server.listen((frame) => this.answer(frame));
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.stopAccepting();
    await this.subscription?.drain();
    await this.closeConnections();
    await this.writer.stop();
    await this.verifier.close();
  }

  /** Answers the frames in progress, then closes. Paywalls reconnect to the new lease holder. */
  private async closeConnections(): Promise<void> {
    this.server.stopAccepting();
    const timeout = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.all(this.inFlight), timeout]);
    await this.server.close();
  }

  private answerOnBus(frame: Uint8Array, reply: string): void {
    // The failure is logged by `answer`.
    this.answer(frame)?.then(
      (outcomes) => !this.bus.nats.isClosed() && this.bus.publish(reply, outcomes),
      () => undefined,
    );
  }

  /** Returns undefined for an invalid frame: its sender is unknown or has another version, so it gets no answer. */
  private answer(frame: Uint8Array): Promise<Uint8Array> | undefined {
    const items = decodeFrame(frame);
    if (!items) {
      this.logger.warn({ bytes: frame.length }, 'invalid payment frame ignored');
      return undefined;
    }
    const answer = this.payments.process(items).then(encodeOutcomes);
    // Settles just after the answer was returned.
    const settled = answer
      .then(
        () => undefined,
        (error: unknown) => this.logger.error({ err: error }, 'payment frame failed'),
      )
      .finally(() => this.inFlight.delete(settled));
    this.inFlight.add(settled);
    return answer;
  }
}
