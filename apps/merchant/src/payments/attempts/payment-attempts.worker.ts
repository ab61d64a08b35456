import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutboxWorker, PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { approvalsApi, type SubmittedTxState } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { BusClient, callContext } from '@tollbridge/rpc';
import { verify, type Attempt } from './attempt';
import { PaymentAttemptsRepository } from './payment-attempts.repository';

const pollEveryMs = 1_000;
// Limits the load on the nodes of the chains.
const maxAtOnce = 20;

/** Looks up transactions in flight on the chain. Any number of replicas may run it, because each attempt is leased. */
@Injectable()
export class PaymentAttemptsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;

  constructor(
    private readonly attempts: PaymentAttemptsRepository,
    private readonly bus: BusClient,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'transactions in flight not read, retrying');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  async step(): Promise<PollResult> {
    const due = await this.attempts.takeDue(this.clock.now(), maxAtOnce);
    await Promise.all(due.map((attempt) => this.check(attempt)));
    if (due.length > 0) this.outbox.wake();
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  private async check(due: Attempt): Promise<void> {
    const shown = await this.stateOf(due);
    const nowMs = this.clock.now();
    await this.attempts.change(
      due.paymentId,
      (now) => {
        const isSame = now?.state === 'sent' && now.txHash === due.txHash;
        return { outcome: true, ...(isSame && { attempt: verify(now, shown, nowMs) }) };
      },
      callContext(),
    );
  }

  /** Undefined while no node answers. */
  private async stateOf({ orderId, txHash }: Attempt): Promise<SubmittedTxState | undefined> {
    const asked = { id: orderId, tx_hash: txHash! };
    try {
      const { submittedState } = approvalsApi.operations;
      return (await this.bus.call(submittedState, asked, callContext())).state;
    } catch (error) {
      this.logger.info({ err: error, orderId }, 'transaction in flight not read, retrying');
      return undefined;
    }
  }
}
