import type { MinAmount } from './min-amount';
import { fromSharedText, minAmountsReply, sharedText } from './min-amounts-view';

const measuredAtMs = Date.parse('2026-11-20T12:00:00.000Z');
const bitcoin: MinAmount = {
  payChain: 'btc',
  payToken: 'BTC',
  settleChain: 'eip155:8453',
  settleToken: 'USDC',
  settleAtomic: 3_500_000n,
  usd: 3.5,
  measuredAtMs,
};

describe('minAmountsReply', () => {
  it('returns each minimum and the time of the newest', () => {
    const older = { ...bitcoin, payChain: 'ltc', payToken: 'LTC', measuredAtMs: measuredAtMs - 1_000 };
    const reply = minAmountsReply([bitcoin, older]);
    expect(reply).toMatchObject({ count: 2, updated_at: '2026-11-20T12:00:00.000Z' });
    expect(reply.min_amounts[0]).toEqual({
      blockchain: 'btc',
      token: 'BTC',
      min_settle_amount: '3500000',
      min_usd: 3.5,
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
      updated_at: '2026-11-20T12:00:00.000Z',
    });
  });

  it('returns no time before the first measurement', () => {
    expect(minAmountsReply([])).toEqual({ min_amounts: [], count: 0, updated_at: null });
  });
});

describe('fromSharedText', () => {
  it('parses the output of sharedText', () => {
    expect(fromSharedText(sharedText([bitcoin]))).toEqual([bitcoin]);
  });

  it.each([
    ['text that is not JSON', '[{'],
    ['an entry without a time', sharedText([bitcoin]).replace('updated_at', 'at')],
    ['a negative amount', sharedText([{ ...bitcoin, settleAtomic: -1n }])],
  ])('rejects %s', (_name, text) => {
    expect(fromSharedText(text)).toBeUndefined();
  });
});
