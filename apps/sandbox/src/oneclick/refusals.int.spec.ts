import { eventually } from '@tollbridge/testing';
import { chains } from '@tollbridge/chains';
import { OneClickWorld } from '../testing/oneclick-world';
import { madeUpAddress } from './deposit-address';

jest.setTimeout(60_000);

let world: OneClickWorld;

beforeAll(async () => {
  world = await OneClickWorld.start();
});
afterAll(() => world?.close());

const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('POST /v0/quote refuses', () => {
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
  ])('%j: %s', async (changes, message) => {
    expect(await world.refusal(changes)).toMatchObject({
      status: 400,
      body: { statusCode: 400, message, path: '/v0/quote', correlationId: expect.any(String) },
    });
  });

  it('names the least amount in the unit of the side that the amount names', async () => {
    const pair = { originAsset: world.assetId('btc', 'BTC'), refundTo: bitcoinAddress };

    const byOutput = await world.refusal({ ...pair, amount: '1' });
    const byInput = await world.refusal({ ...pair, swapType: 'EXACT_INPUT', amount: '1' });

    // Five dollars of USDC, and of bitcoin.
    expect(byOutput.body.message).toBe('Amount is too low for bridge, try at least 5000000');
    expect(byInput.body.message).toBe('Amount is too low for bridge, try at least 4465');
    await world.quote({ ...pair, amount: '5000000' });
    await world.quote({ ...pair, swapType: 'EXACT_INPUT', amount: '4465' });
  });

  it('a quote on a chain of memos without its memo mode', async () => {
    const stellar = chains.find(({ id }) => id === 'stellar')!;
    const pair = { originAsset: world.assetId('stellar', 'XLM'), refundTo: madeUpAddress(stellar) };

    expect((await world.refusal(pair)).body.message).toBe('depositMode must be MEMO for stellar');
    expect((await world.quote({ ...pair, depositMode: 'MEMO' })).quote.depositMemo).toMatch(/^\d+$/);
  });

  it('everything that is wrong with the form, at once', async () => {
    const { status, body } = await world.post('/v0/quote', { dry: 'no', amount: '0.01', refundTo: '' });

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

  it('what is no JSON, and unknown routes', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await fetch(`${world.oneclick.url}/v0/quote`, { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(400);
    expect(await world.get('/v0/nothing')).toMatchObject({ status: 404, body: { path: '/v0/nothing' } });
  });
});

describe('chains without a node', () => {
  const local = (chainId: string | null) => ['eip155:8453', 'eip155:42161'].includes(String(chainId));
  const others = chains.filter(({ id, isTestnet }) => !isTestnet && !local(id));

  it.each(others.map((chain) => [chain.id, chain] as const))(
    'from %s: the ledger takes the deposit, the delivery is real',
    async (_id, chain) => {
      const blockchain = chain.id === 'solana' ? 'sol' : chain.shortName;
      const before = await world.balance(world.arbitrum, 'USDC', world.arbitrum.stranger.address);
      const quoted = await world.quote({
        originAsset: world.assetId(blockchain, chain.nativeSymbol),
        refundTo: madeUpAddress(chain),
        recipient: world.arbitrum.stranger.address,
        ...(chain.usesMemo && { depositMode: 'MEMO' as const }),
      });
      const { depositAddress, depositMemo, amountIn } = quoted.quote;

      const hash = await world.oneclick.deposit(
        { depositAddress: depositAddress!, depositMemo },
        BigInt(amountIn),
      );

      const { swapDetails } = await world.until(quoted, 'SUCCESS');
      expect(swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([hash]);
      expect(await world.balance(world.arbitrum, 'USDC', world.arbitrum.stranger.address)).toBe(
        before + 10_000_000n,
      );
    },
  );

  it('are delivered to in the ledger', async () => {
    const quoted = await world.quote({
      destinationAsset: world.assetId('btc', 'BTC'),
      recipient: bitcoinAddress,
      amount: '100000',
    });
    await world.pay(world.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    const { swapDetails } = await world.until(quoted, 'SUCCESS');

    expect(swapDetails.destinationChainTxHashes).toEqual([
      {
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        explorerUrl: expect.stringContaining('mempool.space'),
      },
    ]);
  });
});

describe('an outage', () => {
  afterEach(() => world.oneclick.outage('up'));

  it('answers 503 to everything, and the money moves on', async () => {
    const quoted = await world.quote();
    world.oneclick.outage('down');

    await world.pay(world.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    expect(await world.get('/v0/tokens')).toMatchObject({ status: 503 });
    expect(await world.refusal({})).toMatchObject({ status: 503 });
    world.oneclick.outage('up');
    await world.until(quoted, 'SUCCESS');
  });

  it('of the slow kind answers nothing', async () => {
    world.oneclick.outage('slow');
    const signal = AbortSignal.timeout(300);

    await expect(fetch(`${world.oneclick.url}/v0/tokens`, { signal })).rejects.toThrow(/timeout/);
  });
});

describe('prices', () => {
  it('are those of both sources, and can be made old', async () => {
    const frozenAt = new Date('2026-01-02T03:04:05Z');
    await world.oneclick.setPrice('WETH', '1234.5', frozenAt);
    const token = `base:${world.base.weth.address}`;

    const { body } = await world.get('/v0/tokens');
    const reply = await fetch(
      `${world.oneclick.defillamaUrl}/prices/current/${token},coingecko:bitcoin,base:0xnone?searchWidth=4h`,
    );

    const weth = body.find(
      (it: { contractAddress: string }) => it.contractAddress === world.base.weth.address,
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
          timestamp: Math.floor(world.clock.now() / 1_000),
          confidence: 0.99,
        },
      },
    });
    await expect(world.oneclick.setPrice('NOPE', '1')).rejects.toThrow('NOPE');
  });
});

it('nothing that a simulator did failed unseen', async () => {
  await eventually(() => expect([...world.problems]).toEqual([]));
});
