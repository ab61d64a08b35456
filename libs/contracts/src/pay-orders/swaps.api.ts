import { feature, operation } from '@tollbridge/rpc';
import { Amount, OneOf, Text } from '../decorators';
import { Id } from '../shared-fields';
import { TxHash } from './fields';

/** `completed` is the status of the specification. The other values are statuses of the deposit. */
export const swapStatuses = [
  'pending_deposit',
  'known_deposit_tx',
  'incomplete_deposit',
  'processing',
  'completed',
  'refunded',
  'failed',
] as const;
export type SwapStatusName = (typeof swapStatuses)[number];

export class SwapQuery {
  @Text('Deposit address, from the create-order reply', {
    maxLength: 256,
    example: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  })
  deposit_address: string;
  @Text('Memo, on chains that use one', { optional: true, maxLength: 128, example: '102938' })
  deposit_memo?: string;
}

export class SwapReply {
  @OneOf(swapStatuses, 'Status', { example: 'completed' }) status: SwapStatusName;
  @TxHash('Deposit transaction', { nullable: true }) from_tx: string | null;
  @Text('Delivery transaction', {
    nullable: true,
    example: '0x1bca3ee38e46b874f4b2cf0bd09dd33725dc9e7f27bae65b50edcd6e82997e58',
  })
  to_tx: string | null;
  @Amount('Amount that was swapped, smallest unit; before the swap, what was deposited', {
    nullable: true,
    allowZero: true,
    example: '1003000',
  })
  from_amount: string | null;
  @Amount('Everything that arrived at the deposit address, also after the swap, smallest unit', {
    nullable: true,
    allowZero: true,
    example: '1003000',
  })
  deposited_amount: string | null;
  @Amount('Delivered amount, smallest unit', { nullable: true, allowZero: true, example: '1000000' })
  to_amount: string | null;
  @Amount('Refunded amount, also of what arrived after the swap, smallest unit', {
    nullable: true,
    allowZero: true,
  })
  refunded_amount: string | null;
  @Text('Human-readable refund reason', { nullable: true }) refund_reason: string | null;
  @Id('Id of the order') order_id: string;
}

export const swapsApi = feature('pay-orders', 'swaps', 'Swaps', {
  getStatus: operation('GET /api/v1/swap/status', {
    operationId: 'getDepositStatus',
    summary: 'Read the status of a deposit',
    input: SwapQuery,
    output: SwapReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
});
