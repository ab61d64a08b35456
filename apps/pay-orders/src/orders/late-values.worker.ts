import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { latestValueMs } from '@tollbridge/prices';
import { OutboxWorker, PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { Deployments } from '../chains/deployments';
import { TokenPrices } from '../prices/token-prices';
import { OrdersRepository, type Settled } from './storage/orders.repository';

const pollEveryMs = 10_000;
const maxAtOnce = 500;

/** Values orders that were settled while their token had no price. */
@Injectable()
export class LateValues implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job: PollingLoop;

  constructor(
    private readonly orders: OrdersRepository,
    private readonly prices: TokenPrices,
    private readonly deployments: Deployments,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'late valuation of orders failed, retrying');
    this.job = new PollingLoop(() => this.step(), pollEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.job.stop();
  }

  /** Any number of replicas may run it, because each order is checked again under its lock. */
  async step(): Promise<PollResult> {
    const priced = this.priced();
    if (priced.length === 0) return { kind: 'done' };
    const nowMs = this.clock.now();
    const due = await this.orders.unvalued(nowMs - latestValueMs, priced, maxAtOnce);
    const values = due.flatMap((order) => {
      const valueUsd = this.valueOf(order);
      return valueUsd === null ? [] : [{ orderId: order.id, valueUsd }];
    });
    if (values.length === 0) return { kind: 'done' };
    const valued = await this.orders.value(values, nowMs, callContext({ principal: 'prices' }));
    this.logger.info({ valued: valued.length }, 'late orders valued');
    this.outbox.wake();
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  /** The tokens with a recent price, by the names that orders store. */
  private priced(): { chain: string; token: string }[] {
    return this.prices.priced().flatMap(({ chain, address }) => {
      const token = this.deployments.known(chain)?.tokens.find((one) => one.address === address);
      return token ? [{ chain, token: token.symbol }] : [];
    });
  }

  private valueOf({ settleChain, settleToken, merchantAmount }: Settled): string | null {
    const chain = this.deployments.known(settleChain);
    const token = chain?.tokens.find(({ symbol }) => symbol === settleToken);
    return chain && token ? this.prices.value(chain.id, token, merchantAmount) : null;
  }
}
