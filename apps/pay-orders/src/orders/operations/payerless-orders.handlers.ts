import { Controller } from '@nestjs/common';
import {
  payerlessOrdersApi,
  type CreateOrderReply,
  type OrderTermsRequest,
  type RefundChainsReply,
} from '@tollbridge/contracts';
import { type CallContext, DomainError, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { Deployments } from '../../chains/deployments';
import { RefundAccounts } from '../../refunds/evm/refund-accounts';
import { RefundAddressesRepository, type RefundAddress } from '../../refunds/refund-addresses.repository';
import { fieldErrorsOfOrder } from '../create-order';
import { OrderPlacement } from '../order-placement';

@Controller()
@Handles(payerlessOrdersApi)
export class PayerlessOrdersHandlers {
  constructor(
    private readonly placing: OrderPlacement,
    private readonly accounts: RefundAccounts,
    private readonly addresses: RefundAddressesRepository,
    private readonly deployments: Deployments,
  ) {}

  /** The route provider refunds to an address of the refund account that no other order uses. */
  async createPayerlessOrder(request: OrderTermsRequest, context: CallContext): Promise<CreateOrderReply> {
    const route = this.deployments.requireRoute(request);
    if (route.method === 'Direct')
      throw new DomainError('ROUTE_UNAVAILABLE', 'A direct order needs the address of its payer.');
    const refundAddress = await this.refundAddressOn(route.payChain.id);
    const { address: payer_address } = refundAddress;
    return this.placing.place({ ...request, payer_address }, route, context, { refundAddress });
  }

  @Validates(payerlessOrdersApi.operations.createPayerlessOrder)
  validateCreatePayerlessOrder(given: Partial<OrderTermsRequest>): FieldError[] {
    return fieldErrorsOfOrder(given, this.deployments);
  }

  refundChains(): RefundChainsReply {
    return { chains: this.accounts.chains.map((chain) => ({ chain })) };
  }

  private async refundAddressOn(chain: string): Promise<RefundAddress> {
    const kind = this.accounts.kindOf({ id: chain });
    if (kind === null)
      throw new DomainError('ROUTE_UNAVAILABLE', `Orders that are paid on ${chain} need a payer_address.`);
    if (kind === 'manual') return { address: this.accounts.options.manualAccounts.get(chain)!, index: null };
    const index = await this.addresses.nextIndex();
    return { address: this.accounts.addressOf(index), index };
  }
}
