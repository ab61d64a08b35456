import { changed, noAddresses, noAmounts, noObjects, noSeconds } from '../testing/hostile-values';
import { arbDai, arbUsdc, baseDai, baseUsdc } from '../testing/route-tokens';
import { quoteReply } from '../testing/scripted-lifi';
import { callFor, hashOf, recipient, sender, swapContract, wireToken } from '../testing/scripted-swaps';
import { readAnswer, readStatus } from './lifi.wire';

const query = new URLSearchParams({
  fromChain: '8453',
  fromToken: baseDai.address!,
  fromAmount: '100000000000000000000',
  toChain: '42161',
  toToken: arbDai.address!,
  slippage: '0.005',
  fromAddress: sender,
  toAddress: recipient,
});
const reply = quoteReply(query)!;

describe('reply', () => {
  it('parses every field, including hexadecimal amounts', () => {
    expect(readAnswer(reply)).toMatchObject({
      from: baseDai,
      to: arbDai,
      sender,
      recipient,
      amountInAtomic: 100n * 10n ** 18n,
      amountOutAtomic: 99_700_299_900_000_000_000n,
      minAmountOutAtomic: 99_201_798_400_500_000_000n,
      estimatedSeconds: 5,
      expiresAt: null,
      spender: swapContract,
      fees: [{ name: 'LIFI Fixed Fee', token: baseDai, amountAtomic: 25n, isIncluded: true }],
      transaction: {
        chain: 'eip155:8453',
        to: swapContract,
        data: callFor(recipient),
        valueAtomic: 0n,
        gasUnits: 300_000n,
      },
    });
  });

  it('requires no spender for native coins', () => {
    const ofCoin = changed(
      changed(reply, 'action.fromToken.address', `0x${'0'.repeat(40)}`),
      'estimate.approvalAddress',
      '',
    );
    const paid = changed(ofCoin, 'transactionRequest.value', '0x56bc75e2d63100000');
    expect(readAnswer(paid)).toMatchObject({
      from: { address: null },
      transaction: { valueAtomic: 100n * 10n ** 18n },
    });
  });

  it.each(noObjects)('rejects %p, which is not an object', (value) =>
    expect(() => readAnswer(value)).toThrow('not an object'),
  );

  it.each(['action', 'estimate', 'transactionRequest', 'action.fromToken', 'action.toToken'])(
    'requires %s',
    (path) => {
      for (const value of noObjects)
        expect(() => readAnswer(changed(reply, path, value))).toThrow('not an object');
    },
  );

  it.each(['estimate.fromAmount', 'estimate.toAmount', 'estimate.toAmountMin', 'estimate.feeCosts.0.amount'])(
    'requires the amount %s',
    (path) => {
      for (const value of [...noAmounts, null, undefined])
        expect(() => readAnswer(changed(reply, path, value))).toThrow('is not an amount');
    },
  );

  it.each([
    'action.fromAddress',
    'estimate.approvalAddress',
    'transactionRequest.to',
    'action.fromToken.address',
    'action.toToken.address',
    'includedSteps.1.action.toToken.address',
  ])('requires the address %s', (path) => {
    for (const value of noAddresses)
      expect(() => readAnswer(changed(reply, path, value))).toThrow('is not an address');
  });

  it('defaults the recipient to the sender', () => {
    expect(readAnswer(changed(reply, 'action.toAddress', undefined)).recipient).toBe(sender);
    for (const value of ['', 5, 'text', {}])
      expect(() => readAnswer(changed(reply, 'action.toAddress', value))).toThrow('toAddress');
  });

  it.each(['value', 'gasLimit'])('rejects a non-hex %s and accepts a missing one', (name) => {
    for (const value of ['', '10', '0x', '-0x1', 10, {}, `0x${'f'.repeat(65)}`])
      expect(() => readAnswer(changed(reply, `transactionRequest.${name}`, value))).toThrow(
        'is not a quantity',
      );
    const without = readAnswer(changed(reply, `transactionRequest.${name}`, undefined)).transaction;
    expect(name === 'value' ? without.valueAtomic : without.gasUnits).toBe(name === 'value' ? 0n : null);
    expect(readAnswer(changed(reply, 'transactionRequest.gasLimit', '0x0')).transaction.gasUnits).toBeNull();
  });

  it('requires call data and a registry chain', () => {
    for (const value of ['', '0x', 'text', 5, null, undefined])
      expect(() => readAnswer(changed(reply, 'transactionRequest.data', value))).toThrow(
        'data is not call data',
      );
    for (const value of ['8453', null, undefined, -1, 1e9])
      expect(() => readAnswer(changed(reply, 'transactionRequest.chainId', value))).toThrow('chainId');
  });

  it('requires a delivery time', () => {
    for (const value of noSeconds)
      expect(() => readAnswer(changed(reply, 'estimate.executionDuration', value))).toThrow(
        'is not a duration',
      );
  });

  it('accepts missing fees and rejects invalid ones', () => {
    for (const value of [undefined, null, []])
      expect(readAnswer(changed(reply, 'estimate.feeCosts', value)).fees).toEqual([]);
    expect(readAnswer(changed(reply, 'estimate.feeCosts.0.amount', '0')).fees).toEqual([]);
    const many = Array.from({ length: 21 }, () => ({}));
    for (const value of ['text', {}, 5, [null], ['fee'], many])
      expect(() => readAnswer(changed(reply, 'estimate.feeCosts', value))).toThrow();
    for (const value of [undefined, null, 'true', 1])
      expect(() => readAnswer(changed(reply, 'estimate.feeCosts.0.included', value))).toThrow('included');
  });
});

describe('steps', () => {
  type Ends = [type: string, from: typeof baseDai, to: typeof baseDai, tool?: string];
  const stepsOf = (parts: Ends[]) => {
    const includedSteps = parts.map(([type, from, to, tool = 'tool'], at) => ({
      type,
      tool,
      action: { fromToken: wireToken(from), toToken: wireToken(to) },
      estimate: { fromAmount: String(100 - at), toAmount: String(99 - at) },
    }));
    const { steps } = readAnswer({ ...reply, includedSteps });
    return steps.map(({ type, venue, amountInAtomic, amountOutAtomic }) =>
      [type, venue, amountInAtomic, amountOutAtomic].join(' '),
    );
  };

  it('splits the steps at the bridge', () => {
    const ways: Ends[] = [
      ['swap', baseDai, baseUsdc, 'sushi'],
      ['cross', baseUsdc, arbUsdc, 'across'],
      ['swap', arbUsdc, arbDai, 'uniswap'],
    ];
    expect(stepsOf(ways)).toEqual([
      'originSwap sushi 100 99',
      'bridge across 99 98',
      'destinationSwap uniswap 98 97',
    ]);
    expect(stepsOf(ways.slice(1))).toEqual(['bridge across 100 99', 'destinationSwap uniswap 99 98']);
    expect(stepsOf(ways.slice(1, 2))).toEqual(['bridge across 100 99']);
    expect(stepsOf(ways.slice(0, 1))).toEqual(['originSwap sushi 100 99']);
    expect(stepsOf([])).toEqual([]);
  });

  it('merges steps by kind, without fee steps', () => {
    expect(
      stepsOf([
        ['protocol', baseDai, baseDai, 'feeCollection'],
        ['swap', baseDai, baseUsdc, 'sushi'],
        ['swap', baseUsdc, baseDai, 'uniswap'],
        ['swap', baseDai, baseUsdc, 'sushi'],
        ['cross', baseUsdc, arbUsdc, 'hop'],
        ['cross', arbUsdc, arbDai, 'across'],
      ]),
    ).toEqual(['originSwap sushi + uniswap 99 96', 'bridge hop + across 96 94']);
  });

  it('requires a list of bounded length', () => {
    const many = Array.from({ length: 21 }, () => reply['includedSteps'][1] as unknown);
    for (const includedSteps of [undefined, null, 'text', {}, { length: 1 }, many])
      expect(() => readAnswer({ ...reply, includedSteps })).toThrow('includedSteps');
    for (const part of [null, 'text', {}, { ...reply['includedSteps'][1], type: 5 }])
      expect(() => readAnswer({ ...reply, includedSteps: [part] })).toThrow();
  });
});

describe('status', () => {
  const txHash = hashOf(1);
  const asked = { from: baseUsdc, to: arbUsdc, recipient, txHash };
  const sending = { txHash, chainId: 8453, amount: '100' };
  const receiving = { chainId: 42161, txHash: hashOf(2), amount: '99', token: wireToken(arbUsdc) };
  const done = { status: 'DONE', substatus: 'COMPLETED', sending, receiving };
  const nothing = { deliveryTxHash: null, refundTxHash: null, reason: null };
  const delivered = { ...nothing, state: 'delivered', deliveryTxHash: hashOf(2) };
  const pending = { ...nothing, state: 'pending' };
  const read = (fields: unknown) => readStatus(fields, asked);

  it('describes a delivery', () => {
    expect(read(done)).toEqual(delivered);
    expect(read({ ...done, sending: undefined })).toEqual(delivered);
    expect(read(changed(done, 'receiving.token', undefined))).toEqual(delivered);
  });

  it('returns deliveredOther for the delivery of another token', () => {
    const other = { ...delivered, state: 'deliveredOther', reason: expect.stringContaining('another token') };
    expect(read({ ...done, substatus: 'PARTIAL' })).toEqual(other);
    // The token differs, whatever its name is.
    expect(read(changed(done, 'receiving.token', wireToken(arbDai)))).toEqual(other);
  });

  it('does not report a refund as a delivery', () => {
    const back = { ...done, substatus: 'REFUNDED', receiving: { chainId: 8453, txHash: hashOf(3) } };
    const refunded = { ...nothing, state: 'refunded', refundTxHash: hashOf(3), reason: expect.any(String) };
    expect(read(back)).toEqual(refunded);
    for (const receiving of [undefined, {}, { chainId: 8453 }, { chainId: 42161, txHash: hashOf(3) }])
      expect(read({ ...back, receiving })).toEqual({ ...refunded, refundTxHash: null });
    expect(read({ status: 'PENDING', substatus: 'REFUND_IN_PROGRESS' })).toMatchObject({
      state: 'refunding',
    });
  });

  it.each([
    ['NOT_FOUND', undefined],
    ['PENDING', 'WAIT_DESTINATION_TRANSACTION'],
    ['PENDING', undefined],
    ['DONE', undefined],
    ['DONE', 'SOMETHING_NEW'],
    ['DONE', 'constructor'],
    ['done', 'COMPLETED'],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('treats %s %s as pending', (status, substatus) => {
    expect(read({ status, substatus, sending })).toEqual(pending);
  });

  it.each([
    ['FAILED', 'OUT_OF_GAS', 'the gas limit was too low'],
    ['FAILED', 'SOMETHING_NEW', 'the route could not be completed'],
    ['FAILED', 'constructor', 'the route could not be completed'],
    ['FAILED', undefined, 'the route could not be completed'],
    ['INVALID', undefined, 'the transaction does not carry out this swap'],
  ])('treats %s %s as final with our own reason', (status, substatus, reason) => {
    expect(read({ status, substatus })).toEqual({ ...nothing, state: 'failed', reason });
  });

  it.each(noObjects)('rejects %p, which is not an object', (value) =>
    expect(() => read(value)).toThrow('not an object'),
  );

  it.each<[string, unknown[]]>([
    ['status', [undefined, null, '', 5, {}]],
    ['substatus', [5, {}, ['COMPLETED']]],
    ['sending', ['text', 5, []]],
    ['sending.txHash', [hashOf(9), 'text', 5]],
    ['sending.chainId', [42161, '8453', -1]],
    ['receiving', [undefined, null, 'text', 5, []]],
    ['receiving.chainId', [undefined, 8453, '42161', -1]],
    ['receiving.txHash', [undefined, null, '', 'text', 5]],
    ['receiving.token', ['text', 5, []]],
  ])('rejects another %s', (path, values) => {
    for (const value of values) expect(() => read(changed(done, path, value))).toThrow();
  });
});
