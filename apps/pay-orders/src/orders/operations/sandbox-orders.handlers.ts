import { Controller, Inject } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { sandboxOrdersApi, type ExpireOrderReply, type ExpireOrderRequest } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { DomainError, Handles, type CallContext } from '@tollbridge/rpc';
import type { PayOrdersConfig } from '../../config';
import { OrdersRepository } from '../storage/orders.repository';
import { OrderExpiry } from '../orders.worker';

/** Expires orders immediately for the sandbox panel of the checkout. Exists in the sandbox only. */
@Controller()
@Handles(sandboxOrdersApi)
export class SandboxOrdersHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly expiry: OrderExpiry,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<PayOrdersConfig, 'environment'>,
  ) {}

  async expireOrder({ id }: ExpireOrderRequest, _context: CallContext): Promise<ExpireOrderReply> {
    if (this.config.environment !== 'sandbox') throw new DomainError('NOT_FOUND');
    if (!(await this.orders.endLifetime(id, this.clock.now())))
      throw new DomainError('CONFLICT', 'The order does not wait for a payment any more.');
    this.expiry.wake();
    return {};
  }
}
