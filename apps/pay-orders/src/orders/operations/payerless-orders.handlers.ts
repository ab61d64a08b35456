import { Controller } from '@nestjs/common';
import {
  payerlessOrdersApi,
  type CreateOrderReply,
  type OrderTermsRequest,
  type RefundChainsReply,
} from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { Deployments } from '../../chains/deployments';
import { RefundAccounts } from '../../refunds/evm/refund-accounts';
import { fieldErrorsOfOrder } from '../create-order';
import { OrderPlacement } from '../order-placement';

@Controller()
@Handles(payerlessOrdersApi)
export class PayerlessOrdersHandlers {
  constructor(
    private readonly placing: OrderPlacement,
    private readonly accounts: RefundAccounts,
    private readonly deployments: Deployments,
  ) {}

  createPayerlessOrder(request: OrderTermsRequest, context: CallContext): Promise<CreateOrderReply> {
    return this.placing.placeWithoutPayer(request, context);
  }

  @Validates(payerlessOrdersApi.operations.createPayerlessOrder)
  validateCreatePayerlessOrder(given: Partial<OrderTermsRequest>): FieldError[] {
    return fieldErrorsOfOrder(given, this.deployments);
  }

  refundChains(): RefundChainsReply {
    return { chains: this.accounts.chains.map((chain) => ({ chain })) };
  }
}
