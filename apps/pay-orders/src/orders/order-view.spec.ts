import { decode } from '@tollbridge/rpc';
import { OrderReply } from '@tollbridge/contracts';
import fc from 'fast-check';
import { viewOf } from './order-view';
import { anOrder } from './testing/order.builder';

const largest = 2n ** 256n - 1n;

describe('viewOf', () => {
  it('preserves every unit of any amount', () => {
    const amount = fc.oneof(fc.bigInt(1n, largest), fc.constantFrom(1n, largest, 2n ** 53n + 1n, 10n ** 77n));
    fc.assert(
      fc.property(amount, amount, amount, (merchantAmount, feeAmount, settledAmount) => {
        const view = viewOf(
          { ...anOrder({ merchantAmount, feeAmount, settledAmount }), chainHeight: 1, exceptions: [] },
          3,
        );
        // Converted through JSON, as in the service's reply.
        const read = JSON.parse(JSON.stringify(view)) as OrderReply;
        expect(BigInt(read.merchant_amount)).toBe(merchantAmount);
        expect(BigInt(read.fee_amount)).toBe(feeAmount);
        expect(BigInt(read.settled_amount!)).toBe(settledAmount);
      }),
    );
  });

  it('returns a reply that matches the declaration', () => {
    const view: unknown = JSON.parse(
      JSON.stringify(viewOf({ ...anOrder(), chainHeight: null, exceptions: [] }, 3)),
    );

    expect(decode(OrderReply, view)).toMatchObject({ ok: true });
  });

  it.each([
    ['there is no payment', null, 100, 0],
    ['the chain was never read', 100, null, 0],
    ['the block of the payment is the newest', 100, 100, 1],
    ['one block follows it', 100, 101, 2],
    ['more blocks than required follow it', 100, 5_000, 3],
    ['the chain was read again from below it', 100, 90, 0],
  ])('returns the confirmations when %s', (_name, paidHeight, chainHeight, expected) => {
    const view = viewOf({ ...anOrder({ paidHeight }), chainHeight, exceptions: [] }, 3);

    expect([view.confirmations, view.required_confirmations]).toEqual([expected, 3]);
  });
});
