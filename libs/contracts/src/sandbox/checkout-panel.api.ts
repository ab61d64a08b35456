import { internalFeature, internalOperation, ListOf, Text } from '@tollbridge/rpc';
import { WalletCall } from '../merchant/payments.api';
import { orderIdExample, txExample } from '../pay-orders/fields';

export class DemoCallsRequest {
  @Text({ description: 'Local chain, by its registry id', example: 'eip155:8453' })
  chain: string;
  @ListOf(() => WalletCall, { description: 'Transactions to send, in their order', maxItems: 2 })
  calls: WalletCall[];
}

export class DemoCallsReply {
  @Text({ description: 'Hash of the last transaction', example: txExample })
  tx_hash: string;
}

export class ExpireOrderRequest {
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  id: string;
}

export class ExpireOrderReply {}

/** The demo payer, for the panel of the checkout in the sandbox. */
export const demoPayerApi = internalFeature('sandbox', 'demo-payer', {
  sendCalls: internalOperation({
    summary: 'Send transactions of the demo payer, each after the one before is in a block',
    input: DemoCallsRequest,
    output: DemoCallsReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
});

/** What only the sandbox may do to orders. Elsewhere pay-orders answers NOT_FOUND. */
export const sandboxOrdersApi = internalFeature('pay-orders', 'demo-orders', {
  expireOrder: internalOperation({
    summary: 'Move the expiry of an order that waits for its payment to now',
    input: ExpireOrderRequest,
    output: ExpireOrderReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
});
