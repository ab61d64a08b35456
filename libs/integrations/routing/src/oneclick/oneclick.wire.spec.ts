import { findChain } from '@tollbridge/chains';
import { quoteReply, wireTokens } from '../testing/scripted-oneclick';
import { chainByBlockchain, readCommitment, readQuote, readStatus, readTokens } from './oneclick.wire';

type Fields = Record<string, unknown>;

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const noAmounts: unknown[] = [
  '',
  '-1',
  '+1',
  '1e18',
  '0x10',
  '1.5',
  '01',
  ' 1',
  '1\n',
  '9'.repeat(79),
  (2n ** 256n).toString(),
  1,
  -1,
  1e400,
  null,
  true,
  ['1'],
  {},
];

describe('token list', () => {
  const usdc: Fields = wireTokens[0]!;
  it('parses decimal prices, and native coins without an address', () => {
    expect(readTokens(wireTokens)).toMatchObject([
      { symbol: 'USDC', priceUsd: '0.9998', contractAddress: usdc['contractAddress'], decimals: 6 },
      { symbol: 'BTC', priceUsd: '96500.25', contractAddress: null },
      { symbol: 'XLM', priceUsd: '0.00000062', contractAddress: null },
    ]);
  });

  const bad: Record<string, unknown[]> = {
    assetId: ['', 5, null, undefined, {}, 'x'.repeat(513), 'a\0b', 'a\ud83d'],
    blockchain: ['', 5, null, undefined, []],
    symbol: ['', 5, null, undefined],
    decimals: [-1, 37, 1.5, '6', null, undefined, Infinity, 1e400],
    price: [-1, '1', null, undefined, Infinity, NaN, 1e40, {}],
    priceUpdatedAt: ['', 'soon', '1', '2026', 5, null, undefined, '2026-13-01T00:00:00Z'],
    contractAddress: [5, {}, ['0x'], 'x'.repeat(513)],
  };
  it.each(Object.keys(bad))('skips a row with an invalid %s and parses the others', (name) => {
    for (const value of bad[name]!)
      expect(readTokens([{ ...usdc, [name]: value }, wireTokens[1]])).toMatchObject([{ symbol: 'BTC' }]);
  });

  it.each([[null], [5], ['row'], [[]], [undefined]])('skips the row %p', (row) => {
    expect(readTokens([row, usdc])).toHaveLength(1);
  });

  it.each([[undefined], [null], ['text'], [{}], [{ length: 1 }], [5]])('rejects %p', (reply) => {
    expect(() => readTokens(reply)).toThrow('not an array');
  });

  it('throws for a list without a valid row, but not for an empty one', () => {
    expect(() => readTokens([{}, null, 5])).toThrow('no valid row');
    expect(readTokens([])).toEqual([]);
  });

  it('parses a million rows in time', () => {
    expect(readTokens(Array.from({ length: 1_000_000 }, (_, at) => (at === 7 ? usdc : 7)))).toHaveLength(1);
  });

  it('lists only registry chains, each once', () => {
    const ids = [...chainByBlockchain.values()];
    expect(ids.filter((id) => findChain(id)?.id !== id)).toEqual([]);
    expect(new Set(ids).size).toBe(28);
    expect(ids.filter((id) => findChain(id)!.isTestnet)).toEqual([]);
  });

  it.each(inherited)('finds no chain named %s', (name) => {
    expect(chainByBlockchain.get(name)).toBeUndefined();
  });
});

describe('quote', () => {
  const { quote } = quoteReply({ dry: true, amount: '1000' });
  it('parses every field', () => {
    expect(readQuote(quote)).toEqual({
      amountInAtomic: 1_000n,
      minAmountInAtomic: 1_000n,
      amountOutAtomic: 1_000n,
      amountInUsd: '6.237600000000',
      amountOutUsd: '6.2',
      estimatedSeconds: 812,
    });
  });

  it.each(['amountIn', 'amountOut'])('requires %s', (name) => {
    for (const value of [...noAmounts, undefined])
      expect(() => readQuote({ ...quote, [name]: value })).toThrow(name);
  });

  it('defaults minAmountIn to amountIn and rejects an invalid one', () => {
    for (const value of [undefined, null])
      expect(readQuote({ ...quote, minAmountIn: value })).toMatchObject({ minAmountInAtomic: 1_000n });
    for (const value of noAmounts.filter((one) => one !== null))
      expect(() => readQuote({ ...quote, minAmountIn: value })).toThrow('minAmountIn');
  });

  it('accepts missing dollar values', () => {
    for (const value of [undefined, null, '', '-1', '1e3', 'x'])
      expect(readQuote({ ...quote, amountInUsd: value })).toMatchObject({ amountInUsd: null });
  });

  it.each([0, 0.2, 812.5, 2_592_000])('rounds %p seconds up', (timeEstimate) => {
    expect(readQuote({ ...quote, timeEstimate }).estimatedSeconds).toBe(Math.ceil(timeEstimate));
  });

  it.each([[-1], [NaN], [Infinity], [1e300], [2_592_001], ['812'], [null], [undefined], [{}]])(
    'rejects %p seconds',
    (timeEstimate) => expect(() => readQuote({ ...quote, timeEstimate })).toThrow('timeEstimate'),
  );
});

describe('commitment', () => {
  const deadline = '2026-11-20T14:00:00.000Z';
  const { quote } = quoteReply({ dry: false, amount: '1000', deadline, depositMode: 'MEMO' });
  it('parses every field', () => {
    expect(readCommitment(quote)).toMatchObject({
      address: 'bc1qdeposit1',
      memo: 'memo1',
      deadline: new Date(deadline),
      inactiveAt: new Date(deadline),
    });
  });

  it.each(['depositAddress', 'deadline'])('requires %s', (name) => {
    for (const value of ['', 5, null, undefined, {}, ['x'], 'x'.repeat(513), 'a\0'])
      expect(() => readCommitment({ ...quote, [name]: value })).toThrow(name);
  });

  it.each(['depositMemo', 'timeWhenInactive'])('accepts a missing %s and rejects an invalid one', (name) => {
    const field = name === 'depositMemo' ? 'memo' : 'inactiveAt';
    for (const value of ['', null, undefined])
      expect(readCommitment({ ...quote, [name]: value })).toMatchObject({ [field]: null });
    for (const value of [5, {}, ['x'], 'x'.repeat(513), 'a\0'])
      expect(() => readCommitment({ ...quote, [name]: value })).toThrow(name);
  });

  it.each(['tomorrow', '1', '2026', '2026-02-31T99:00:00Z'])('rejects the deadline %j', (text) => {
    expect(() => readCommitment({ ...quote, deadline: text })).toThrow('deadline is not a time');
  });
});

describe('status', () => {
  const details = {
    originChainTxHashes: [{ hash: '0xin' }],
    destinationChainTxHashes: [{ hash: '0xout' }],
    depositedAmount: '12',
    amountIn: '11',
    amountOut: '10',
    refundedAmount: '1',
  };
  const reply = { status: 'SUCCESS', updatedAt: '2026-11-20T12:00:00Z', swapDetails: details };

  it('parses every field', () => {
    expect(readStatus(reply)).toEqual({
      state: 'delivered',
      depositTxs: ['0xin'],
      deliveryTxs: ['0xout'],
      refundReason: null,
      depositedAtomic: 12n,
      amountInAtomic: 11n,
      amountOutAtomic: 10n,
      refundedAtomic: 1n,
      updatedAt: new Date('2026-11-20T12:00:00Z'),
    });
  });

  it.each([
    ['PENDING_DEPOSIT', 'waiting'],
    ['KNOWN_DEPOSIT_TX', 'seen'],
    ['INCOMPLETE_DEPOSIT', 'incomplete'],
    ['PROCESSING', 'processing'],
    ['SUCCESS', 'delivered'],
    ['REFUNDED', 'refunded'],
    ['FAILED', 'failed'],
    ['PAUSED_FOR_REVIEW', 'processing'],
    ['success', 'processing'],
    ...inherited.map((name) => [name, 'processing']),
  ])('maps %s to %s', (status, state) => {
    expect(readStatus({ status }).state).toBe(state);
  });

  it.each([[undefined], [null], [''], [5], [['SUCCESS']], ['x'.repeat(513)]])('rejects %p', (status) => {
    expect(() => readStatus({ ...reply, status })).toThrow('status');
  });

  it.each([[undefined], [null], ['SUCCESS'], [[]], [5]])('rejects %p, which is not an object', (whole) => {
    expect(() => readStatus(whole)).toThrow('not an object');
  });

  it('returns only the state without details', () => {
    for (const swapDetails of [undefined, null, {}])
      expect(readStatus({ status: 'PROCESSING', swapDetails })).toEqual({
        state: 'processing',
        depositTxs: [],
        deliveryTxs: [],
        refundReason: null,
        updatedAt: null,
        depositedAtomic: null,
        amountInAtomic: null,
        amountOutAtomic: null,
        refundedAtomic: null,
      });
    for (const swapDetails of ['x', 5, [], true])
      expect(() => readStatus({ status: 'PROCESSING', swapDetails })).toThrow('swapDetails');
  });

  it.each(['depositedAmount', 'amountIn', 'amountOut', 'refundedAmount'])('rejects an invalid %s', (name) => {
    for (const value of noAmounts.filter((one) => one !== null))
      expect(() => readStatus({ ...reply, swapDetails: { ...details, [name]: value } })).toThrow(name);
  });

  it.each(['originChainTxHashes', 'destinationChainTxHashes'])(
    'bounds %s, and rejects an invalid hash',
    (name) => {
      const read = (list: unknown) => readStatus({ ...reply, swapDetails: { ...details, [name]: list } });
      const field = name === 'originChainTxHashes' ? 'depositTxs' : 'deliveryTxs';
      expect(read(Array.from({ length: 1_000_000 }, () => ({ hash: '0x1' })))[field]).toHaveLength(20);
      for (const none of [undefined, null, {}, 'x']) expect(read(none)[field]).toEqual([]);
      for (const bad of [null, '0x1', {}, { hash: '' }, { hash: 5 }]) expect(() => read([bad])).toThrow();
    },
  );

  it.each([
    ['PARTIAL_DEPOSIT', 'less arrived than was needed'],
    ['SOMETHING_NEW', 'the route could not be completed'],
    ...inherited.map((name) => [name, 'the route could not be completed']),
  ])('maps %s to our own text', (refundReason, words) => {
    expect(readStatus({ status: 'REFUNDED', swapDetails: { refundReason } }).refundReason).toBe(words);
  });
});
