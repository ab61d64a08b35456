import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RpcError } from '@tollbridge/evm';
import { PERMIT2_ADDRESS } from '@tollbridge/onchain';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { PayoutChains } from '../payout-chains';
import { RelayBatch } from './relay-batch';
import { RelayerAccount } from './relayer-account';
import { RelaysRepository, type DueBatch } from './relays.repository';

// As often as the fastest chains have blocks.
const lookEveryMs = 250;
// Above what one look at a chain takes, unless its nodes are away: two who look at once do no harm, they only ask twice.
const leaseMs = 20_000;
const againAfterFailureMs = 5_000;
const maxAtOnce = 8;

/** Sends what was approved, and follows it until it is final. Any number of replicas may run it. */
@Injectable()
export class RelayerWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly look: PollingLoop;

  constructor(
    private readonly relays: RelaysRepository,
    private readonly batch: RelayBatch,
    private readonly account: RelayerAccount,
    private readonly chains: PayoutChains,
    private readonly outbox: OutboxWorker,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'payouts could not be looked at; trying again');
    this.look = new PollingLoop(() => this.step(), lookEveryMs, onError);
    hints.wakes(this.look);
  }

  onApplicationBootstrap(): void {
    if (!this.account.isActive) return;
    this.look.start();
    void this.warn();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.account.isActive) await this.look.stop();
  }

  async step(): Promise<PollResult> {
    const late = await this.relays.unapproved(maxAtOnce);
    for (const payoutId of late) await this.relays.end(payoutId, 'expired');
    const due = await this.relays.takeDue(leaseMs, maxAtOnce);
    if (due.length + late.length === 0) return this.hints.idleUntil(await this.relays.nextDueMs());
    await Promise.all(due.map((one) => this.follow(one)));
    if (late.length > 0) this.outbox.wake();
    return due.length + late.length >= maxAtOnce ? 'more' : 'done';
  }

  private async follow(due: DueBatch): Promise<void> {
    try {
      await this.batch.follow(due);
    } catch (err) {
      const about = { payoutId: due.payoutId, batch: due.index, err };
      if (err instanceof RpcError) this.logger.warn(about, 'the chain of a payout does not answer');
      else this.logger.error(about, 'a batch of a payout could not be looked at; trying again');
      await this.relays.postpone(due, againAfterFailureMs, 'the chain does not answer at present');
    }
  }

  /** Payouts of a chain without the contracts would only fail when they are approved. */
  private async warn(): Promise<void> {
    for (const { chain, rpc } of this.chains.all) {
      const contracts = chain.payoutContract === null ? [] : [chain.payoutContract, PERMIT2_ADDRESS];
      for (const contract of contracts) {
        const code = await rpc.call('eth_getCode', [contract, 'latest']).catch(() => undefined);
        if (code === '0x') this.logger.warn({ chain: chain.id, contract }, 'payouts need a contract here');
      }
    }
  }
}
