import { formatUnits } from '@tollbridge/money';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import { FacilitatorLimits } from './limits';
import { Rails } from './rails';
import type { SendingWallet } from './settlement-rail';

const everyMs = 60_000;

/** Measures the coins of each wallet that sends settlements. */
@Injectable()
export class FacilitatorGas implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly held;
  private readonly missing;

  constructor(
    private readonly rails: Rails,
    private readonly limits: FacilitatorLimits,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const labels = ['chain'] as const;
    this.held = metrics.gauge(
      'tollbridge_facilitator_gas_coins',
      'Coins of the wallet that sends settlements of the facilitator, in whole coins',
      labels,
    );
    this.missing = metrics.gauge(
      'tollbridge_facilitator_missing_coins',
      'Coins that this wallet lacks to FACILITATOR_GAS_ALARM_MILLICOINS, in whole coins',
      labels,
    );
    this.loop = new PollingLoop(
      () => this.check(),
      everyMs,
      (err) => logger.warn({ err }, 'facilitator gas wallets not read, retrying'),
    );
  }

  onApplicationBootstrap(): void {
    if (this.rails.isActive) this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.rails.isActive) await this.loop.stop();
  }

  async check(): Promise<PollResult> {
    const wallets = this.rails.all.flatMap((rail) => rail.wallets());
    await Promise.all(wallets.map((wallet) => this.checkOne(wallet)));
    return { kind: 'done' };
  }

  private async checkOne({ network, address, decimals, coins }: SendingWallet): Promise<void> {
    const chain = network;
    const atomic = await coins().catch(() => undefined);
    // When a chain does not answer, the gauge is removed, because an old value would hide the outage.
    if (atomic === undefined) return [this.held, this.missing].forEach((gauge) => gauge.remove({ chain }));
    const unit = 10n ** BigInt(decimals);
    const bound = (this.limits.gasAlarmMillicoins * unit) / 1_000n;
    const lacks = atomic < bound ? bound - atomic : 0n;
    this.held.set({ chain }, figureOf(atomic, decimals));
    this.missing.set({ chain }, figureOf(lacks, decimals));
    if (lacks > 0n)
      this.logger.warn({ chain, wallet: address, coins: String(atomic) }, 'facilitator gas wallet is low');
  }
}

/** An amount in whole coins, as a float for a gauge. */
const figureOf = (amountAtomic: bigint, decimals: number): number =>
  Number(formatUnits(amountAtomic, decimals));
