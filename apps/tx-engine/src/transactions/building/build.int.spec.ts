import { swapQuotesApi, transactionsApi, type BuiltSet } from '@tollbridge/contracts';
import type { DomainError, FieldError } from '@tollbridge/rpc';
import { openPools } from '@tollbridge/local-contracts';
import { deployOddToken, mined, type OddHabits, type OddToken } from '@tollbridge/onchain';
import { Contract, HDNodeWallet, MaxUint256, Wallet, ZeroAddress } from 'ethers';
import { Client } from 'pg';
import { NodeTap } from '../../testing/node-tap';
import { signAll, TxEngine, type SwapInput } from '../../testing/tx-engine';

let harness: TxEngine;
let tap: NodeTap;
let router: string;
// The time of the chain, which increases with every block.
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };

beforeAll(async () => {
  harness = await TxEngine.start({
    clock,
    rpcUrls: async ({ anvil }) => [(tap = await NodeTap.to(anvil.url)).url],
  });
  router = harness.chain.exchange!.router;
});
afterAll(async () => {
  await harness?.close();
  await tap?.close();
});
beforeEach(async () => (aheadMs = Math.max(0, (await harness.chain.anvil.time()) * 1_000 - Date.now())));
afterEach(() => tap.passThrough());

const usd = 10n ** 6n;
const ether = 10n ** 18n;
const build = transactionsApi.operations.buildTransactions;
const swapUsdt = (amount = 100n * usd): SwapInput => ({ from: 'USDT', to: 'USDC', amount });

const erc20 = [
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
];
const tokenAt = (address: string, as?: HDNodeWallet) =>
  new Contract(address, erc20, as ?? harness.chain.anvil.provider);
const allowance = async (token: string, of: string): Promise<bigint> =>
  (await tokenAt(token).getFunction('allowance').staticCall(of, router)) as bigint;
const approve = async (token: string, as: HDNodeWallet, amount: bigint): Promise<unknown> =>
  mined(await tokenAt(token, as).getFunction('approve').send(router, amount));

/** Returns the error of a rejected build. */
async function rejection(
  input: SwapInput,
  user: { address: string },
  changes: object = {},
): Promise<DomainError> {
  const { quoteId } = await harness.quote(input);
  const request = { quoteId, userAddress: user.address, skipApprovals: false, ...changes };
  return harness.failureOf(build, request);
}

async function completed(set: BuiltSet, user: HDNodeWallet) {
  await harness.executed(set, user);
  return harness.mining(set.transactionId, { status: 'completed' });
}

describe('approvals of a build', () => {
  it.each<[string, bigint, string[]]>([
    ['none', 0n, ['approval', 'swap']],
    ['one unit too little', 100n * usd - 1n, ['approval', 'swap']],
    ['exactly enough', 100n * usd, ['swap']],
    ['more than enough', 150n * usd, ['swap']],
  ])('leave no allowance, or only the excess, when the earlier allowance is %s', async (_, given, types) => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const { usdt } = harness.chain;
    if (given > 0n) await approve(usdt.address, user, given);
    const set = await harness.built(swapUsdt(), user);
    expect(set.transactions.map(({ type }) => type)).toEqual(types);
    expect(set.summary.requiredApprovals).toBe(types.length - 1);
    await completed(set, user);
    expect(await allowance(usdt.address, user.address)).toBe(given > 100n * usd ? given - 100n * usd : 0n);
  });

  it('stay out of the set with skipApprovals', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    await approve(harness.chain.usdt.address, user, 7n);
    expect(await rejection(swapUsdt(), user, { skipApprovals: true })).toMatchObject({
      code: 'INSUFFICIENT_ALLOWANCE',
      details: {
        chainId: 8453,
        token: harness.chain.usdt.address,
        spender: router,
        required: '100000000',
        available: '7',
      },
    });
    await approve(harness.chain.usdt.address, user, MaxUint256);
    const { quoteId } = await harness.quote(swapUsdt());
    const set = await harness.build(quoteId, user.address, { skipApprovals: true });
    expect(set.transactions).toHaveLength(1);
  });
});

describe('non-standard token', () => {
  let odd: OddToken;
  beforeAll(async () => {
    odd = await pooledOdd();
  });
  afterEach(() => odd.behave({}));

  const holder = async (habits: OddHabits): Promise<HDNodeWallet> => {
    const user = await harness.newUser();
    await odd.mint(user.address, 100n * usd);
    await odd.behave(habits);
    return user;
  };
  const quoteOdd = () =>
    harness.call(swapQuotesApi.operations.quoteSwap, {
      inputToken: { address: odd.address, chainId: 8453 },
      slippageBps: 50,
      outputToken: { address: harness.chain.usdc.address, chainId: 8453 },
      inputAmount: '100000000',
    });

  it.each(['eth_simulateV1', 'none'])(
    'gets a reset of its allowance when it requires one, on a node without %s',
    async (missing) => {
      tap.without(missing);
      const user = await holder({ wantsReset: true, answer: 'nothing' });
      await approve(odd.address, user, 5n);
      const { quoteId } = await quoteOdd();
      const set = await harness.build(quoteId, user.address);
      expect(set.transactions.map(({ type }) => type)).toEqual(['approval', 'approval', 'swap']);
      const done = await completed(set, user);
      expect(done.timeline).toHaveLength(3);
      expect(await allowance(odd.address, user.address)).toBe(0n);
      expect(done.result!.finalAmountOut).toBe(set.outputAmount);
    },
  );

  it('gets a single approval if its allowance is 0', async () => {
    const user = await holder({ wantsReset: true, answer: 'nothing' });
    const set = await harness.build((await quoteOdd()).quoteId, user.address);
    expect(set.transactions).toHaveLength(2);
    await completed(set, user);
  });

  it('fails the build when it returns false after a transfer', async () => {
    const user = await holder({ answer: 'false' });
    const failure = await harness.failureOf(build, {
      quoteId: (await quoteOdd()).quoteId,
      userAddress: user.address,
    });
    expect(failure).toMatchObject({
      code: 'TRANSACTION_FAILED',
      details: { step: 'originSwap', txHash: null, gasUsed: '0', reason: expect.stringMatching(/STF|TF/) },
    });
  });

  it('fails the build when less than the minimum arrives because of a token tax on purchases', async () => {
    const user = await harness.newUser({ USDC: 100n * usd });
    await odd.behave({ taxBps: 100 });
    const { quoteId } = await harness.call(swapQuotesApi.operations.quoteSwap, {
      inputToken: { address: harness.chain.usdc.address, chainId: 8453 },
      slippageBps: 50,
      outputToken: { address: odd.address, chainId: 8453 },
      inputAmount: '100000000',
    });
    expect(await harness.failureOf(build, { quoteId, userAddress: user.address })).toMatchObject({
      code: 'TRANSACTION_FAILED',
      details: { step: 'originSwap', reason: expect.stringMatching(/^it would deliver \d+ of .* less than/) },
    });
  });

  it('fails the build when the token has a transfer tax', async () => {
    const user = await holder({ taxBps: 100 });
    const failure = await harness.failureOf(build, {
      quoteId: (await quoteOdd()).quoteId,
      userAddress: user.address,
    });
    expect(failure).toMatchObject({ code: 'TRANSACTION_FAILED', details: { reason: expect.any(String) } });
  });
});

describe('signer with an insufficient balance', () => {
  it('gets INSUFFICIENT_BALANCE with the exact missing token amount', async () => {
    const user = await harness.newUser({ USDT: 100n * usd - 1n });
    expect(await rejection(swapUsdt(), user)).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: {
        chainId: 8453,
        token: harness.chain.usdt.address,
        required: '100000000',
        available: '99999999',
      },
    });
  });

  it('gets INSUFFICIENT_BALANCE with the exact native coins for amount and gas', async () => {
    const user = await harness.newUser();
    const amount = ether;
    const coins = (wei: bigint) =>
      harness.chain.anvil.send('anvil_setBalance', [user.address, `0x${wei.toString(16)}`]);
    await coins(amount - 1n);
    const input: SwapInput = { from: 'ETH', to: 'USDC', amount };
    expect(await rejection(input, user)).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { token: ZeroAddress, required: String(amount), available: String(amount - 1n) },
    });
    await coins(amount);
    const gasSettings = { gasLimit: '300000', maxFeePerGas: '3000000000' };
    const needed = amount + 300_000n * 3_000_000_000n;
    expect(await rejection(input, user, { gasSettings })).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { token: ZeroAddress, required: String(needed), available: String(amount) },
    });
    await coins(needed - 1n);
    expect(await rejection(input, user, { gasSettings })).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await coins(needed);
    await completed(await harness.built(input, user, { gasSettings }), user);
  });

  it('gets INSUFFICIENT_BALANCE also on a node without simulation', async () => {
    tap.without('eth_simulateV1');
    const user = await harness.newUser({ USDT: 1n });
    expect(await rejection(swapUsdt(), user)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });
});

describe('gas settings of a build', () => {
  it('reject a limit that is too low, and name a limit that is enough', async () => {
    const user = await harness.newUser({ USDT: 300n * usd });
    const plain = await harness.built(swapUsdt(), user);
    const used = BigInt(plain.summary.totalGasEstimate) - 46_000n;
    const failure = await rejection(swapUsdt(), user, { gasSettings: { gasLimit: '60000' } });
    expect(failure).toMatchObject({ code: 'GAS_LIMIT_EXCEEDED', details: { gasLimit: '60000' } });
    const { required } = failure.details as { required: string };
    expect(BigInt(required)).toBeGreaterThan(used);
    await completed(await harness.built(swapUsdt(), user, { gasSettings: { gasLimit: required } }), user);
  });

  it('reject a limit above the block gas limit', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    tap.instead = ({ method }) => {
      const block = { number: '0x1', baseFeePerGas: '0x1', gasLimit: '0x7a120' };
      return method === 'eth_getBlockByNumber' ? { result: block } : undefined;
    };
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const failure = await rejection(swapUsdt(), user, { gasSettings: { gasLimit: '500001' } });
    expect(failure).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'gasSettings.gasLimit', message: expect.stringMatching(/at most 500000,.* Base/) }],
    });
  });

  it('accept only limits that are enough on the chain', async () => {
    const user = await harness.newUser({ USDT: 1000n * usd });
    await approve(harness.chain.usdt.address, user, MaxUint256);
    const { totalGasEstimate } = (await harness.built(swapUsdt(), user)).summary;
    const { quoteId } = await harness.quote(swapUsdt());
    // Finds the lowest accepted limit, starting at the gas that a call used.
    for (let percent = 100n; ; percent += 2n) {
      const gasLimit = String((BigInt(totalGasEstimate) * percent) / 100n);
      const outcome = await harness
        .build(quoteId, user.address, { gasSettings: { gasLimit } })
        .catch((error: unknown) => error as DomainError);
      if ('code' in outcome) {
        expect(outcome.code).toBe('GAS_LIMIT_EXCEEDED');
        continue;
      }
      expect(percent).toBeLessThan(140n);
      await completed(outcome, user);
      return;
    }
  });

  it('reject a fee below the base fee', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    for (const gasSettings of [{ maxFeePerGas: '1' }, { gasPrice: '1' }]) {
      const [name] = Object.keys(gasSettings);
      const failure = await rejection(swapUsdt(), user, { gasSettings });
      expect(failure).toMatchObject({ code: 'GAS_LIMIT_EXCEEDED', details: { [name!]: '1' } });
    }
  });

  it.each<[string, object, object]>([
    ['a price of the old form', { gasPrice: '5000000000' }, { gasPrice: '5000000000' }],
    [
      'a fee and a tip',
      { maxFeePerGas: '7000000000', maxPriorityFeePerGas: '2' },
      { maxFeePerGas: '7000000000', maxPriorityFeePerGas: '2' },
    ],
    ['a tip of 0', { maxPriorityFeePerGas: '0' }, { maxPriorityFeePerGas: '0' }],
    ['a fee alone', { maxFeePerGas: '7000000000' }, { maxFeePerGas: '7000000000' }],
    ['a limit alone', { gasLimit: '400000' }, { gas: '400000' }],
    ['the highest limit of a transaction', { gasLimit: '16777216' }, { gas: '16777216' }],
    [
      'a fee, with an ignored price of the old form',
      { gasPrice: '1', maxFeePerGas: '7000000000', maxPriorityFeePerGas: '2' },
      { maxFeePerGas: '7000000000', maxPriorityFeePerGas: '2' },
    ],
  ])('sign and broadcast fees given as %s', async (_, gasSettings, expected) => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const set = await harness.built(swapUsdt(), user, { gasSettings });
    for (const transaction of set.transactions) expect(transaction).toMatchObject(expected);
    const done = await completed(set, user);
    const mined = await harness.chain.anvil.provider.getTransaction(done.timeline.at(-1)!.txHash!);
    expect(mined!.type).toBe('gasPrice' in gasSettings && !('maxFeePerGas' in gasSettings) ? 0 : 2);
    expect(String(mined!.gasLimit)).toBe(set.transactions.at(-1)!.gas);
  });

  it.each<[object, string[]]>([
    [{ gasPrice: '5', maxFeePerGas: '5', maxPriorityFeePerGas: '6' }, ['gasSettings.maxPriorityFeePerGas']],
    [{ gasLimit: '16777217' }, ['gasSettings.gasLimit']],
    [{ gasLimit: '99999999999' }, ['gasSettings.gasLimit']],
    [{ maxFeePerGas: '100000000000001' }, ['gasSettings.maxFeePerGas']],
    [{ gasLimit: '0' }, ['gasSettings.gasLimit']],
    [{ gasLimit: 21000 }, ['gasSettings.gasLimit']],
    [{ maxFeePerGas: 'abc', gasPrice: '-1' }, ['gasSettings.gasPrice', 'gasSettings.maxFeePerGas']],
    [{ maxFeePerGas: '1e9', tip: '1' }, ['gasSettings.maxFeePerGas', 'gasSettings.tip']],
  ])('reject contradictory settings: %j', async (gasSettings, fields) => {
    const failure = await rejection(swapUsdt(), harness.user, { gasSettings });
    expect(failure.code).toBe('VALIDATION_ERROR');
    expect((failure.details as FieldError[]).map(({ field }) => field).sort()).toEqual(fields);
  });
});

describe('deadline of a build', () => {
  const now = () => Math.floor(clock.now() / 1_000);
  const near = (seconds: number) => seconds - now() >= -2 && seconds - now() <= 0;

  it.each([-3_600, -1, 0])('rejects a deadline %i seconds from now', async (seconds) => {
    const deadline = now() + seconds;
    const failure = await rejection(swapUsdt(), harness.user, { deadline });
    expect(failure).toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { deadline } });
  });

  it.each<[string, () => number | string]>([
    ['in milliseconds', () => now() * 1_000],
    ['in ten years', () => now() + 10 * 365 * 86_400],
    ['beyond a day', () => now() + 86_410],
    ['as a fraction', () => now() + 0.5],
    ['as a text', () => String(now() + 60)],
    ['beyond the safe integers', () => 2 ** 60],
  ])('rejects %s', async (_, deadline) => {
    const failure = await rejection(swapUsdt(), harness.user, { deadline: deadline() });
    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'deadline' }] });
  });

  it('defaults to 20 minutes', async () => {
    const set = await harness.built(swapUsdt(), harness.user);
    expect(near(set.validUntil - 20 * 60)).toBe(true);
  });

  it('applies on the chain itself', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    await approve(harness.chain.usdt.address, user, MaxUint256);
    const deadline = now() + 100;
    const set = await harness.built(swapUsdt(), user, { deadline });
    expect(set.validUntil).toBe(deadline);
    const { to, data } = set.transactions[0]!;
    const { anvil } = harness.chain;
    const call = () => anvil.provider.call({ from: user.address, to, data });
    await expect(call()).resolves.toMatch(/^0x/);
    const state = await anvil.send('evm_snapshot');
    await anvil.mineAt(deadline + 1);
    await expect(call()).rejects.toThrow(/too old|revert/i);
    await anvil.send('evm_revert', [state]);
  });
});

describe('addresses of a build', () => {
  it('deliver the output to another recipient', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const recipient = Wallet.createRandom().address;
    const set = await harness.built(swapUsdt(), user, { recipient });
    await completed(set, user);
    expect(await harness.balance('USDC', recipient)).toBe(BigInt(set.outputAmount));
    expect(await harness.balance('USDC', user.address)).toBe(0n);
  });

  it('accept lower-case spelling', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const set = await harness.built(swapUsdt(), { address: user.address.toLowerCase() });
    await completed(set, user);
  });

  it('cause one error that lists all invalid addresses and gas settings', async () => {
    const { quoteId } = await harness.quote(swapUsdt());
    const failure = await harness.failureOf(build, {
      quoteId,
      userAddress: ZeroAddress,
      recipient: `0x${'e'.repeat(40)}`,
      gasSettings: { maxFeePerGas: '1', maxPriorityFeePerGas: '2' },
    });
    expect(failure.code).toBe('VALIDATION_ERROR');
    expect((failure.details as FieldError[]).map(({ field }) => field)).toEqual([
      'userAddress',
      'recipient',
      'gasSettings.maxPriorityFeePerGas',
    ]);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['the input token', () => harness.chain.usdt.address],
    ['the output token', () => harness.chain.usdc.address.toLowerCase()],
    ['another token', () => harness.chain.dai.address],
    ['the payment contract', () => harness.chain.payContract],
    ['the router', () => router],
    ['a pool', () => pool()],
    ['a bridge', () => harness.chain.bridge!.spokePool],
    ['Permit2', () => '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['a burn address', () => '0x000000000000000000000000000000000000dEaD'],
    ['a precompile', () => '0x0000000000000000000000000000000000000001'],
    ['a wrong checksum', () => '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a name', () => 'vitalik.eth'],
  ])('reject a recipient that is %s', async (_, recipient) => {
    const failure = await rejection(swapUsdt(), harness.user, { recipient: await recipient() });
    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'recipient' }] });
    const own = await rejection(swapUsdt(), { address: await recipient() });
    expect(own).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'userAddress' }] });
  });

  const pool = async (): Promise<string> => {
    const abi = ['function getPool(address, address, uint24) view returns (address)'];
    const factory = new Contract(harness.chain.exchange!.factory, abi, harness.chain.anvil.provider);
    const { usdc, usdt } = harness.chain;
    return (await factory.getFunction('getPool').staticCall(usdc.address, usdt.address, 100)) as string;
  };
});

describe('price movement between quote and build', () => {
  afterEach(() => harness.chain.anvil.send('evm_revert', [state]));
  let state: unknown;
  beforeEach(async () => (state = await harness.chain.anvil.send('evm_snapshot')));

  /** Swaps in the same direction, which makes the next price worse. */
  async function bigSwap(amount: bigint): Promise<void> {
    const whale = await harness.newUser({ USDT: amount });
    await completed(await harness.built(swapUsdt(amount), whale), whale);
  }

  it('builds within the slippage with the quoted minimum', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const quote = await harness.quote(swapUsdt());
    await bigSwap(10_000_000n * usd);
    const set = await harness.build(quote.quoteId, user.address);
    expect(BigInt(set.outputAmount)).toBeLessThan(BigInt(quote.outputAmount));
    expect(BigInt(set.minOutputAmount)).toBeGreaterThanOrEqual(BigInt(quote.minOutputAmount));
    expect(BigInt(set.minOutputAmount)).toBeLessThanOrEqual(BigInt(set.outputAmount));
    const done = await completed(set, user);
    expect(done.result!.finalAmountOut).toBe(set.outputAmount);
  });

  it('fails the build when the price is beyond the slippage', async () => {
    const quote = await harness.quote({ ...swapUsdt(), slippageBps: 1 });
    await bigSwap(100_000_000n * usd);
    const { address } = await harness.newUser({ USDT: 100n * usd });
    expect(await harness.failureOf(build, { quoteId: quote.quoteId, userAddress: address })).toMatchObject({
      code: 'QUOTE_UNAVAILABLE',
      details: { reason: 'priceMoved' },
    });
  });
});

describe('swap that would revert', () => {
  const asCircle = async (method: string, ...args: string[]) => {
    const abi = ['function blacklist(address)', 'function pause()', 'function unpause()'];
    const usdc = new Contract(harness.chain.usdc.address, abi, harness.chain.anvil.wallet(0));
    await mined(await usdc.getFunction(method).send(...args));
  };
  const swapUsdc: SwapInput = { from: 'USDC', to: 'DAI', amount: 100n * usd };

  it.each(['eth_simulateV1', 'none'])(
    'fails the build with the revert reason of its token on a node without %s',
    async (missing) => {
      tap.without(missing);
      const user = await harness.newUser({ USDC: 100n * usd });
      const { quoteId } = await harness.quote(swapUsdc);
      await asCircle('pause');
      const failure = await harness.failureOf(build, { quoteId, userAddress: user.address });
      await asCircle('unpause');
      expect(failure).toMatchObject({
        code: 'TRANSACTION_FAILED',
        details: { step: 'approval', txHash: null, gasUsed: '0', reason: 'Pausable: paused' },
      });
    },
  );

  it('fails the build with the revert reason if the signer is blocklisted', async () => {
    const user = await harness.newUser({ USDC: 100n * usd });
    await asCircle('blacklist', user.address);
    expect(await rejection(swapUsdc, user)).toMatchObject({
      code: 'TRANSACTION_FAILED',
      details: { step: 'originSwap', reason: 'STF' },
    });
  });

  it('fails the build if the recipient is blocklisted', async () => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const recipient = Wallet.createRandom().address;
    await asCircle('blacklist', recipient);
    const failure = await rejection(swapUsdt(), user, { recipient });
    expect(failure).toMatchObject({ code: 'TRANSACTION_FAILED', details: { step: 'originSwap' } });
  });
});

describe('node failures during a build', () => {
  it('builds on a node without simulation', async () => {
    tap.without('eth_simulateV1');
    const user = await harness.newUser({ USDT: 100n * usd });
    const set = await harness.built(swapUsdt(), user);
    const done = await completed(set, user);
    expect(done.result!.finalAmountOut).toBe(set.outputAmount);
    expect(tap.count('eth_simulateV1')).toBeGreaterThan(0);
  });

  it.each(['down', 'slow'] as const)('returns UPSTREAM_UNAVAILABLE while the node is %s', async (mode) => {
    const { quoteId } = await harness.quote(swapUsdt());
    tap.mode = mode;
    const startedMs = performance.now();
    const failure = await harness.failureOf(build, { quoteId, userAddress: harness.user.address });
    expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(performance.now() - startedMs).toBeLessThan(12_000);
  });

  it.each<[string, unknown]>([
    ['eth_simulateV1', { calls: 'none' }],
    ['eth_simulateV1', [{ calls: [{ status: '0x1' }, { status: '0x1' }] }]],
    ['eth_simulateV1', null],
    ['eth_getTransactionCount', 'seven'],
    ['eth_getTransactionCount', null],
    ['eth_getBalance', '0x'],
    ['eth_getBlockByNumber', null],
    ['eth_maxPriorityFeePerGas', {}],
  ])('rejects a reply to %s of %j', async (method, result) => {
    const user = await harness.newUser({ USDT: 100n * usd });
    const { quoteId } = await harness.quote(swapUsdt());
    await new Promise((resolve) => setTimeout(resolve, method.match(/Block|Fee/) ? 2_100 : 0));
    tap.instead = (asked) => (asked.method === method ? { result } : undefined);
    const failure = await harness.failureOf(build, { quoteId, userAddress: user.address });
    expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('repeated builds of one quote', () => {
  const nonces = ({ transactions }: BuiltSet) => transactions.map(({ nonce }) => nonce);
  const fund = () => harness.newUser({ USDT: 100n * usd });
  const execute = transactionsApi.operations.executeTransactions;
  const setsOf = (quoteId: string) =>
    rows(
      `SELECT state, replaced_by FROM transaction_sets WHERE quote_id = '${quoteId}' ORDER BY created_at, id`,
    );

  it('return one set for equal terms, also concurrently', async () => {
    const user = await fund();
    const { quoteId } = await harness.quote(swapUsdt());
    await harness.startApp();
    const sets = await Promise.all(Array.from({ length: 20 }, () => harness.build(quoteId, user.address)));
    sets.push(await harness.build(quoteId, user.address.toLowerCase(), { recipient: user.address }));
    for (const set of sets) expect(set).toEqual(sets[0]);
    expect(await setsOf(quoteId)).toEqual([{ state: 'built', replaced_by: null }]);
    await completed(sets[0]!, user);
  });

  it('return the same set after the quote has expired, while the set can be executed', async () => {
    const user = await fund();
    const { quoteId, expiresAt } = await harness.quote(swapUsdt());
    const set = await harness.build(quoteId, user.address);
    aheadMs += expiresAt * 1_000 - clock.now() + 1_000;
    expect(await harness.build(quoteId, user.address)).toEqual(set);
    const failure = await harness.failureOf(build, { quoteId, userAddress: (await fund()).address });
    expect(failure.code).toBe('QUOTE_EXPIRED');
  });

  it.each<[string, (user: HDNodeWallet) => object]>([
    ['another recipient', () => ({ recipient: Wallet.createRandom().address })],
    ['deadline of a build', () => ({ deadline: Math.floor(clock.now() / 1_000) + 600 })],
    ['a gas limit', () => ({ gasSettings: { gasLimit: '900000' } })],
    ['a fee', () => ({ gasSettings: { maxFeePerGas: '9000000000' } })],
  ])('replace and expire the unsigned set with %s', async (_, changes) => {
    const user = await fund();
    const { quoteId } = await harness.quote(swapUsdt());
    const first = await harness.build(quoteId, user.address);
    const second = await harness.build(quoteId, user.address, changes(user));
    expect(second.transactionId).not.toBe(first.transactionId);
    expect(nonces(second)).toEqual(nonces(first));
    expect(await setsOf(quoteId)).toEqual([
      { state: 'expired', replaced_by: second.transactionId },
      { state: 'built', replaced_by: null },
    ]);
    expect(await harness.status(first.transactionId)).toMatchObject({
      status: 'expired',
      failure: { message: expect.stringContaining(second.transactionId) },
    });
    const signatures = await signAll(first, user);
    expect(
      await harness.failureOf(execute, { transactionId: first.transactionId, signatures }),
    ).toMatchObject({
      code: 'INVALID_QUOTE',
      details: { reason: 'replaced', transactionId: second.transactionId },
    });
    await completed(second, user);
  });

  it('leave one executable set when they run concurrently with different terms', async () => {
    const user = await fund();
    const { quoteId } = await harness.quote(swapUsdt());
    const limits = Array.from({ length: 10 }, (_, at) => String(900_000 + at));
    const sets = await Promise.all(
      limits.map((gasLimit) => harness.build(quoteId, user.address, { gasSettings: { gasLimit } })),
    );
    const stored = (await setsOf(quoteId)) as { state: string }[];
    expect(stored.filter(({ state }) => state === 'built')).toHaveLength(1);
    const states = await Promise.all(sets.map(({ transactionId }) => harness.status(transactionId)));
    const standing = sets.filter((_, at) => states[at]!.status === 'built');
    expect(standing).toHaveLength(1);
    await completed(standing[0]!, user);
  });

  it('return separate sets for different signers', async () => {
    const [one, other] = [await fund(), await fund()];
    const { quoteId } = await harness.quote(swapUsdt());
    const [first, second] = [
      await harness.build(quoteId, one.address),
      await harness.build(quoteId, other.address),
    ];
    expect(second.transactionId).not.toBe(first.transactionId);
    await completed(first, one);
    await completed(second, other);
  });

  it('rebuild the set when the nonce was used or the base fee exceeds the offered fee', async () => {
    const user = await fund();
    const { quoteId } = await harness.quote(swapUsdt());
    const gasSettings = { maxFeePerGas: '3000000000' };
    const first = await harness.build(quoteId, user.address, { gasSettings });
    await harness.chain.transfer(harness.chain.stranger.address, 1n, undefined, user);
    const second = await harness.build(quoteId, user.address, { gasSettings });
    expect(nonces(second)).toEqual(nonces(first).map((nonce) => nonce + 1));
    expect((await harness.status(first.transactionId)).status).toBe('expired');
    await harness.chain.anvil.send('anvil_setNextBlockBaseFeePerGas', ['0x12a05f200']);
    await harness.chain.anvil.mine();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const failure = await harness.failureOf(build, { quoteId, userAddress: user.address, gasSettings });
    expect(failure.code).toBe('GAS_LIMIT_EXCEEDED');
    await completed(await harness.build(quoteId, user.address), user);
  });

  it('return INVALID_QUOTE with the id of a signed set', async () => {
    const user = await fund();
    const { quoteId } = await harness.quote(swapUsdt());
    const set = await harness.build(quoteId, user.address);
    await harness.execute(set.transactionId, await signAll(set, user), false);
    // A set with stored signatures and without a broadcast still counts.
    expect((await harness.build(quoteId, user.address)).transactionId).toBe(set.transactionId);
    const request = { quoteId, userAddress: user.address };
    const executed = {
      code: 'INVALID_QUOTE',
      details: { reason: 'quote_executed', transactionId: set.transactionId },
    };
    const other = { ...request, recipient: Wallet.createRandom().address };
    expect(await harness.failureOf(build, other)).toMatchObject(executed);
    await harness.executed(set, user);
    expect(await harness.failureOf(build, request)).toMatchObject(executed);
    await harness.mining(set.transactionId, { status: 'completed' });
    expect(await harness.failureOf(build, request)).toMatchObject(executed);
  });

  it('replace a set or let a concurrent execution win, but never both', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await fund();
      const { quoteId } = await harness.quote(swapUsdt());
      const first = await harness.build(quoteId, user.address);
      const outcomes = await Promise.allSettled([
        harness.executed(first, user),
        harness.build(quoteId, user.address, { gasSettings: { gasLimit: '900000' } }),
      ]);
      const failed = outcomes.filter(({ status }) => status === 'rejected');
      expect(failed).toHaveLength(1);
      // After the first set is mined, a build that simulates or reads balances finds the tokens spent.
      const spent = ['TRANSACTION_FAILED', 'INSUFFICIENT_BALANCE'];
      const codes = outcomes[0].status === 'rejected' ? ['INVALID_QUOTE'] : ['INVALID_QUOTE', ...spent];
      expect(codes).toContain((failed[0] as PromiseRejectedResult).reason.code);
    }
  });

  it('store nothing if they fail', async () => {
    const count = () => rows('SELECT count(*)::int AS n FROM transaction_sets');
    // Counts events of new sets only, because the worker may expire sets of earlier tests at any time.
    const outbox = () =>
      rows(`SELECT count(*)::int AS n FROM outbox WHERE (payload ->> 'aggregateVersion')::int = 1`);
    const user = await harness.newUser();
    const { quoteId } = await harness.quote(swapUsdt());
    const before = [await count(), await outbox()];
    await harness.failureOf(build, { quoteId, userAddress: user.address });
    await harness.failureOf(build, { quoteId, userAddress: user.address, deadline: 1 });
    expect([await count(), await outbox()]).toEqual(before);
    await harness.build(quoteId, (await fund()).address);
    expect(await outbox()).not.toEqual(before[1]);
  });
});

async function rows(text: string): Promise<unknown> {
  const client = new Client({ connectionString: harness.database.ownerUrl });
  await client.connect();
  const { rows: found } = await client.query(text);
  await client.end();
  return found;
}

async function pooledOdd(): Promise<OddToken> {
  const deployer = harness.chain.anvil.wallet(0);
  const odd = await deployOddToken(deployer, { symbol: 'ODD', decimals: 6 });
  await openPools(deployer, {
    uniswap: harness.chain.exchange!,
    tokens: [{ symbol: 'ODD', address: odd.address, decimals: 6 }, harness.chain.usdc],
    prices: { ODD: '1', USDC: '1' },
    pools: [{ tokens: ['ODD', 'USDC'], feePips: 3000 }],
  });
  return odd;
}
