import { quoteHash as quoteHashOfSdk, verifyQuoteSignature } from '@defuse-protocol/one-click-sdk-typescript';
import { oneClickSettings } from '@tollbridge/routing';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { quoteHash, QuoteSigner } from './quote-signature';
import type { QuoteResponse } from './wire';

const text = fc.string({ minLength: 1, maxLength: 20 });
const response = fc
  .record({
    dry: fc.boolean(),
    referral: fc.option(text, { nil: undefined }),
    quoteWaitingTimeMs: fc.constantFrom(undefined, 0, 3_000),
    amount: text,
    depositMemo: fc.option(text, { nil: undefined }),
    depositAddress: text,
  })
  .map(({ dry, referral, quoteWaitingTimeMs, amount, depositMemo, depositAddress }) => ({
    correlationId: 'id',
    timestamp: '2026-11-20T12:00:00.000Z',
    quoteRequest: {
      dry,
      amount,
      ...(referral !== undefined && { referral }),
      ...(quoteWaitingTimeMs !== undefined && { quoteWaitingTimeMs }),
      depositMode: 'SIMPLE',
      swapType: 'EXACT_OUTPUT',
      slippageTolerance: 0,
      deadline: '2026-11-20T14:00:00Z',
      appFees: [{ recipient: 'a.near', fee: 1 }],
      recipient: 'ä"\\\n',
    },
    quote: {
      amountIn: '12',
      minAmountIn: '11',
      refundFee: '0',
      timeEstimate: 7,
      ...(!dry && { depositAddress, deadline: '2026-11-20T13:00:00Z' }),
      ...(!dry && depositMemo !== undefined && { depositMemo }),
    },
  })) as unknown as fc.Arbitrary<Omit<QuoteResponse, 'signature'>>;

it('hashes every quote as the official SDK does', () => {
  fc.assert(
    fc.property(response, (given) => {
      expect(quoteHash(given as QuoteResponse)).toBe(quoteHashOfSdk(given as never));
    }),
  );
});

it('creates signatures that the official SDK accepts only with this key', () => {
  for (let round = 0; round < 4; round++) {
    const signer = new QuoteSigner(randomBytes(32));
    const [given] = fc.sample(response, 1);
    const signed = signer.sign(given!);
    expect(verifyQuoteSignature(signed as never, signer.publicKey)).toBe(true);
    expect(verifyQuoteSignature(signed as never, new QuoteSigner(randomBytes(32)).publicKey)).toBe(false);
  }
});

it('signs with the key that services trust only in the sandbox', () => {
  const { sandboxDefault, default: elsewhere } = oneClickSettings.ONECLICK_PUBLIC_KEY;

  expect(new QuoteSigner().publicKey).toBe(sandboxDefault);
  expect(elsewhere).not.toBe(sandboxDefault);
});
