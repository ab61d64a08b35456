import { decode } from '@tollbridge/bus';
import { OrderReply } from '@tollbridge/api';
import fc from 'fast-check';
import { order } from '../testing/order-terms';
import { cursorOf, orderIdOf, readCursor, viewOf } from './order-view';

const largest = 2n ** 256n - 1n;

describe('viewOf', () => {
  it('never loses a unit of any amount', () => {
    const amount = fc.oneof(fc.bigInt(1n, largest), fc.constantFrom(1n, largest, 2n ** 53n + 1n, 10n ** 77n));
    fc.assert(
      fc.property(amount, amount, amount, (merchantAmount, feeAmount, settledAmount) => {
        const view = viewOf({ ...order({ merchantAmount, feeAmount, settledAmount }), chainHeight: 1 }, 3);
        // Through JSON, as it leaves the service.
        const read = JSON.parse(JSON.stringify(view)) as OrderReply;
        expect(BigInt(read.merchant_amount)).toBe(merchantAmount);
        expect(BigInt(read.fee_amount)).toBe(feeAmount);
        expect(BigInt(read.settled_amount!)).toBe(settledAmount);
      }),
    );
  });

  it('is what the operation declares', () => {
    const view: unknown = JSON.parse(JSON.stringify(viewOf({ ...order(), chainHeight: null }, 3)));

    expect(decode(OrderReply, view)).toMatchObject({ ok: true });
  });

  it.each([
    ['no payment is known', null, 100, 0],
    ['the chain was never read', 100, null, 0],
    ['the block of the payment is the newest', 100, 100, 1],
    ['one block stands on it', 100, 101, 2],
    ['more blocks than required stand on it', 100, 5_000, 3],
    ['the chain was read again from below it', 100, 90, 0],
  ])('when %s, says how deep it is', (_name, paidHeight, chainHeight, expected) => {
    const view = viewOf({ ...order({ paidHeight }), chainHeight }, 3);

    expect([view.confirmations, view.required_confirmations]).toEqual([expected, 3]);
  });
});

describe('orderIdOf', () => {
  const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

  it.each([id, id.toUpperCase(), '0198F3A2-7c5e-7D41-9a55-3f0e2c1b4a6d'])('reads %s', (text) => {
    expect(orderIdOf(text)).toBe(id);
  });

  it.each([
    '',
    'x',
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `{${id}}`,
    id.replaceAll('-', ''),
    "' OR 1=1--",
  ])('refuses %j', (text) => {
    expect(orderIdOf(text)).toBeUndefined();
  });
});

describe('the cursor of a list', () => {
  const position = fc.record({ createdAtMs: fc.nat(999_999_999_999_999), id: fc.uuid() });

  it('comes back as it was, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(position, (given) => {
        const text = cursorOf(given);
        expect(readCursor(text)).toEqual(given);
        expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });

  it('has one spelling: any text that is read is the text that is written for it', () => {
    const edited = fc
      .tuple(position, fc.nat(), fc.string({ minLength: 1, maxLength: 2 }))
      .map(([given, at, insert]) => {
        const text = cursorOf(given);
        const index = at % text.length;
        return text.slice(0, index) + insert + text.slice(index);
      });
    fc.assert(
      fc.property(fc.oneof(edited, fc.string(), fc.base64String()), (text) => {
        const read = readCursor(text);
        expect(read === undefined || cursorOf(read) === text).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
  it.each([
    ['no id', encoded('1795176000000')],
    ['a time that is none', encoded(`-1.${id}`)],
    ['a time with a point', encoded(`1.5.${id}`)],
    ['a time that no date holds', encoded(`9999999999999999.${id}`)],
    ['an id in capitals, which is never written', encoded(`1.${id.toUpperCase()}`)],
    ['something after the id', encoded(`1.${id}.1`)],
    ['padding', `${encoded(`1.${id}`)}=`],
    ['SQL', encoded(`1.' OR true --`)],
  ])('is refused with %s', (_name, text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
