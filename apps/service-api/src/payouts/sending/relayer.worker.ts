import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RpcError } from '@tollbridge/evm';
import { permit2Address } from '@tollbridge/onchain';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { PayoutChains } from '../payout-chains';
import { DueBatchesRepository, type DueBatch } from './due-batches.repository';
import { BatchRelay } from './batch-relay';
import { PayoutDecisions } from './payout-decisions';
import { RelayerAccount } from './relayer-account';

// Matches the block time of the fastest chains.
const pollEveryMs = 250;
// Longer than a poll takes. Two concurrent polls are harmless.
const leaseMs = 20_000;
const againAfterFailureMs = 5_000;
const maxAtOnce = 8;

/** Sends approved payouts and polls them until they are final. Safe in any number of replicas. */
@Injectable()
export class RelayerWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly decisions: PayoutDecisions,
    private readonly batches: DueBatchesRepository,
    private readonly batch: BatchRelay,
    private readonly account: RelayerAccount,
    private readonly chains: PayoutChains,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'due payouts not read, retrying');
    this.loop = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.loop);
  }

  onApplicationBootstrap(): void {
    if (!this.account.isActive) return;
    this.loop.start();
    void this.warn();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.account.isActive) await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    const expired = await this.decisions.expire(maxAtOnce);
    const due = await this.batches.takeDue(leaseMs, maxAtOnce);
    if (due.length + expired === 0) return this.hints.idleUntil(await this.batches.nextDueMs());
    await Promise.all(due.map((one) => this.follow(one)));
    return { kind: due.length + expired >= maxAtOnce ? 'more' : 'done' };
  }

  private async follow(due: DueBatch): Promise<void> {
    try {
      await this.batch.follow(due);
    } catch (err) {
      const about = { payoutId: due.payoutId, batch: due.index, err };
      if (err instanceof RpcError) this.logger.warn(about, 'payout chain unavailable');
      else this.logger.error(about, 'payout batch poll failed, retrying');
      await this.batches.postpone(due, againAfterFailureMs, 'the chain does not answer at present');
    }
  }

  /** Warns at the start about chains without the contracts, where payouts would fail only at their approval. */
  private async warn(): Promise<void> {
    for (const { chain, rpc } of this.chains.all) {
      const contracts = chain.payoutContract === null ? [] : [chain.payoutContract, permit2Address];
      for (const contract of contracts) {
        const code = await rpc.call('eth_getCode', [contract, 'latest']).catch(() => undefined);
        if (code === '0x')
          this.logger.warn({ chain: chain.id, contract }, 'payout contract missing on chain');
      }
    }
  }
}
