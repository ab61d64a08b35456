import { eventually } from '@tollbridge/testing';
import { chains } from '@tollbridge/chains';
import { OneClickHarness } from '../testing/oneclick-harness';
import { generateAddress } from './deposit-address';

let harness: OneClickHarness;

beforeAll(async () => {
  harness = await OneClickHarness.start();
});
afterAll(() => harness?.close());

const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('POST /v0/quote', () => {
  it.each([
    [{ originAsset: 'nep141:none.near' }, 'tokenIn is not valid'],
    [{ destinationAsset: 'nep141:none.near' }, 'tokenOut is not valid'],
    [{ recipient: bitcoinAddress }, 'recipient is not valid'],
    [{ refundTo: bitcoinAddress }, 'refundTo is not valid'],
    [{ amount: '1' }, 'Amount is too low for bridge, try at least 50000'],
    [{ swapType: 'EXACT_INPUT', amount: '49999' }, 'Amount is too low for bridge, try at least 50000'],
    [{ amount: '9'.repeat(15) }, 'Failed to get quote'],
    [{ swapType: 'ANY_INPUT' }, 'swapType ANY_INPUT is not available'],
    [{ recipientType: 'INTENTS' }, 'recipientType INTENTS is not available'],
    [{ deadline: '2020-01-01T00:00:00Z' }, 'deadline must be in the future'],
    [{ depositMode: 'MEMO' }, 'depositMode MEMO is not supported for base'],
  ])('rejects %j: %s', async (changes, message) => {
    expect(await harness.rejection(changes)).toMatchObject({
      status: 400,
      body: { statusCode: 400, message, path: '/v0/quote', correlationId: expect.any(String) },
    });
  });

  it('states the minimum amount in the unit of the requested side', async () => {
    const pair = { originAsset: harness.assetId('btc', 'BTC'), refundTo: bitcoinAddress };

    const byOutput = await harness.rejection({ ...pair, amount: '1' });
    const byInput = await harness.rejection({ ...pair, swapType: 'EXACT_INPUT', amount: '1' });

    // Five dollars of USDC, and of bitcoin.
    expect(byOutput.body.message).toBe('Amount is too low for bridge, try at least 5000000');
    expect(byInput.body.message).toBe('Amount is too low for bridge, try at least 4465');
    await harness.quote({ ...pair, amount: '5000000' });
    await harness.quote({ ...pair, swapType: 'EXACT_INPUT', amount: '4465' });
  });

  it('rejects a quote without memo mode on a chain with memos', async () => {
    const stellar = chains.find(({ id }) => id === 'stellar')!;
    const pair = { originAsset: harness.assetId('stellar', 'XLM'), refundTo: generateAddress(stellar) };

    expect((await harness.rejection(pair)).body.message).toBe('depositMode must be MEMO for stellar');
    expect((await harness.quote({ ...pair, depositMode: 'MEMO' })).quote.depositMemo).toMatch(/^\d+$/);
  });

  it('reports all validation errors together', async () => {
    const { status, body } = await harness.post('/v0/quote', { dry: 'no', amount: '0.01', refundTo: '' });

    expect(status).toBe(400);
    expect(body.message).toEqual([
      'dry must be a boolean value',
      'swapType must be one of the following values: EXACT_INPUT, EXACT_OUTPUT, FLEX_INPUT, ANY_INPUT',
      'slippageTolerance must be an integer number',
      'originAsset should not be empty',
      'depositType must be one of the following values: ORIGIN_CHAIN, INTENTS, CONFIDENTIAL_INTENTS',
      'destinationAsset should not be empty',
      'amount must be a positive integer in the smallest unit of the token',
      'refundTo should not be empty',
      'refundType must be one of the following values: ORIGIN_CHAIN, INTENTS, CONFIDENTIAL_INTENTS',
      'recipient should not be empty',
      'recipientType must be one of the following values: DESTINATION_CHAIN, INTENTS, CONFIDENTIAL_INTENTS',
      'deadline must be a valid ISO 8601 date string',
    ]);
  });

  it('rejects invalid JSON and unknown routes', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await fetch(`${harness.oneclick.url}/v0/quote`, { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(400);
    expect(await harness.get('/v0/nothing')).toMatchObject({ status: 404, body: { path: '/v0/nothing' } });
  });
});

describe('1Click simulator: chains without a node', () => {
  const local = (chainId: string | null) => ['eip155:8453', 'eip155:42161'].includes(String(chainId));
  const others = chains.filter(({ id, isTestnet }) => !isTestnet && !local(id));

  it.each(others.map((chain) => [chain.id, chain] as const))(
    'accepts a ledger deposit on %s, with a real delivery',
    async (_id, chain) => {
      const blockchain = chain.id === 'solana' ? 'sol' : chain.shortName;
      const before = await harness.balance(harness.arbitrum, 'USDC', harness.arbitrum.stranger.address);
      const quoted = await harness.quote({
        originAsset: harness.assetId(blockchain, chain.nativeSymbol),
        refundTo: generateAddress(chain),
        recipient: harness.arbitrum.stranger.address,
        ...(chain.usesMemo && { depositMode: 'MEMO' as const }),
      });
      const { depositAddress, depositMemo, amountIn } = quoted.quote;

      const hash = await harness.oneclick.deposit(
        { depositAddress: depositAddress!, depositMemo },
        BigInt(amountIn),
      );

      const { swapDetails } = await harness.until(quoted, 'SUCCESS');
      expect(swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([hash]);
      expect(await harness.balance(harness.arbitrum, 'USDC', harness.arbitrum.stranger.address)).toBe(
        before + 10_000_000n,
      );
    },
  );

  it('delivers in the ledger on a chain without a node', async () => {
    const quoted = await harness.quote({
      destinationAsset: harness.assetId('btc', 'BTC'),
      recipient: bitcoinAddress,
      amount: '100000',
    });
    await harness.pay(harness.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');

    expect(swapDetails.destinationChainTxHashes).toEqual([
      {
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        explorerUrl: expect.stringContaining('mempool.space'),
      },
    ]);
  });
});

describe('1Click simulator: outage', () => {
  afterEach(() => harness.oneclick.outage('up'));

  it('returns 503 to every call, and continues the swaps', async () => {
    const quoted = await harness.quote();
    harness.oneclick.outage('down');

    await harness.pay(harness.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    expect(await harness.get('/v0/tokens')).toMatchObject({ status: 503 });
    expect(await harness.rejection({})).toMatchObject({ status: 503 });
    harness.oneclick.outage('up');
    await harness.until(quoted, 'SUCCESS');
  });

  it('never responds in slow mode', async () => {
    harness.oneclick.outage('slow');
    const signal = AbortSignal.timeout(300);

    await expect(fetch(`${harness.oneclick.url}/v0/tokens`, { signal })).rejects.toThrow(/timeout/);
  });
});

describe('prices', () => {
  it('reads prices from both sources, and can make prices stale', async () => {
    const frozenAt = new Date('2026-01-02T03:04:05Z');
    await harness.oneclick.setPrice('WETH', '1234.5', frozenAt);
    const token = `base:${harness.base.weth.address}`;

    const { body } = await harness.get('/v0/tokens');
    const reply = await fetch(
      `${harness.oneclick.defillamaUrl}/prices/current/${token},coingecko:bitcoin,base:0xnone?searchWidth=4h`,
    );

    const weth = body.find(
      (it: { contractAddress: string }) => it.contractAddress === harness.base.weth.address,
    );
    expect(weth).toMatchObject({ price: 1234.5, priceUpdatedAt: frozenAt.toISOString() });
    expect(await reply.json()).toEqual({
      coins: {
        [token]: {
          decimals: 18,
          symbol: 'WETH',
          price: 1234.5,
          timestamp: frozenAt.getTime() / 1_000,
          confidence: 0.99,
        },
        'coingecko:bitcoin': {
          symbol: 'BTC',
          price: 112_000,
          timestamp: Math.floor(harness.clock.now() / 1_000),
          confidence: 0.99,
        },
      },
    });
    await expect(harness.oneclick.setPrice('NOPE', '1')).rejects.toThrow('NOPE');
  });
});

it('reports no unexpected error', async () => {
  await eventually(() => expect([...harness.problems]).toEqual([]));
});
