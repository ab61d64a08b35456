import { Flag, internalFeature, internalOperation, Nested, OneOf, Text } from '@tollbridge/rpc';
import { orderIdExample } from './fields';

export class PaymentReviewQuery {
  @Text({ description: 'Id of the order', maxLength: 64, example: orderIdExample })
  id: string;
  @Text({
    description: 'Wallet that would pay; absent while none is connected',
    maxLength: 128,
    optional: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer?: string;
}

/** An amount in whole tokens. */
export class ReviewedAmount {
  @Text({ description: 'Amount', example: '12.5' })
  amount: string;
  @Text({ description: 'Symbol', example: 'USDC' })
  symbol: string;
}

export const shortages = ['token', 'coin'] as const;

export class WalletHolding {
  @Nested(() => ReviewedAmount, { description: 'What the wallet holds of the pay token' })
  held: ReviewedAmount;
  @Flag({ description: 'Whether it covers the amount and the network fee', example: true })
  is_enough: boolean;
  @OneOf(shortages, {
    description:
      'What is short: the pay token, or the coin of the chain for the network fee; null for nothing',
    nullable: true,
    example: null,
  })
  short: (typeof shortages)[number] | null;
}

export class PaymentReviewReply {
  @Nested(() => ReviewedAmount, {
    description: "Typical network fee in the chain's coin; null where it is not known",
    nullable: true,
  })
  fee: ReviewedAmount | null;
  @Nested(() => ReviewedAmount, { description: 'What is to be paid, or is missing of a deposit' })
  needed: ReviewedAmount;
  @Nested(() => WalletHolding, {
    description: 'Holding of `payer`; null without a payer, and while it cannot be read',
    nullable: true,
  })
  wallet: WalletHolding | null;
  @Flag({
    description: 'Whether `fee` or `wallet` could not be read now; a repeated request may have it',
    optional: true,
    example: false,
  })
  is_unread?: boolean;
}

/** What the page shows before a wallet opens. */
export const paymentReviewApi = internalFeature('pay-orders', 'payment-review', {
  reviewPayment: internalOperation({
    summary: 'Read the network fee of a payment, and whether a wallet can make it',
    input: PaymentReviewQuery,
    output: PaymentReviewReply,
    errors: ['NOT_FOUND'],
    isRead: true,
    timeoutMs: 8_000,
  }),
});
