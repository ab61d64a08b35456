import { internalFeature, internalOperation, ListOf, Text } from '@tollbridge/rpc';
import { CreateOrderReply, OrderTermsRequest } from './orders.api';

export class RefundChainsRequest {}

/** A chain on which the refund account of the operator stands in for a payer. */
export class RefundChain {
  @Text({ description: 'Its id in the registry', example: 'eip155:8453' })
  chain: string;
}

export class RefundChainsReply {
  @ListOf(() => RefundChain, {
    description: 'Chains to pay on from which orders without a payer can be created',
    maxItems: 100,
  })
  chains: RefundChain[];
}

/**
 * Orders across chains of which the caller knows no payer. What the route provider sends back goes to the refund account
 * of the operator and is forwarded to the sender of the deposit (decision 40).
 */
export const payerlessOrdersApi = internalFeature('pay-orders', 'payerless-orders', {
  createPayerlessOrder: internalOperation({
    summary: 'Create an order across chains without a payer',
    input: OrderTermsRequest,
    output: CreateOrderReply,
    errors: ['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    // As long as the order of a payer may take.
    timeoutMs: 20_000,
  }),
  refundChains: internalOperation({
    summary: 'List the chains on which the refund account stands in for a payer',
    input: RefundChainsRequest,
    output: RefundChainsReply,
    errors: [],
    // A page waits for it.
    timeoutMs: 2_000,
  }),
});
