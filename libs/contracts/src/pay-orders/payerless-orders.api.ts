import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { ListOf, Text } from '../decorators';
import { CreateOrderReply, OrderTermsRequest } from './orders.api';

export class RefundChainsRequest {}

/** A chain where the operator's refund account replaces the payer. */
export class RefundChain {
  @Text('Registry id of the chain', { example: 'eip155:8453' }) chain: string;
}

export class RefundChainsReply {
  @ListOf(() => RefundChain, 'Pay chains that allow orders without a payer', { maxItems: 100 })
  chains: RefundChain[];
}

/**
 * Cross-chain orders without a known payer. The operator's refund account receives refunds of the route provider, and
 * pay-orders forwards them to the sender of the deposit (decision 40).
 */
export const payerlessOrdersApi = internalFeature('pay-orders', 'payerless-orders', {
  createPayerlessOrder: internalOperation({
    summary: 'Create a cross-chain order without a payer',
    input: OrderTermsRequest,
    output: CreateOrderReply,
    errors: ['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    // Same as for orders with a payer.
    timeoutMs: 20_000,
  }),
  refundChains: internalOperation({
    summary: 'List the chains where the refund account replaces the payer',
    input: RefundChainsRequest,
    output: RefundChainsReply,
    // The checkout page waits for this reply.
    timeoutMs: 2_000,
  }),
});
