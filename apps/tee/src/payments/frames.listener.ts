import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@tollbridge/rpc';
import { decodeFrame, encodeOutcomes, paymentsSubject } from '@tollbridge/nanopay-protocol';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Subscription } from 'nats';
import { Verifier } from '../verification/verifier';
import { FramesServer } from './frames.server';
import { LedgerWriter } from './ledger-writer';
import { Payments } from './payments';

const drainMs = 5_000;

/** Answers frames of payments. They come outside of the operations, whose JSON and checks would cost more than they do. */
@Injectable()
export class FramesListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscription: Subscription | undefined;
  private readonly underWay = new Set<Promise<void>>();

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
    this.subscription = this.bus.nats.subscribe(paymentsSubject, {
      // No queue group: a holder that was stopped would keep its share of the payments from its successor.
      callback: (error, message) => {
        if (error) return this.logger.error({ err: error }, 'payments cannot be heard');
        // Its successor may have the same message.
        if (message.reply && this.writer.isHolder) this.answerOnBus(message.data, message.reply);
      },
    });
    await this.bus.nats.flush();
    this.writer.whenSuperseded(() => void this.leaveGuards());
    await this.server.listen((frame) => this.answer(frame));
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.stopTaking();
    await this.subscription?.drain().catch(() => undefined);
    await this.leaveGuards();
    await this.writer.stop();
    await this.verifier.close();
  }

  /** What was taken is answered; then they go on with who has taken over. */
  private async leaveGuards(): Promise<void> {
    this.server.stopTaking();
    const timeout = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.all(this.underWay), timeout]);
    await this.server.close();
  }

  private answerOnBus(frame: Uint8Array, reply: string): void {
    // Why it failed has been logged.
    this.answer(frame)?.then(
      (outcomes) => !this.bus.nats.isClosed() && this.bus.publish(reply, outcomes),
      () => undefined,
    );
  }

  /** Undefined for what is no frame: it is not answered, since who sent it is none of ours, or of another version. */
  private answer(frame: Uint8Array): Promise<Uint8Array> | undefined {
    const items = decodeFrame(frame);
    if (!items) {
      this.logger.warn({ bytes: frame.length }, 'a frame of payments could not be read');
      return undefined;
    }
    const answered = this.payments.process(items).then(encodeOutcomes);
    // Ends some steps after who asked has it.
    const settled = answered
      .then(
        () => undefined,
        (error: unknown) => this.logger.error({ err: error }, 'payments could not be answered'),
      )
      .finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
    return answered;
  }
}
