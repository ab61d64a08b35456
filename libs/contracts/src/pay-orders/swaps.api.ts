import { Amount, feature, OneOf, operation, Text } from '@tollbridge/rpc';
import { orderIdExample, txExample } from './fields';

/** `completed` is the specification's word; the others follow the deposit. */
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
  @Text({
    description: 'The address of a create-order reply',
    maxLength: 256,
    example: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  })
  deposit_address: string;
  @Text({
    description: 'The memo, on chains that use one',
    optional: true,
    maxLength: 128,
    example: '102938',
  })
  deposit_memo?: string;
}

export class SwapReply {
  @OneOf(swapStatuses, { description: 'Where it stands', example: 'completed' })
  status: SwapStatusName;
  @Text({
    description: 'The deposit',
    nullable: true,
    example: txExample,
  })
  from_tx: string | null;
  @Text({
    description: 'The delivery',
    nullable: true,
    example: '0x1bca3ee38e46b874f4b2cf0bd09dd33725dc9e7f27bae65b50edcd6e82997e58',
  })
  to_tx: string | null;
  @Amount({
    description: 'What was paid in, smallest unit',
    nullable: true,
    allowZero: true,
    example: '1003000',
  })
  from_amount: string | null;
  @Amount({
    description: 'What was delivered, smallest unit',
    nullable: true,
    allowZero: true,
    example: '1000000',
  })
  to_amount: string | null;
  @Amount({
    description: 'What was sent back, smallest unit',
    nullable: true,
    allowZero: true,
    example: null,
  })
  refunded_amount: string | null;
  @Text({ description: 'Why, for people', nullable: true, example: null })
  refund_reason: string | null;
  @Text({ description: 'The order', format: 'uuid', example: orderIdExample })
  order_id: string;
}

export const swapsApi = feature('pay-orders', 'swaps', 'Swaps', {
  getStatus: operation({
    operationId: 'getDepositStatus',
    method: 'GET',
    path: '/api/v1/swap/status',
    summary: 'Read what became of a deposit',
    input: SwapQuery,
    output: SwapReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
});
