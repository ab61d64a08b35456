import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import type { TransferReader, TransferRead, WantedTransfers } from '@tollbridge/chain-port';
import { ChainNodes } from '../../chains/chain-nodes';
import { OtherNetworks } from './other-networks';
import { PayLinkPaymentsRepository, type DuePayment } from './paylink-payments.repository';
import type { ChainObservation, Payment } from './payment';
import { PaymentSettlement } from './payment-settlement';

// The size of one batch request. Public nodes accept at least 20.
const maxAtOnce = 20;
// Longer than all time-outs of one check together.
const leaseMs = 60_000;
const afterFailureMs = 5_000;
const elsewhereWithinMs = 30 * 60_000;

/** Checks reported payments until they are decided, and counted payments until they are final. */
@Injectable()
export class PayLinkPayments implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[];
  /** Ids of chains with unverifiable payments that were not scheduled since the start. */
  private readonly unstarted: Set<string>;

  constructor(
    chains: ChainNodes,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly settlement: PaymentSettlement,
    private readonly others: OtherNetworks,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.unstarted = new Set(chains.readers.map(({ chain }) => chain.id));
    // One job for each chain, so that the nodes of one chain cannot delay the other chains.
    this.jobs = chains.readers.map((reader) => {
      const { chain, pollIntervalMs } = reader;
      const onError = (err: unknown) =>
        logger.warn({ chain: chain.id, err }, 'PayLink payment check failed, retrying');
      return new PollingLoop(() => this.step(reader), pollIntervalMs, onError);
    });
    hints.wakes(...this.jobs);
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  private async step(reader: TransferReader): Promise<PollResult> {
    const { chain } = reader;
    const nowMs = this.clock.now();
    // Schedules payments that were reported while no node of the chain was configured.
    if (this.unstarted.has(chain.id)) await this.payments.scheduleUnverifiable(chain.id, nowMs);
    this.unstarted.delete(chain.id);
    const due = await this.payments.takeDue(chain.id, { nowMs, leaseMs, limit: maxAtOnce });
    if (due.length === 0) return this.hints.idleUntil(await this.payments.nextCheckMs(chain.id));
    const reads = await this.readAll(reader, due);
    const observations = await Promise.all(due.map((it, at) => this.lookElsewhere(it, reads[at]!, nowMs)));
    for (const [at, payment] of due.entries()) await this.follow(payment, observations[at]!);
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  /**
   * Reads all payments in one request. After a failure reads them one by one, because one payment may have caused the
   * failure.
   */
  private async readAll(reader: TransferReader, due: readonly DuePayment[]): Promise<TransferRead[]> {
    const wanted = due.map(wantedBy);
    try {
      return await reader.readTransfers(wanted);
    } catch (err) {
      this.logger.warn(
        { chain: reader.chain.id, err },
        'batch check of PayLink payments failed, checking one by one',
      );
    }
    const reads: TransferRead[] = [];
    for (const one of wanted)
      reads.push(
        ...(await reader.readTransfers([one]).catch((): TransferRead[] => [{ kind: 'unavailable' }])),
      );
    return reads;
  }

  /**
   * Searches other networks, because the wallet may have used another one. The search ends half an hour after the
   * report.
   */
  private async lookElsewhere(
    { chain, receiver, txHash, status, transfer, pendingSinceMs }: DuePayment,
    read: TransferRead,
    nowMs: number,
  ): Promise<ChainObservation> {
    const isUnseen = status === 'pending' && transfer === null && read.kind === 'unmined';
    if (!isUnseen || nowMs - pendingSinceMs > elsewhereWithinMs) return read;
    return (await this.others.find({ chain, receiver, txHash })) ?? read;
  }

  private async follow(payment: Payment, observation: ChainObservation): Promise<void> {
    try {
      await this.settlement.follow(payment, observation, callContext({ principal: 'watcher' }));
    } catch (err) {
      // A payment that always fails must not delay the others.
      this.logger.error({ paymentId: payment.id, err }, 'PayLink payment settlement failed, retrying');
      const scheduled = this.payments.scheduleCheck([payment.id], this.clock.now() + afterFailureMs);
      // If this fails too, the payment is due again when its lease ends.
      await scheduled.catch(() => undefined);
    }
  }
}

const wantedBy = ({ txHash, token, receiver, block }: DuePayment): WantedTransfers => ({
  txHash,
  token,
  receiver,
  seenIn: block,
});
