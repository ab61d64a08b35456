import type { GiftCardOrderRequest, PayBillRequest, TopUpRequest } from '@tollbridge/contracts';

/** An order of one gift card for 25 dollars. */
export const aGiftCard = (changes: Partial<GiftCardOrderRequest> = {}): GiftCardOrderRequest => ({
  productId: 1001,
  countryCode: 'US',
  quantity: 1,
  unitPrice: 25,
  senderName: 'Ada',
  ...changes,
});

/** Airtime of ten dollars for a phone in Nigeria. */
export const aTopUp = (changes: Partial<TopUpRequest> = {}): TopUpRequest => ({
  operatorId: 3001,
  amount: 10,
  recipientPhone: { countryCode: 'NG', number: '08031234567' },
  ...changes,
});

/** A bill of 5,000 in the currency of its country. */
export const aBill = (changes: Partial<PayBillRequest> = {}): PayBillRequest => ({
  subscriberAccountNumber: '04223568280',
  amount: 5000,
  billerId: 5001,
  useLocalAmount: true,
  ...changes,
});
