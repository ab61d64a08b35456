import { keccak256, solidityPacked } from 'ethers';
import { hashPaymentOrder, orderIdToBytes16, orderIdToUuid, type PaymentOrder } from './payment-order';
import { merchantAddress, orderUuid, aPaymentOrder } from './testing/payment-order.builder';

describe('hashPaymentOrder', () => {
  it('returns the keccak256 of the ABI-encoded struct', () => {
    const word = (value: bigint) => value.toString(16).padStart(64, '0');
    const text = (value: string) =>
      word(BigInt(value.length)) + Buffer.from(value).toString('hex').padEnd(64, '0');
    const order = aPaymentOrder();
    const encoded = [
      word(0x20n),
      orderUuid.replaceAll('-', '').padEnd(64, '0'),
      word(10n * 32n),
      word(12n * 32n),
      word(order.amount_in),
      word(BigInt(order.token_in_address)),
      word(BigInt(order.merchant)),
      word(order.merchant_amount),
      word(BigInt(order.fee_receiver)),
      word(order.fee_amount),
      word(order.deadline),
      text(order.token_in),
      text(order.token_out),
    ];

    expect(hashPaymentOrder(order)).toBe(keccak256(`0x${encoded.join('')}`));
  });

  it.each<Partial<PaymentOrder>>([
    { order_id: `0x${'11'.repeat(16)}` },
    { token_in: 'USDT' },
    { token_out: 'USDT' },
    { amount_in: 1n },
    { token_in_address: merchantAddress },
    { merchant: `0x${'22'.repeat(20)}` },
    { merchant_amount: 1n },
    { fee_receiver: `0x${'33'.repeat(20)}` },
    { fee_amount: 1n },
    { deadline: 1n },
  ])('returns another hash for %p', (change) => {
    expect(hashPaymentOrder(aPaymentOrder(change))).not.toBe(hashPaymentOrder(aPaymentOrder()));
  });
});

describe('orderIdToBytes16 and its inverse', () => {
  it('convert between a UUID and 16 bytes', () => {
    const bytes16 = orderIdToBytes16(orderUuid.toUpperCase());

    expect(bytes16).toBe(solidityPacked(['bytes16'], ['0x018f3b2c7d4e7a119c5500d1e2f30415']));
    expect(orderIdToUuid(bytes16)).toBe(orderUuid);
  });

  it.each(['', 'order-1', `${orderUuid}0`, orderUuid.replaceAll('-', ''), `{${orderUuid}}`])(
    'reject %p as a UUID',
    (text) => {
      expect(() => orderIdToBytes16(text)).toThrow('not a UUID');
    },
  );

  it('reject bytes of another length', () => {
    expect(() => orderIdToUuid('0x0102')).toThrow('16 bytes, not 2');
  });
});
