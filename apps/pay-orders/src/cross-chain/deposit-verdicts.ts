import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { RouteStatus } from '@tollbridge/routing';
import { Deployments } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { TokenPrices } from '../prices/token-prices';
import { Deliveries } from './deliveries';
import type { Delivery, DepositVerdict } from './deposit';
import { nextCheckAt } from './deposit-schedule';
import { DepositsRepository, type DueDeposit } from './deposits.repository';

/** Applies the state of deposits to their orders. */
@Injectable()
export class DepositVerdicts {
  constructor(
    private readonly deposits: DepositsRepository,
    private readonly deliveries: Deliveries,
    private readonly prices: TokenPrices,
    private readonly deployments: Deployments,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
  ) {}

  /** Reads the delivery on the settle chain if the provider reports one. @returns the stored verdict */
  async apply(due: DueDeposit, status: RouteStatus): Promise<DepositVerdict> {
    const delivery: Delivery =
      status.state === 'delivered'
        ? await this.deliveries.read(due, status.deliveryTxs)
        : { kind: 'pending' };
    const nowMs = this.clock.now();
    const nextCheckAtMs = nextCheckAt(due, status.state, nowMs, this.config.PAY_ORDERS_DEPOSIT_POLL_MS);
    const context = callContext({ principal: 'deposits' });
    const valueOf = this.prices.valuesOf(this.deployments.known(due.settleChain)!);
    return this.deposits.apply(due, { status, delivery, valueOf, nowMs, nextCheckAtMs }, context);
  }
}
