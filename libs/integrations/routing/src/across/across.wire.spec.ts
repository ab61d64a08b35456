import { chains } from '@tollbridge/chains';
import { changed, noAddresses, noAmounts, noObjects, noSeconds } from '../testing/hostile-values';
import { arbDai, arbUsdc, baseDai, baseEther, baseUsdc } from '../testing/route-tokens';
import { approvalReply } from '../testing/scripted-across';
import { callFor, hashOf, recipient, swapContract } from '../testing/scripted-swaps';
import { readAnswer, readStatus } from './across.wire';

const query = new URLSearchParams({
  originChainId: '8453',
  inputToken: baseDai.address!,
  amount: '100000000000000000000',
  destinationChainId: '42161',
  outputToken: arbDai.address!,
  slippage: '0.005',
  recipient,
});
const reply = changed(approvalReply(query)!, 'quoteExpiryTimestamp', 1_795_000_000);

describe('reply', () => {
  it('parses every field', () => {
    expect(readAnswer(reply)).toMatchObject({
      from: baseDai,
      to: arbDai,
      amountInAtomic: 100n * 10n ** 18n,
      amountOutAtomic: 99_700_299_900_000_000_000n,
      minAmountOutAtomic: 99_201_798_400_500_000_000n,
      estimatedSeconds: 2,
      expiresAt: new Date(1_795_000_000_000),
      spender: swapContract,
      steps: [
        { type: 'originSwap', venue: 'uniswap-v3/swap-router-02', tokenIn: baseDai, tokenOut: baseUsdc },
        { type: 'bridge', venue: 'across', amountInAtomic: 99_900_000n, amountOutAtomic: 99_800_100n },
        { type: 'destinationSwap', tokenIn: arbUsdc, tokenOut: arbDai },
      ],
      fees: [{ name: 'Bridge fee', token: baseUsdc, amountAtomic: 99_900n, isIncluded: true }],
      transaction: {
        chain: 'eip155:8453',
        to: swapContract,
        data: callFor(recipient),
        valueAtomic: 0n,
        gasUnits: 94_310n,
      },
    });
  });

  it('returns a value and the wrapped token for native coins', () => {
    const ofCoin = new URLSearchParams([...query]);
    ofCoin.set('inputToken', `0x${'0'.repeat(40)}`);
    expect(readAnswer(approvalReply(ofCoin))).toMatchObject({
      from: { symbol: 'WETH' },
      transaction: { valueAtomic: 100n * 10n ** 18n },
    });
    expect(baseEther.address).toBeNull();
  });

  it.each(noObjects)('rejects %p, which is not an object', (value) =>
    expect(() => readAnswer(value)).toThrow('not an object'),
  );

  it.each(['steps', 'steps.bridge', 'steps.originSwap.swapProvider', 'swapTx', 'checks', 'checks.allowance'])(
    'requires %s',
    (path) => {
      for (const value of noObjects)
        expect(() => readAnswer(changed(reply, path, value))).toThrow('not an object');
    },
  );

  it.each(['inputToken', 'outputToken', 'steps.bridge.tokenIn', 'steps.originSwap.tokenOut'])(
    'requires the token %s',
    (path) => {
      for (const value of noObjects)
        expect(() => readAnswer(changed(reply, path, value))).toThrow('not an object');
      for (const value of noAddresses)
        expect(() => readAnswer(changed(reply, `${path}.address`, value))).toThrow('address');
      expect(() => readAnswer(changed(reply, `${path}.chainId`, 34268394551451))).toThrow('chainId');
    },
  );

  it.each([
    'inputAmount',
    'expectedOutputAmount',
    'minOutputAmount',
    'steps.bridge.inputAmount',
    'steps.originSwap.outputAmount',
    'steps.destinationSwap.inputAmount',
  ])('requires the amount %s', (path) => {
    for (const value of [...noAmounts, null, undefined])
      expect(() => readAnswer(changed(reply, path, value))).toThrow('is not an amount');
  });

  it.each(['swapTx.value', 'swapTx.gas', 'steps.bridge.fees.amount'])('rejects an invalid %s', (path) => {
    for (const value of noAmounts)
      expect(() => readAnswer(changed(reply, path, value))).toThrow('is not an amount');
  });

  it.each(['swapTx.to', 'checks.allowance.spender'])('requires the address %s', (path) => {
    for (const value of noAddresses)
      expect(() => readAnswer(changed(reply, path, value))).toThrow('is not an address');
  });

  it('requires call data', () => {
    for (const value of ['', '0x', '0x12', 'text', 5, null, undefined])
      expect(() => readAnswer(changed(reply, 'swapTx.data', value))).toThrow('data is not call data');
  });

  it('requires an EVM chain', () => {
    for (const value of ['svm', '', null, undefined, 5])
      expect(() => readAnswer(changed(reply, 'swapTx.ecosystem', value))).toThrow('not for an EVM chain');
    for (const value of ['8453', null, -1, 34268394551451])
      expect(() => readAnswer(changed(reply, 'swapTx.chainId', value))).toThrow('chainId');
  });

  it('requires a delivery time', () => {
    for (const value of noSeconds)
      expect(() => readAnswer(changed(reply, 'expectedFillTime', value))).toThrow('expectedFillTime');
  });

  it('accepts a missing expiry and rejects an invalid one', () => {
    for (const value of [0, null, undefined])
      expect(readAnswer(changed(reply, 'quoteExpiryTimestamp', value)).expiresAt).toBeNull();
    for (const value of [-1, 1.5, NaN, 1e300, 1_795_000_000_000, '1795000000', {}])
      expect(() => readAnswer(changed(reply, 'quoteExpiryTimestamp', value))).toThrow('quoteExpiryTimestamp');
  });

  it('returns no gas estimate if the simulation failed', () => {
    for (const value of ['0', null, undefined])
      expect(readAnswer(changed(reply, 'swapTx.gas', value)).transaction.gasUnits).toBeNull();
  });

  it('accepts missing fees, swaps and bridge name', () => {
    for (const value of [null, undefined, {}])
      expect(readAnswer(changed(reply, 'steps.bridge.fees', value)).fees).toEqual([]);
    expect(readAnswer(changed(reply, 'steps.bridge.fees.amount', '0')).fees).toEqual([]);
    expect(readAnswer(changed(reply, 'steps.originSwap', undefined)).steps).toHaveLength(2);
    expect(readAnswer(changed(reply, 'steps.bridge.provider', undefined)).steps[1]!.venue).toBe('across');
    for (const value of ['', 5, {}, 'x'.repeat(65), 'a\0'])
      expect(() => readAnswer(changed(reply, 'steps.bridge.provider', value))).toThrow('provider');
  });
});

it('supports registry chains on its main and test networks', () => {
  const served = chains.filter(({ isServedByAcross }) => isServedByAcross);
  expect(served.map(({ shortName }) => shortName).sort()).toEqual(
    ['arb', 'base', 'base-sepolia', 'bsc', 'eth', 'monad', 'op', 'pol', 'scroll'].sort(),
  );
});

describe('status', () => {
  const txHash = hashOf(1);
  const asked = { from: baseUsdc, to: arbUsdc, recipient, txHash };
  const filled = {
    status: 'filled',
    originChainId: 8453,
    destinationChainId: 42161,
    depositId: '7',
    depositTxnRef: txHash,
    fillTxnRef: hashOf(2),
    actionsSucceeded: true,
  };
  const nothing = { deliveryTxHash: null, refundTxHash: null, reason: null };
  const read = (fields: unknown) => readStatus(fields, asked);

  it('describes a delivery', () => {
    const delivered = { ...nothing, state: 'delivered', deliveryTxHash: hashOf(2) };
    expect(read(filled)).toEqual(delivered);
    expect(read({ ...filled, actionsSucceeded: undefined })).toEqual(delivered);
    expect(read({ ...filled, depositTxnRef: txHash.toUpperCase().replace('X', 'x') })).toEqual(delivered);
    for (const name of ['originChainId', 'destinationChainId', 'depositTxnRef'])
      expect(read({ ...filled, [name]: undefined })).toEqual(delivered);
    expect(read({ ...filled, actionsSucceeded: false })).toMatchObject({
      state: 'deliveredOther',
      deliveryTxHash: hashOf(2),
      reason: expect.stringContaining('last swap'),
    });
  });

  it('describes a failed delivery', () => {
    expect(read({ ...filled, status: 'pending' })).toEqual({ ...nothing, state: 'pending' });
    expect(read({ ...filled, status: 'expired' })).toMatchObject({
      state: 'refunding',
      deliveryTxHash: null,
    });
    const refunded = { ...filled, status: 'refunded', depositRefundTxnRef: hashOf(3) };
    expect(read(refunded)).toMatchObject({
      state: 'refunded',
      refundTxHash: hashOf(3),
      deliveryTxHash: null,
    });
    expect(read({ ...refunded, depositRefundTxnRef: null })).toMatchObject({ refundTxHash: null });
  });

  it.each(['FILLED', 'slowFillRequested', 'constructor', '__proto__', 'toString'])(
    'treats the unknown state %s as pending',
    (status) => expect(read({ ...filled, status })).toEqual({ ...nothing, state: 'pending' }),
  );

  it.each(noObjects)('rejects %p, which is not an object', (value) =>
    expect(() => read(value)).toThrow('not an object'),
  );

  it.each<[string, unknown[]]>([
    ['status', [undefined, null, '', 5, {}]],
    ['fillTxnRef', [undefined, null, '', 5, '0x', 'text']],
    ['depositTxnRef', [hashOf(9), 'text', 5]],
    ['originChainId', [42161, '8453', -1, 5]],
    ['destinationChainId', [8453, '42161', -1, 5]],
  ])('rejects another %s', (name, values) => {
    for (const value of values) expect(() => read({ ...filled, [name]: value })).toThrow();
  });

  it('rejects an invalid refund', () => {
    for (const depositRefundTxnRef of ['text', 5, '0x'])
      expect(() => read({ ...filled, status: 'refunded', depositRefundTxnRef })).toThrow(
        'depositRefundTxnRef',
      );
  });
});
