import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { coinBalance, RpcError, tokenBalance } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { RefundForwarding } from './evm/refund-forwarding';
import { nextAddressCheck } from './refund';
import { RefundAccounts } from './evm/refund-accounts';
import { RefundAddressesRepository, type DueAddress } from './refund-addresses.repository';
import { RefundPlaces } from './evm/refund-places';
import { RefundsRepository, type DueRefund } from './refunds.repository';

// The block time of the fastest chains.
const pollEveryMs = 250;
// Longer than one step takes unless a node is down. Two replicas at once do no harm.
const leaseMs = 30_000;
const againAfterFailureMs = 5_000;
const maxAtOnce = 16;
const alarmEveryMs = 60_000;

/** Reads the addresses of the refund account and forwards refunds. Any number of replicas may run it. */
@Injectable()
export class RefundsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly attempt: PollingLoop;
  private readonly alarm: PollingLoop;
  private readonly gasGauge;

  constructor(
    private readonly addresses: RefundAddressesRepository,
    private readonly refunds: RefundsRepository,
    private readonly forward: RefundForwarding,
    private readonly accounts: RefundAccounts,
    private readonly places: RefundPlaces,
    private readonly hints: WorkHints,
    metrics: Metrics,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const help = 'Coins of the wallet that pays for the gas of refunds, in whole coins';
    this.gasGauge = metrics.gauge('tollbridge_refund_gas_coins', help, ['chain']);
    const onError = (err: unknown) => logger.warn({ err }, 'refunds could not be read, retrying');
    this.attempt = new PollingLoop(() => this.step(), pollEveryMs, onError);
    this.alarm = new PollingLoop(() => this.checkGas(), alarmEveryMs, onError);
    hints.wakes(this.attempt);
  }

  onApplicationBootstrap(): void {
    if (!this.accounts.isActive) return;
    this.attempt.start();
    this.alarm.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.accounts.isActive) await Promise.all([this.attempt.stop(), this.alarm.stop()]);
  }

  async step(): Promise<PollResult> {
    const addresses = await this.addresses.takeDue(this.clock.now(), leaseMs, maxAtOnce);
    await Promise.all(addresses.map((due) => this.read(due)));
    const refunds = await this.refunds.takeDue(leaseMs, maxAtOnce);
    await Promise.all(refunds.map((due) => this.follow(due)));
    const most = Math.max(addresses.length, refunds.length);
    if (most === 0) return this.hints.idleUntil(await this.nextDueMs());
    return most === maxAtOnce ? 'more' : 'done';
  }

  private async nextDueMs(): Promise<number | null> {
    const times = await Promise.all([this.addresses.nextCheckMs(), this.refunds.nextDueMs()]);
    const due = times.filter((time) => time !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  private async read(due: DueAddress): Promise<void> {
    const nowMs = this.clock.now();
    try {
      const { chain, rpc, token } = this.places.find(due.chain, due.token);
      const { height } = await rpc.head();
      const final = Math.max(0, height - chain.confirmations + 1);
      if (final < due.settledHeight) return await this.addresses.postpone(due, nowMs + chain.pollIntervalMs);
      const held = await tokenBalance(rpc, due.address, token.address, final);
      if (held > (token.address === null ? due.leftoverAtomic : 0n))
        await this.addresses.arrived(due.orderId, held, nowMs);
      else await this.addresses.postpone(due, nextAddressCheck(due.sinceMs, nowMs, chain.pollIntervalMs));
    } catch (err) {
      this.logger.warn({ orderId: due.orderId, err }, 'refund address could not be read, retrying');
      await this.addresses.postpone(due, nowMs + againAfterFailureMs);
    }
  }

  private async follow(due: DueRefund): Promise<void> {
    try {
      await this.forward.follow(due);
    } catch (err) {
      const about = { refundId: due.id, orderId: due.orderId, err };
      const isOutside = err instanceof RpcError || err instanceof ProviderError;
      if (isOutside) this.logger.warn(about, 'refund could not be followed, retrying');
      else this.logger.error(about, 'refund could not be followed, retrying');
      await this.refunds.postpone(
        due.id,
        againAfterFailureMs,
        'the chain or the route provider does not answer',
      );
    }
  }

  private async checkGas(): Promise<PollResult> {
    const { address } = this.accounts.gasWallet;
    for (const { id } of this.places.chains) {
      const wei = await coinBalance(this.places.rpcOf(id), address, 'latest').catch(() => undefined);
      if (wei === undefined) continue;
      this.gasGauge.set({ chain: id }, Number(wei) / 1e18);
      if (wei < this.accounts.options.gasAlarmWei)
        this.logger.warn({ chain: id, wallet: address, wei: String(wei) }, 'refund gas wallet is low');
    }
    return 'done';
  }
}
