import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { coinBalance } from '@tollbridge/evm';
import { Metrics, type Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { RefundAccounts } from './refund-accounts';
import { RefundPlaces } from './refund-places';

const everyMs = 60_000;

/** Measures the coins of the wallet that pays the gas of refunds, and warns when they are low. */
@Injectable()
export class RefundGasAlarm implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly alarm: PollingLoop;
  private readonly gauge;

  constructor(
    private readonly accounts: RefundAccounts,
    private readonly places: RefundPlaces,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const help = 'Coins of the wallet that pays for the gas of refunds, in whole coins';
    this.gauge = metrics.gauge('tollbridge_refund_gas_coins', help, ['chain']);
    const onError = (err: unknown) => logger.warn({ err }, 'refunds could not be read, retrying');
    this.alarm = new PollingLoop(() => this.checkGas(), everyMs, onError);
  }

  onApplicationBootstrap(): void {
    if (this.accounts.isActive) this.alarm.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.alarm.stop();
  }

  private async checkGas(): Promise<PollResult> {
    const { address } = this.accounts.gasWallet;
    for (const { id } of this.places.chains) {
      const wei = await coinBalance(this.places.rpcOf(id), address, 'latest').catch(() => undefined);
      if (wei === undefined) continue;
      this.gauge.set({ chain: id }, Number(wei) / 1e18);
      if (wei < this.accounts.options.gasAlarmWei)
        this.logger.warn({ chain: id, wallet: address, wei: String(wei) }, 'refund gas wallet is low');
    }
    return { kind: 'done' };
  }
}
