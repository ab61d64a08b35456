import {
  swapQuotesApi,
  transactionsApi,
  BatchReply,
  type BatchItem,
  type BuiltSet,
  type BuiltTransaction,
  type SwapQuoteReply,
} from '@tollbridge/contracts';
import { decode, type FieldError } from '@tollbridge/rpc';
import { mined } from '@tollbridge/onchain';
import { Contract, Wallet, type HDNodeWallet } from 'ethers';
import { NodeTap } from '../testing/node-tap';
import { TxEngine, type Symbol, type SwapInput } from '../testing/tx-engine';

let harness: TxEngine;
let tap: NodeTap;
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };

beforeAll(async () => {
  harness = await TxEngine.start({
    clock,
    rpcUrls: async ({ anvil }) => [(tap = await NodeTap.to(anvil.url)).url],
  });
});
afterAll(async () => {
  await harness?.close();
  await tap?.close();
});
beforeEach(async () => {
  aheadMs = Math.max(0, (await harness.chain.anvil.time()) * 1_000 - Date.now());
});
afterEach(() => tap.passThrough());

const usd = 10n ** 6n;
const ether = 10n ** 18n;
const batch = transactionsApi.operations.batchTransactions;
const { quoteSwap } = swapQuotesApi.operations;
const swap = (from: Symbol, to: Symbol, amount: bigint, isAcross = false): SwapInput => {
  return { from, to, amount, isAcross };
};

interface Item {
  input: SwapInput;
  user: { address: string };
}

// More concurrent quotes could take longer than tx-engine waits for a provider.
const quotesAtOnce = 5;

async function itemsOf(items: readonly Item[]) {
  const quotes: SwapQuoteReply[] = [];
  for (let at = 0; at < items.length; at += quotesAtOnce) {
    const some = items.slice(at, at + quotesAtOnce);
    quotes.push(...(await Promise.all(some.map(({ input }) => harness.quote(input)))));
  }
  return quotes.map(({ quoteId }, at) => ({
    id: `item-${at}`,
    quoteId,
    userAddress: items[at]!.user.address,
  }));
}

/** Quotes all items and builds them in one batch. */
const batched = async (items: readonly Item[]): Promise<BatchReply> =>
  harness.batch({ transactions: await itemsOf(items) });

const setsOf = ({ transactions }: BatchReply): Promise<BuiltSet[]> =>
  Promise.all(transactions.map(({ transactionId }) => harness.builtSet(transactionId)));
const noncesOf = (sets: readonly BuiltSet[]): number[] =>
  sets.flatMap(({ transactions }) => transactions.map(({ nonce }) => nonce));
const typesOf = (sets: readonly BuiltSet[]): string[] =>
  sets.map(({ transactions }) => transactions.map(({ type }) => type).join(' '));

/**
 * Returns the delivered amounts. They are close to the quoted amounts, because earlier swaps change the price a little.
 */
async function completed(sets: readonly BuiltSet[], user: HDNodeWallet): Promise<bigint[]> {
  for (const set of sets) await harness.executed(set, user);
  const delivered: bigint[] = [];
  for (const { transactionId, outputAmount } of sets) {
    const { result } = await harness.mining(transactionId, { status: 'completed' }, 40_000);
    delivered.push(BigInt(result!.finalAmountOut!));
    const missing = BigInt(outputAmount) - delivered.at(-1)!;
    expect(missing < 0n ? -missing : missing).toBeLessThanOrEqual(BigInt(outputAmount) / 1_000_000n);
  }
  return delivered;
}

const allowance = async (token: string, of: string): Promise<bigint> => {
  const abi = ['function allowance(address owner, address spender) view returns (uint256)'];
  const contract = new Contract(token, abi, harness.chain.anvil.provider);
  return (await contract.getFunction('allowance').staticCall(of, harness.chain.exchange!.router)) as bigint;
};

describe('batchTransactions', () => {
  it('builds one approval of the sum and sequential nonces for one user, and delivers every quote', async () => {
    const user = await harness.newUser({ USDT: 300n * usd, USDC: 50n * usd });
    const reply = await batched([
      { input: swap('USDT', 'DAI', 100n * usd), user },
      { input: swap('USDC', 'DAI', 50n * usd), user },
      { input: swap('USDT', 'WETH', 120n * usd), user },
      { input: swap('ETH', 'USDC', ether), user },
      { input: swap('USDT', 'USDC', 80n * usd), user },
    ]);
    expect(reply.transactions.map(({ status }) => status)).toEqual(Array(5).fill('built'));
    const sets = await setsOf(reply);
    expect(typesOf(sets)).toEqual(['approval swap', 'approval swap', 'swap', 'swap', 'swap']);
    expect(noncesOf(sets)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(reply.summary.totalTransactions).toBe(7);
    const coins = await harness.balance('ETH', user.address);
    const out = await completed(sets, user);
    const got = async (symbol: Symbol) => harness.balance(symbol, user.address);
    expect(await got('USDT')).toBe(0n);
    expect(await got('WETH')).toBe(out[2]);
    expect(await got('USDC')).toBe(out[3]! + out[4]!);
    expect(await got('DAI')).toBe(out[0]! + out[1]!);
    const gas = coins - ether - (await got('ETH'));
    expect(gas).toBeGreaterThan(0n);
    expect(gas).toBeLessThan(ether / 100n);
    for (const token of [harness.chain.usdt, harness.chain.usdc])
      expect(await allowance(token.address, user.address)).toBe(0n);
  });

  it('states the approval gas that it saves in dollars', async () => {
    const user = await harness.newUser({ USDT: 300n * usd, USDC: 300n * usd });
    const inputs = [
      ...[1n, 2n, 3n].map((n) => swap('USDT', 'DAI', n * usd)),
      ...[1n, 2n].map((n) => swap('USDC', 'DAI', n * usd)),
    ];
    const items = await itemsOf(inputs.map((input) => ({ input, user })));
    const reply = await harness.batch({ transactions: items });
    const sets = await setsOf(reply);
    expect(typesOf(sets)).toEqual(['approval swap', 'swap', 'swap', 'approval swap', 'swap']);
    const units = async ({ to, data }: BuiltTransaction) =>
      harness.chain.anvil.provider.estimateGas({ from: user.address, to, data });
    const [usdt, usdc] = [sets[0]!.transactions[0]!, sets[3]!.transactions[0]!];
    const spared = 2n * (await units(usdt)) + (await units(usdc));
    const { provider } = harness.chain.anvil;
    const base = (await provider.getBlock('latest'))!.baseFeePerGas!;
    const tip = BigInt(String(await provider.send('eth_maxPriorityFeePerGas', [])));
    const priceUsd =
      (Number(reply.summary.totalGasCostUsd) * 1e18) /
      Number(reply.summary.totalGasEstimate) /
      Number(base + tip);
    const expected = (Number(spared * (base + tip)) / 1e18) * priceUsd;
    expect(priceUsd).toBeGreaterThan(1_000);
    // An estimate is a few units above the gas used.
    expect(Number(reply.summary.estimatedSavings) / expected).toBeGreaterThan(0.97);
    expect(Number(reply.summary.estimatedSavings) / expected).toBeLessThan(1.01);
    // The built swaps equal swaps that are built alone, except for the approvals.
    expect(reply.summary.totalGasEstimate).toBe(
      String(reply.transactions.reduce((sum, { gasEstimate }) => sum + BigInt(gasEstimate!), 0n)),
    );
  });

  it('states a saving of 0 if no approval is saved', async () => {
    const user = await harness.newUser({ USDT: 10n * usd });
    const reply = await batched([
      { input: swap('USDT', 'DAI', usd), user },
      { input: swap('ETH', 'DAI', ether), user },
    ]);
    expect(Number(reply.summary.estimatedSavings)).toBe(0);
  });

  it('builds and completes a second swap that spends the output of the first', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const reply = await batched([
      { input: swap('USDT', 'USDC', 100n * usd), user },
      { input: swap('USDC', 'DAI', 100n * usd), user },
    ]);
    expect(reply.transactions.map(({ status }) => status)).toEqual(['built', 'built']);
    const sets = await setsOf(reply);
    await completed(sets, user);
    expect(await harness.balance('DAI', user.address)).toBe(BigInt(sets[1]!.outputAmount));
    expect(await harness.balance('USDC', user.address)).toBe(BigInt(sets[0]!.outputAmount) - 100n * usd);
  });

  it('builds and completes a second swap that spends the native coins of the first, in sequence', async () => {
    const user = await harness.newUser({ USDT: 10_000n * usd });
    await harness.chain.anvil.send('anvil_setBalance', [user.address, `0x${(ether / 10n).toString(16)}`]);
    const reply = await batched([
      { input: swap('USDT', 'ETH', 10_000n * usd), user },
      { input: swap('ETH', 'DAI', 2n * ether), user },
    ]);
    expect(reply.transactions.map(({ status }) => status)).toEqual(['built', 'built']);
    for (const set of await setsOf(reply)) await completed([set], user);
  });

  it('builds only the second swap when the first needs the output of the second', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const reply = await batched([
      { input: swap('USDC', 'DAI', 50n * usd), user },
      { input: swap('USDT', 'USDC', 100n * usd), user },
    ]);
    expect(reply.transactions).toMatchObject([
      {
        status: 'failed',
        transactionId: null,
        gasEstimate: null,
        error: {
          code: 'INSUFFICIENT_BALANCE',
          details: { token: harness.chain.usdc.address, required: '50000000', available: '0' },
        },
      },
      { status: 'built' },
    ]);
    await completed([await harness.builtSet(reply.transactions[1]!.transactionId)], user);
  });

  it('leaves out swaps that exceed the remaining balance', async () => {
    const user = await harness.newUser({ USDT: 250n * usd });
    const reply = await batched(
      [100n, 100n, 100n, 50n].map((n) => ({ input: swap('USDT', 'USDC', n * usd), user })),
    );
    expect(reply.transactions.map(({ status }) => status)).toEqual(['built', 'built', 'failed', 'built']);
    expect(reply.transactions[2]!.error!.details).toMatchObject({
      required: '300000000',
      available: '250000000',
    });
    const sets = await Promise.all(
      [0, 1, 3].map((at) => harness.builtSet(reply.transactions[at]!.transactionId)),
    );
    expect(noncesOf(sets)).toEqual([0, 1, 2, 3]);
    await completed(sets, user);
    expect(await harness.balance('USDT', user.address)).toBe(0n);
    expect(await allowance(harness.chain.usdt.address, user.address)).toBe(0n);
  });

  it('numbers nonces for each user and chain', async () => {
    const one = await harness.newUser({ USDT: 100n * usd, USDC: 100n * usd });
    const other = await harness.newUser({ USDT: 100n * usd });
    await harness.chain.transfer(harness.chain.stranger.address, 1n, undefined, other);
    const back = { ...swap('ETH', 'USDC', ether), isAcross: false };
    await harness.other.anvil.send('anvil_setBalance', [one.address, `0x${(10n ** 20n).toString(16)}`]);
    const items = await itemsOf([
      { input: swap('USDT', 'USDC', 10n * usd), user: one },
      { input: swap('USDT', 'USDC', 10n * usd), user: other },
      { input: swap('USDC', 'USDC', 10n * usd, true), user: one },
      { input: swap('USDT', 'DAI', 10n * usd), user: other },
    ]);
    const elsewhere = harness.swapRequest(back);
    const onOther = await harness.call(quoteSwap, {
      ...elsewhere,
      inputToken: { ...elsewhere.inputToken!, chainId: 42161 },
      outputToken: { address: harness.other.usdc.address, chainId: 42161 },
    });
    items.push({ id: 'other chain', quoteId: onOther.quoteId, userAddress: one.address });
    const reply = await harness.batch({ transactions: items });
    const sets = await setsOf(reply);
    expect(sets.map((set) => noncesOf([set]))).toEqual([[0, 1], [1, 2], [2, 3], [3], [0]]);
    expect(sets.map(({ transactions }) => transactions[0]!.chainId)).toEqual([8453, 8453, 8453, 8453, 42161]);
    await completed([sets[0]!, sets[2]!, sets[4]!], one);
    await completed([sets[1]!, sets[3]!], other);
  });

  it('builds all valid items of a batch with one invalid item of each kind', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const good = { input: swap('USDT', 'USDC', 10n * usd), user };
    const [one, stranger, two] = (await itemsOf([good, good, good])) as [BatchItem, BatchItem, BatchItem];
    const foreign = await harness.call(
      quoteSwap,
      harness.swapRequest(good.input),
      harness.chain.stranger.address,
    );
    const reply = await harness.batch({
      transactions: [
        { ...one, id: 'good' },
        { id: 'foreign', quoteId: foreign.quoteId, userAddress: user.address },
        { id: 'unknown', quoteId: 'x', userAddress: user.address },
        { id: 'address', quoteId: stranger.quoteId, userAddress: 'invalid' },
        { id: 'token', quoteId: stranger.quoteId, userAddress: harness.chain.usdc.address },
        { id: 'contract', quoteId: stranger.quoteId, userAddress: harness.chain.payContract },
        { id: 'poor', quoteId: stranger.quoteId, userAddress: Wallet.createRandom().address },
        { ...two, id: 'good too' },
        { ...two, id: 'the same quote' },
      ],
    });
    expect(reply.transactions.map(({ id, error }) => [id, error?.code])).toEqual([
      ['good', undefined],
      ['foreign', 'INVALID_QUOTE'],
      ['unknown', 'INVALID_QUOTE'],
      ['address', 'VALIDATION_ERROR'],
      ['token', 'VALIDATION_ERROR'],
      ['contract', 'VALIDATION_ERROR'],
      ['poor', 'INSUFFICIENT_BALANCE'],
      ['good too', undefined],
      ['the same quote', undefined],
    ]);
    expect(reply.transactions[8]!.transactionId).toBe(reply.transactions[7]!.transactionId);
    expect(reply.summary.totalTransactions).toBe(3);
    const sets = await Promise.all(
      [0, 7].map((at) => harness.builtSet(reply.transactions[at]!.transactionId)),
    );
    await completed(sets, user);
  });

  it('returns the same sets and summary when it is built twice', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const items = await itemsOf([10n, 20n].map((n) => ({ input: swap('USDT', 'USDC', n * usd), user })));
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => harness.batch({ transactions: items })),
    );
    others.push(await harness.batch({ transactions: items }));
    for (const { transactions, summary } of others)
      expect({ transactions, summary }).toEqual({
        transactions: first!.transactions,
        summary: first!.summary,
      });
    expect(Number(first!.summary.estimatedSavings)).toBeGreaterThan(0);
    await completed(await setsOf(first!), user);
  });

  it('expires only the sets after a quote that is built alone', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const items = await itemsOf([10n, 20n, 30n].map((n) => ({ input: swap('USDT', 'USDC', n * usd), user })));
    const [one, two, three] = await setsOf(await harness.batch({ transactions: items }));
    const alone = await harness.build(items[1]!.quoteId, user.address);
    const states = await Promise.all(
      [one!, two!, three!].map(async ({ transactionId }) => (await harness.status(transactionId)).status),
    );
    expect(states).toEqual(['built', 'expired', 'expired']);
    expect(typesOf([alone])).toEqual(['approval swap']);
    await completed([alone], user);
  });

  it('states empty dollars, never null, without a recent price', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    aheadMs += 11 * 60_000;
    const [item] = await itemsOf([{ input: swap('USDT', 'USDC', usd), user }]);
    const reply = await harness.batch({ transactions: [item!] });
    expect(decode(BatchReply, reply)).toMatchObject({ ok: true });
    expect(reply.summary).toMatchObject({
      totalGasEstimate: expect.stringMatching(/^[1-9]/),
      totalGasCostUsd: '',
      estimatedSavings: '',
    });
    const [set] = await setsOf(reply);
    const { details } = await harness.status(set!.transactionId, true);
    expect(details!.summary.totalGasCostUsd).toBe('');
  });

  it('stores nothing and states the reasons if no item can be built', async () => {
    const reply = await harness.batch({
      transactions: [{ id: 'x', quoteId: 'x', userAddress: harness.user.address }],
    });
    expect(reply).toMatchObject({
      transactions: [{ status: 'failed', error: { code: 'INVALID_QUOTE', details: {} } }],
      summary: {
        totalTransactions: 0,
        totalGasEstimate: '0',
        totalGasCostUsd: '0.00',
        estimatedSavings: '0.00',
      },
    });
  });

  it('builds items of other tokens if the reads of one token fail', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const items = await itemsOf([
      { input: swap('USDC', 'DAI', 10n * usd), user },
      { input: swap('USDT', 'DAI', 10n * usd), user },
    ]);
    const usdc = harness.chain.usdc.address.toLowerCase();
    tap.instead = ({ method, params }) => {
      const to = (params[0] as { to?: string } | undefined)?.to?.toLowerCase();
      return method === 'eth_call' && to === usdc
        ? { error: { code: 3, message: 'execution reverted' } }
        : undefined;
    };
    const reply = await harness.batch({ transactions: items });
    expect(reply.transactions.map(({ status }) => status)).toEqual(['failed', 'built']);
  });

  it('builds items of other chains while one chain is down', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const [here] = await itemsOf([{ input: swap('USDT', 'USDC', 10n * usd), user }]);
    await harness.other.anvil.send('anvil_setBalance', [user.address, `0x${(10n ** 20n).toString(16)}`]);
    const elsewhere = harness.swapRequest(swap('ETH', 'USDC', ether));
    const there = await harness.call(quoteSwap, {
      ...elsewhere,
      inputToken: { ...elsewhere.inputToken!, chainId: 42161 },
      outputToken: { address: harness.other.usdc.address, chainId: 42161 },
    });
    tap.mode = 'down';
    const reply = await harness.batch({
      transactions: [here!, { id: 'there', quoteId: there.quoteId, userAddress: user.address }],
    });
    expect(reply.transactions).toMatchObject([
      { status: 'failed', error: { code: 'UPSTREAM_UNAVAILABLE' } },
      { status: 'built' },
    ]);
  });
});

describe('size of a batch', () => {
  const many = (count: number, quoteId = 'x') =>
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, quoteId, userAddress: harness.user.address }));

  /**
   * Fails after a caller's time-out of 30 s, which leaves room for a slow machine. An idle machine needs less than 1 s.
   */
  async function inTime(transactions: BatchItem[]): Promise<BatchReply> {
    const startedMs = performance.now();
    const reply = await harness.batch({ transactions });
    expect(performance.now() - startedMs).toBeLessThan(28_000);
    return reply;
  }

  it.each<[string, () => unknown, string[]]>([
    ['an empty list', () => [], ['transactions']],
    ['51 items', () => many(51), ['transactions']],
    ['10,000 items', () => many(10_000), ['transactions']],
    ['a repeated id', () => [...many(2), ...many(1)], ['transactions[2].id']],
    ['a text', () => 'all', ['transactions']],
    ['a list with null', () => [null, ...many(1)], ['transactions[0]']],
    [
      'an empty item',
      () => [{}],
      ['transactions[0].id', 'transactions[0].quoteId', 'transactions[0].userAddress'],
    ],
  ])('rejects %s', async (_, transactions, fields) => {
    const failure = await harness.failureOf(batch, { transactions: transactions() });
    expect(failure.code).toBe('VALIDATION_ERROR');
    expect((failure.details as FieldError[]).map(({ field }) => field)).toEqual(fields);
  });

  it('builds 50 items of one user within the call time-out', async () => {
    const user = await harness.newUser({ USDT: 5_000n * usd });
    const items = await itemsOf(
      Array.from({ length: 50 }, () => ({ input: swap('USDT', 'DAI', 10n * usd), user })),
    );
    const reply = await inTime(items);
    expect(reply.transactions.every(({ status }) => status === 'built')).toBe(true);
    expect(reply.summary.totalTransactions).toBe(51);
  });

  it('builds a batch of 50 items that all fail in simulation', async () => {
    const user = await harness.newUser({ USDC: 5_000n * usd });
    const items = await itemsOf(
      Array.from({ length: 50 }, () => ({ input: swap('USDC', 'DAI', 10n * usd), user })),
    );
    const abi = ['function blacklist(address)'];
    const usdc = new Contract(harness.chain.usdc.address, abi, harness.chain.anvil.wallet(0));
    await mined(await usdc.getFunction('blacklist').send(user.address));
    const reply = await inTime(items);
    expect(reply.transactions.every(({ error }) => error?.code === 'TRANSACTION_FAILED')).toBe(true);
  });

  it('builds 50 items of 50 users', async () => {
    const users = [];
    for (let at = 0; at < 50; at++) users.push(await harness.newUser({ USDT: 10n * usd }));
    const items = await itemsOf(users.map((user) => ({ input: swap('USDT', 'USDC', 10n * usd), user })));
    const reply = await inTime(items);
    expect(reply.transactions.every(({ status }) => status === 'built')).toBe(true);
  });
});
