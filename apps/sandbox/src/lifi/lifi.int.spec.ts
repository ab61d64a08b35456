import {
  createClient,
  getChains,
  getQuote,
  getRoutes,
  getStatus,
  getStepTransaction,
  getToken,
  getTokens,
  getTools,
} from '@lifi/sdk';
import { eventually, ManualClock } from '@tollbridge/testing';
import { SwapHarness, fresh, type Side, type Symbol } from '../testing/swap-harness';

const clock = new ManualClock();
let harness: SwapHarness;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  harness = await SwapHarness.start(clock);
  client = createClient({ integrator: 'tollbridge', apiUrl: harness.simulators.lifiUrl, apiKey: 'a key' });
});
afterAll(() => harness?.close());
afterEach(() => expect([...harness.problems]).toEqual([]));

interface Params {
  from: Symbol;
  to: Symbol;
  amountAtomic: bigint;
  recipient?: string;
  destination?: Side;
}

const quoteRequest = ({ from, to, amountAtomic, recipient, destination = harness.arbitrum }: Params) => ({
  fromChain: harness.base.chainId,
  toChain: destination.chainId,
  fromToken: harness.address(harness.base, from),
  toToken: harness.address(destination, to),
  fromAmount: String(amountAtomic),
  fromAddress: harness.base.chain.payer.address,
  ...(recipient !== undefined && { toAddress: recipient }),
});

type Step = Awaited<ReturnType<typeof getQuote>>;

/** Approves and sends a quoted transaction, as a user does. */
async function carryOut({ action, estimate, transactionRequest }: Step): Promise<string> {
  const { to, data, value } = transactionRequest!;
  const symbol = action.fromToken.symbol as Symbol;
  if (symbol !== 'ETH') await harness.approve(symbol, estimate!.approvalAddress);
  return harness.send({ to: to!, data: data!, value });
}

async function until(txHash: string, expected: object): Promise<any> {
  return eventually(async () => {
    const status = await getStatus(client, { txHash });
    expect(status).toMatchObject(expected);
    return status;
  });
}

describe('Official LI.FI SDK against the simulator', () => {
  it('lists chains, tokens and tools', async () => {
    const chains = await getChains(client);
    expect(chains).toMatchObject([
      { id: 8453, key: 'bas', chainType: 'EVM', coin: 'ETH', mainnet: true },
      { id: 42161, key: 'arb' },
    ]);
    const { tokens } = await getTokens(client, { chains: [8453] });
    expect(tokens[8453]!.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC', 'USDT', 'DAI', 'WETH']);
    expect(await getToken(client, 'arb' as any, 'WETH')).toMatchObject({
      chainId: 42161,
      address: harness.arbitrum.chain.weth.address,
      priceUSD: '4200',
    });
    expect(await getTools(client)).toMatchObject({
      exchanges: [{ key: 'uniswap' }],
      bridges: [{ key: 'across', supportedChains: [{ fromChainId: 8453 }, { fromChainId: 42161 }] }],
    });
  });

  it('swaps across chains for exactly the quoted amount', async () => {
    const recipient = fresh();
    const step = await getQuote(
      client,
      quoteRequest({ from: 'USDT', to: 'DAI', amountAtomic: 40_000_000n, recipient }),
    );
    expect(step).toMatchObject({
      type: 'lifi',
      tool: 'across',
      integrator: 'tollbridge',
      includedSteps: [{ type: 'swap' }, { type: 'cross', tool: 'across' }, { type: 'swap' }],
      estimate: { feeCosts: [{ included: true }], approvalAddress: harness.base.across.periphery },
      transactionRequest: { value: '0x0', chainId: 8453 },
    });

    const txHash = await carryOut(step);

    const status = await until(txHash, { status: 'DONE', substatus: 'COMPLETED', tool: 'across' });
    expect(status).toMatchObject({
      sending: { txHash, chainId: 8453, amount: '40000000', token: { symbol: 'USDT' } },
      receiving: { chainId: 42161, amount: step.estimate!.toAmount, token: { symbol: 'DAI' } },
      toAddress: recipient,
    });
    expect(await harness.balance(harness.arbitrum, 'DAI', recipient)).toBe(BigInt(step.estimate!.toAmount));
  });

  it.each([
    ['ETH', 'ETH', 10n ** 16n],
    ['USDC', 'WETH', 50_000_000n],
    ['WETH', 'USDC', 10n ** 16n],
  ] as const)('swaps %s for %s across chains', async (from, to, amountAtomic) => {
    const recipient = fresh();
    const step = await getQuote(client, quoteRequest({ from, to, amountAtomic, recipient }));

    const txHash = await carryOut(step);

    const { toAmount } = step.estimate!;
    const status = await until(txHash, { status: 'DONE', substatus: 'COMPLETED' });
    expect(status).toMatchObject({
      sending: { token: { symbol: from }, amount: String(amountAtomic) },
      receiving: { token: { symbol: to }, amount: toAmount },
    });
    expect(await harness.balance(harness.arbitrum, to, recipient)).toBe(BigInt(toAmount));
  });

  it.each([
    ['USDT', 'DAI', 50_000_000n],
    ['ETH', 'USDC', 10n ** 16n],
    ['DAI', 'ETH', 10n ** 20n],
  ] as const)('swaps %s for %s on one chain', async (from, to, amountAtomic) => {
    const recipient = fresh();
    const destination = harness.base;
    const wish = { from, to, amountAtomic, recipient, destination };
    const step = await getQuote(client, quoteRequest(wish));
    expect(step).toMatchObject({ tool: 'uniswap', includedSteps: [{ type: 'swap' }] });

    const txHash = await carryOut(step);

    const { toAmount } = step.estimate!;
    expect(await getStatus(client, { txHash, fromChain: 8453 })).toMatchObject({
      status: 'DONE',
      substatus: 'COMPLETED',
      toAddress: recipient,
      receiving: { txHash, chainId: 8453, amount: toAmount, token: { symbol: to } },
    });
    expect(await harness.balance(harness.base, to, recipient)).toBe(BigInt(toAmount));
  });

  it('finds routes and builds their steps', async () => {
    const { fromChain, toChain, fromToken, toToken, fromAmount, fromAddress } = quoteRequest({
      from: 'USDC',
      to: 'USDT',
      amountAtomic: 20_000_000n,
    });
    const names = { fromChainId: fromChain, toChainId: toChain };
    const tokens = { fromTokenAddress: fromToken, toTokenAddress: toToken };
    const { routes } = await getRoutes(client, { ...names, ...tokens, fromAmount, fromAddress });
    const [step] = routes[0]!.steps;
    expect(step).not.toHaveProperty('transactionRequest');

    const built = await getStepTransaction(client, step!);

    expect(built.id).toBe(step!.id);
    const txHash = await carryOut(built);
    await until(txHash, { status: 'DONE', substatus: 'COMPLETED' });
    const withoutUser = await getRoutes(client, { ...names, ...tokens, fromAmount });
    expect(withoutUser.routes).toHaveLength(1);
    const rejected = await getRoutes(client, { ...names, ...tokens, fromAmount: '10006502' });
    expect(rejected.routes).toEqual([]);
    expect(rejected.unavailableRoutes.failed).toHaveLength(1);
    const higherPrice = { ...step!, estimate: { ...step!.estimate!, toAmountMin: '21000000' } };
    await expect(getStepTransaction(client, higherPrice)).rejects.toMatchObject({ cause: { status: 409 } });
  });

  it('reports a refund', async () => {
    const wish = { from: 'USDC', to: 'USDC', amountAtomic: 30_006_504n } as const;
    const txHash = await carryOut(await getQuote(client, quoteRequest(wish)));
    await until(txHash, { status: 'PENDING', substatus: 'WAIT_DESTINATION_TRANSACTION' });
    const shortFillSeconds = 21;
    await harness.passFillDeadline(shortFillSeconds);
    await until(txHash, { status: 'PENDING', substatus: 'REFUND_IN_PROGRESS' });

    const refundDelayMs = 2_000;
    clock.advance(refundDelayMs);

    await until(txHash, {
      status: 'DONE',
      substatus: 'REFUNDED',
      receiving: { chainId: 8453, amount: '30006504', token: { symbol: 'USDC' } },
    });
  });

  it('reports the received token when the last swap failed', async () => {
    const recipient = fresh();
    const wish = { from: 'USDC', to: 'DAI', amountAtomic: 40_006_505n, recipient } as const;

    const txHash = await carryOut(await getQuote(client, quoteRequest(wish)));

    const { receiving } = await until(txHash, {
      status: 'DONE',
      substatus: 'PARTIAL',
      receiving: { chainId: 42161, token: { symbol: 'USDC' } },
    });
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(BigInt(receiving.amount));
  });

  it('reports transactions that transfer nothing, failed transactions and unknown transactions', async () => {
    const { chain } = harness.base;
    const plain = await chain.transfer(fresh(), 1n);
    expect(await getStatus(client, { txHash: plain })).toMatchObject({ status: 'INVALID' });
    const unknown = await getStatus(client, { txHash: `0x${'ab'.repeat(32)}`, fromChain: 8453 });
    expect(unknown).toMatchObject({ status: 'NOT_FOUND', sending: { chainId: 8453 } });
    const wish = { from: 'ETH', to: 'USDC', amountAtomic: 10n ** 16n, destination: harness.base } as const;
    const { to, data, value } = (await getQuote(client, quoteRequest(wish))).transactionRequest!;
    const { hash } = await chain.payer.sendTransaction({
      to: to!,
      data: data!,
      value: BigInt(value!) - 1n,
      gasLimit: 500_000,
    });
    await chain.mined(hash);
    expect(await getStatus(client, { txHash: hash })).toMatchObject({ status: 'FAILED' });
  });

  it.each([
    [6501n, 404, 'AMOUNT_TOO_LOW'],
    [6502n, 404, 'INSUFFICIENT_LIQUIDITY'],
    [6503n, 404, 'NO_POSSIBLE_ROUTE'],
    [6507n, 500, undefined],
    [6508n, 429, undefined],
    [6509n, 424, undefined],
  ])('parses the rejection of …%s', async (digits, status, toolCode) => {
    const wish = { from: 'USDC', to: 'USDC', amountAtomic: 10_000_000n + digits } as const;
    const error = await getQuote(client, quoteRequest(wish)).catch((it: unknown) => it);
    expect(error).toMatchObject({ cause: { name: 'HTTPError', status } });
    if (toolCode !== undefined) expect(JSON.stringify(error)).toContain(toolCode);
  });

  it.each<[string, object]>([
    ['an unknown chain', { toChain: 5 }],
    ['an unknown token', { fromToken: 'NOPE' }],
    ['a fractional amount', { fromAmount: '1.5' }],
    ['an invalid address', { toAddress: '0x12' }],
    ['100 % slippage', { slippage: 1 }],
  ])('parses the rejection of %s', async (_, changes) => {
    const wish = { from: 'USDC', to: 'USDC', amountAtomic: 10_000_000n } as const;
    const request = { ...quoteRequest(wish), ...changes };
    await expect(getQuote(client, request)).rejects.toMatchObject({
      cause: { status: 400, responseBody: { code: 1011 } },
    });
  });
});

it('returns 503 during an outage', async () => {
  harness.simulators.outage('lifi', 'down');
  await expect(getChains(client)).rejects.toMatchObject({ cause: { status: 503 } });
  harness.simulators.outage('lifi', 'up');
  expect(await getChains(client)).toHaveLength(2);
});
