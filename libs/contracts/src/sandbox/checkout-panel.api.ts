import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { ListOf, Text } from '../decorators';
import { WalletCall } from '../merchant/payments.api';
import { Id } from '../shared-fields';
import { TxHash } from '../pay-orders/fields';

export class DemoCallsRequest {
  @Text('Local chain, by its registry id', { example: 'eip155:8453' }) chain: string;
  @ListOf(() => WalletCall, 'Transactions to send, in their order', { maxItems: 2 }) calls: WalletCall[];
}

export class DemoCallsReply {
  @TxHash('Hash of the last transaction') tx_hash: string;
}

export class ExpireOrderRequest {
  @Id('Id of the order') id: string;
}

export class ExpireOrderReply {}

/** The demo payer, for the checkout panel in the sandbox. */
export const demoPayerApi = internalFeature('sandbox', 'demo-payer', {
  sendCalls: internalOperation({
    summary: 'Send transactions of the demo payer, each after the one before is in a block',
    input: DemoCallsRequest,
    output: DemoCallsReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
});

/** Order operations that exist only in the sandbox. In other environments pay-orders returns NOT_FOUND. */
export const sandboxOrdersApi = internalFeature('pay-orders', 'demo-orders', {
  expireOrder: internalOperation({
    summary: 'Move the expiry of an order that waits for its payment to now',
    input: ExpireOrderRequest,
    output: ExpireOrderReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
});
