import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, Nested, OneOf, Text } from '../decorators';
import { orderIdExample, payerExample } from './fields';

export class PaymentReviewQuery {
  @Text('Id of the order', { maxLength: 64, example: orderIdExample }) id: string;
  @Text('Wallet that would pay; absent while none is connected', {
    maxLength: 128,
    optional: true,
    example: payerExample,
  })
  payer?: string;
}

/** An amount in whole tokens. */
export class ReviewedAmount {
  @Text('Amount', { example: '12.5' }) amount: string;
  @Text('Symbol', { example: 'USDC' }) symbol: string;
}

export const shortages = ['token', 'coin'] as const;

export class WalletHolding {
  @Nested(() => ReviewedAmount, 'What the wallet holds of the pay token') held: ReviewedAmount;
  @Flag('Whether it covers the amount and the network fee') is_enough: boolean;
  @OneOf(
    shortages,
    'What is short: the pay token, or the coin of the chain for the network fee; null for nothing',
    { nullable: true },
  )
  short: (typeof shortages)[number] | null;
}

export class PaymentReviewReply {
  @Nested(() => ReviewedAmount, "Typical network fee in the chain's coin; null where it is not known", {
    nullable: true,
  })
  fee: ReviewedAmount | null;
  @Nested(() => ReviewedAmount, 'What is to be paid, or is missing of a deposit') needed: ReviewedAmount;
  @Nested(() => WalletHolding, 'Holding of `payer`; null without a payer, and while it cannot be read', {
    nullable: true,
  })
  wallet: WalletHolding | null;
  @Flag('Whether `fee` or `wallet` could not be read now; a repeated request may have it', {
    optional: true,
    example: false,
  })
  is_unread?: boolean;
}

/** Data for the page that a payer sees before the wallet opens. */
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
