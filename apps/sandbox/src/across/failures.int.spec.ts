import { eventually, ManualClock } from '@tollbridge/testing';
import { spokePoolAbi } from '@tollbridge/local-contracts';
import { Interface, ZeroAddress, zeroPadValue } from 'ethers';
import { SwapHarness, fresh, type SwapParams } from '../testing/swap-harness';

const clock = new ManualClock();
let harness: SwapHarness;

beforeAll(async () => {
  harness = await SwapHarness.start(clock);
});
afterAll(() => harness?.close());
afterEach(() => expect([...harness.problems]).toEqual([]));

const pool = new Interface(spokePoolAbi);
const refundDelayMs = 2_000;
const magicDelayMs = 20_000;
const shortFillSeconds = 21;

async function rejection(wish: SwapParams): Promise<any> {
  const url = `${harness.simulators.acrossUrl}/swap/approval`;
  return harness.get(url, harness.approvalQuery(wish));
}

const usdc = (amountAtomic: bigint, query: Record<string, string> = {}): SwapParams => ({
  from: 'USDC',
  to: 'USDC',
  amountAtomic,
  query,
});

describe('Relayer: a deposit that no relayer fills', () => {
  it('expires the deposit and refunds it from the pool', async () => {
    const refundAddress = fresh();
    const quote = await harness.approval(usdc(50_006_504n, { refundAddress }));
    const txHash = await harness.carryOut(quote);
    await harness.until(txHash, 'pending');

    await harness.passFillDeadline(shortFillSeconds);

    const expired = await harness.until(txHash, 'expired');
    expect(expired).toMatchObject({ fillTxnRef: null, depositRefundTxnRef: null });
    clock.advance(refundDelayMs);
    const { depositRefundTxnRef } = await harness.until(txHash, 'refunded');
    expect(await harness.balance(harness.base, 'USDC', refundAddress)).toBe(50_006_504n);
    const { provider } = harness.base.chain.anvil;
    expect(await provider.getTransactionReceipt(depositRefundTxnRef!)).toMatchObject({
      status: 1,
      to: harness.base.across.spokePool,
    });
    expect(await harness.fills()).toEqual([]);
  });

  it('refunds the bridged token, not the token that was swapped for it', async () => {
    const refundAddress = fresh();
    const wish = { from: 'USDT', to: 'DAI', amountAtomic: 60_006_504n, query: { refundAddress } } as const;
    const quote = await harness.approval(wish);
    const txHash = await harness.carryOut(quote);
    await harness.until(txHash, 'pending');
    await harness.passFillDeadline(shortFillSeconds);
    await harness.until(txHash, 'expired');

    clock.advance(refundDelayMs);

    await harness.until(txHash, 'refunded');
    expect(quote.refundToken.symbol).toBe('USDC');
    const back = await harness.balance(harness.base, 'USDC', refundAddress);
    expect(back).toBe(BigInt(quote.steps.bridge.inputAmount));
  });

  it('does not fill a deposit with an output above its input, or of an unsupported token', async () => {
    const quote = await harness.approval(usdc(1_000_000n));
    const dai = zeroPadValue(harness.arbitrum.chain.dai.address, 32);
    const hashes: string[] = [];
    for (const changes of [{ outputAmount: 2_000_000n }, { outputToken: dai }]) {
      const given = pool.decodeFunctionData('deposit', quote.swapTx.data).toObject();
      const data = pool.encodeFunctionData('deposit', Object.values({ ...given, ...changes }));
      hashes.push(await harness.carryOut({ ...quote, swapTx: { ...quote.swapTx, data } }));
    }
    for (const hash of hashes) await harness.until(hash, 'pending');
    const honest = await harness.carryOut(await harness.approval(usdc(1_000_000n)));
    await harness.until(honest, 'filled');
    for (const hash of hashes) expect((await harness.status(hash)).body.status).toBe('pending');
  });
});

describe('Relayer: a failing swap behind the bridge', () => {
  it('delivers the bridged token to the user on the destination if the quote requested it', async () => {
    const query = { refundOnOrigin: 'false', refundAddress: fresh() };
    const recipient = fresh();
    const wish = { from: 'USDC', to: 'DAI', amountAtomic: 70_006_505n, recipient, query } as const;
    const quote = await harness.approval(wish);

    const txHash = await harness.carryOut(quote);

    expect(await harness.until(txHash, 'filled')).toMatchObject({ actionsSucceeded: false });
    const bridged = await harness.balance(harness.arbitrum, 'USDC', query.refundAddress);
    expect(bridged).toBe(BigInt(quote.steps.bridge.outputAmount));
    expect(await harness.balance(harness.arbitrum, 'DAI', recipient)).toBe(0n);
  });

  it('refunds the deposit on the origin otherwise', async () => {
    const query = { refundAddress: fresh() };
    const quote = await harness.approval({ from: 'USDC', to: 'DAI', amountAtomic: 80_006_505n, query });
    const txHash = await harness.carryOut(quote);
    await harness.until(txHash, 'pending');
    await harness.passFillDeadline(shortFillSeconds);
    await harness.until(txHash, 'expired');

    clock.advance(refundDelayMs);

    await harness.until(txHash, 'refunded');
    expect(await harness.balance(harness.base, 'USDC', query.refundAddress)).toBe(80_006_505n);
  });
});

describe('Relayer: delays', () => {
  it('fills a deposit late', async () => {
    const recipient = fresh();
    const quote = await harness.approval({ ...usdc(90_006_506n), recipient });
    const txHash = await harness.carryOut(quote);
    await harness.until(txHash, 'pending');
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(0n);

    clock.advance(magicDelayMs);

    await harness.until(txHash, 'filled');
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(
      BigInt(quote.expectedOutputAmount),
    );
  });

  it('reports the status of a fill late', async () => {
    const recipient = fresh();
    const txHash = await harness.carryOut(await harness.approval({ ...usdc(10_006_511n), recipient }));
    await eventually(async () =>
      expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBeGreaterThan(0n),
    );
    expect(await harness.status(txHash)).toMatchObject({
      status: 404,
      body: { error: 'DepositNotFoundException' },
    });

    clock.advance(magicDelayMs);

    const { depositId, originChainId } = await harness.until(txHash, 'filled');
    const url = `${harness.simulators.acrossUrl}/deposit/status`;
    const query = { depositId, originChainId: String(originChainId) };
    expect(await harness.get(url, query)).toMatchObject({ body: { depositTxnRef: txHash } });
    expect(await harness.get(url, { depositTxHash: txHash })).toMatchObject({ body: { depositId } });
  });
});

describe('Across quotes', () => {
  it.each([
    [6501n, 400, 'AMOUNT_TOO_LOW'],
    [6502n, 400, 'SWAP_LIQUIDITY_INSUFFICIENT'],
    [6503n, 400, 'SWAP_QUOTE_UNAVAILABLE'],
    [6507n, 500, 'UNEXPECTED_ERROR'],
    [6508n, 429, undefined],
    [6509n, 502, 'UPSTREAM_RPC_ERROR'],
  ])('rejects a quote of …%s', async (digits, status, code) => {
    const { body, ...reply } = await rejection(usdc(10_000_000n + digits));
    expect(reply.status).toBe(status);
    expect(body).toMatchObject({ type: 'AcrossApiError', status, id: expect.any(String) });
    expect(body.code).toBe(code);
  });

  it.each<[string, Record<string, string>, number, object]>([
    ['a missing amount', { amount: '' }, 400, { code: 'MISSING_PARAM', param: 'amount' }],
    ['a fractional amount', { amount: '1.5' }, 400, { code: 'INVALID_PARAM', param: 'amount' }],
    ['nothing', { amount: '0' }, 400, { code: 'INVALID_PARAM', param: 'amount' }],
    ['a missing user', { depositor: '' }, 400, { code: 'MISSING_PARAM', param: 'depositor' }],
    ['an invalid address', { recipient: '0x12' }, 400, { code: 'INVALID_PARAM', param: 'recipient' }],
    ['an invalid flag', { skipChecks: 'yes' }, 400, { code: 'INVALID_PARAM', param: 'skipChecks' }],
    ['too much slippage', { slippage: '0.51' }, 400, { code: 'INVALID_PARAM', param: 'slippage' }],
    ['an unknown trade type', { tradeType: 'all' }, 400, { code: 'INVALID_PARAM', param: 'tradeType' }],
    ['a fee without a recipient', { appFee: '0.01' }, 400, { code: 'INVALID_PARAM' }],
    ['an unknown chain', { originChainId: '5' }, 400, { code: 'INVALID_PARAM', param: 'originChainId' }],
    ['the same chain twice', { destinationChainId: '8453' }, 400, { code: 'INVALID_PARAM' }],
    [
      'an unknown token',
      { inputToken: `0x${'12'.repeat(20)}` },
      404,
      { message: expect.stringMatching(/^Unable/) },
    ],
    ['dust', { amount: '9000' }, 400, { code: 'AMOUNT_TOO_LOW' }],
    ['the whole supply', { amount: '9'.repeat(25) }, 400, { code: 'AMOUNT_TOO_HIGH' }],
    [
      'an exact output of a swap',
      { tradeType: 'exactOutput', inputToken: ZeroAddress },
      400,
      { code: 'SWAP_TYPE_NOT_GUARANTEED' },
    ],
  ])('rejects a quote with %s', async (_, query, status, body) => {
    expect(await rejection(usdc(10_000_000n, query))).toMatchObject({
      status,
      body: { type: 'AcrossApiError', status, ...body },
    });
  });

  it.each(['minOutput', 'exactOutput'] as const)('reports the output: %s', async (tradeType) => {
    const query = { tradeType, strictTradeType: 'false' };
    const quote = await harness.approval({ from: 'ETH', to: 'DAI', amountAtomic: 10n ** 20n, query });

    const reached = tradeType === 'minOutput' ? quote.minOutputAmount : quote.expectedOutputAmount;
    const excess = BigInt(reached) - 10n ** 20n;
    expect(excess >= 0n && excess < 10n ** 15n).toBe(true);
    expect(quote.amountType).toBe(tradeType);
  });

  it('guarantees less output with more slippage, and needs no wallet', async () => {
    const wish = (slippage: string): SwapParams => {
      const query = { slippage, skipChecks: 'true', skipOriginTxEstimation: 'true', depositor: fresh() };
      return { from: 'USDC', to: 'DAI', amountAtomic: 10_000_000n, query };
    };
    const [little, much] = [await harness.approval(wish('0.001')), await harness.approval(wish('0.05'))];
    expect(little.expectedOutputAmount).toBe(much.expectedOutputAmount);
    expect(BigInt(much.minOutputAmount)).toBeLessThan(BigInt(little.minOutputAmount));
    expect(little).not.toHaveProperty('approvalTxns');
    expect(little.swapTx.simulationSuccess).toBe(false);
  });

  it('rejects other methods and paths', async () => {
    const { acrossUrl } = harness.simulators;
    const reply = await fetch(`${acrossUrl}/swap/approval`, { method: 'DELETE' });
    expect(reply.status).toBe(405);
    expect(await reply.json()).toMatchObject({ code: 'INVALID_METHOD' });
    expect((await fetch(`${acrossUrl}/swap/nothing`)).status).toBe(404);
    expect((await harness.get(`${acrossUrl}/deposit/status`)).status).toBe(400);
    expect((await harness.get(`${acrossUrl}/swap/sources`)).status).toBe(200);
  });
});

it('returns 503 during an outage', async () => {
  const list = `${harness.simulators.acrossUrl}/swap/chains`;
  harness.simulators.outage('across', 'down');
  expect((await fetch(list)).status).toBe(503);
  harness.simulators.outage('across', 'slow');
  await expect(fetch(list, { signal: AbortSignal.timeout(300) })).rejects.toThrow();
  harness.simulators.outage('across', 'up');
  expect((await fetch(list)).status).toBe(200);
});
