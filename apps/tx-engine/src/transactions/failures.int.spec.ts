import type { TransactionStatus } from '@tollbridge/contracts';
import { eventually, ManualClock } from '@tollbridge/testing';
import type { HDNodeWallet } from 'ethers';
import { Contract } from 'ethers';
import { signAll, TxEngine, type Symbol } from '../testing/tx-engine';

const confirmations = 3;
const usd = 10n ** 6n;
const ether = 10n ** 18n;
const minuteMs = 60_000;
let clock: ManualClock;
let harness: TxEngine;

beforeAll(async () => {
  clock = new ManualClock();
  harness = await TxEngine.start({ confirmations, clock });
});
afterAll(() => harness?.close());
beforeEach(() => {
  // This clock advances in small steps only, so polls that are far in the future do not run.
  ticking = setInterval(() => clock.advance(200), 50);
});
afterEach(async () => {
  clearInterval(ticking);
  await harness.chain.anvil.setAutomine(true);
});
let ticking: NodeJS.Timeout;

interface Sent {
  id: string;
  user: HDNodeWallet;
  hashes: string[];
  nonces: number[];
}

/** Returns a set that is signed and executed while no block is mined. */
async function waiting(from: Symbol = 'ETH', to: Symbol = 'USDC', amount = ether / 10n): Promise<Sent> {
  clock.set(Math.max(clock.now(), (await harness.chain.anvil.time()) * 1_000));
  const user = await harness.newUser(from === 'ETH' ? {} : { [from]: amount });
  const built = await harness.built({ from, to, amount }, user);
  await harness.chain.anvil.setAutomine(false);
  const { transactions } = await harness.executed(built, user);
  return {
    id: built.transactionId,
    user,
    hashes: transactions.map(({ hash }) => hash),
    nonces: built.transactions.map(({ nonce }) => nonce),
  };
}

const failed = (id: string, step: string, reason: unknown, txHash: unknown): Promise<TransactionStatus> =>
  harness.until(id, {
    status: 'failed',
    failure: {
      code: 'TRANSACTION_FAILED',
      message: expect.any(String),
      details: expect.objectContaining({ step, reason, txHash }),
    },
  });

async function claimsOf(id: string): Promise<number> {
  return (await harness.database.query('SELECT FROM tx_engine.nonce_claims WHERE set_id = $1', [id])).length;
}

const isKnown = async (hash: string): Promise<boolean> =>
  (await harness.chain.anvil.send('eth_getTransactionByHash', [hash])) !== null;

const gasOf = async (hash: string): Promise<bigint> =>
  (await harness.chain.anvil.provider.getTransactionReceipt(hash))!.gasUsed;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const expensive = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };

describe('another transaction with the same nonce', () => {
  it('fails the set with its own hash when it is a different call and final', async () => {
    const { id, user, nonces } = await waiting();
    const to = harness.chain.stranger.address;
    const { hash } = await user.sendTransaction({ to, value: 1n, nonce: nonces[0]!, ...expensive });
    await harness.chain.anvil.mine(confirmations - 1);
    await pause(1_200);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
    await harness.chain.anvil.mine();
    const reason = `another transaction of the signer with the nonce ${nonces[0]} was mined in its place (${hash})`;
    const status = await failed(id, 'originSwap', reason, hash);
    expect(status.failure!.details).toMatchObject({ gasUsed: '0' });
    expect(await claimsOf(id)).toBe(0);
  });

  it('fails the set if the signer cancels it, and the next build succeeds', async () => {
    const { id, user, nonces } = await waiting();
    const { hash } = await user.sendTransaction({ to: user.address, nonce: nonces[0]!, ...expensive });
    await harness.chain.anvil.mine(confirmations);
    await failed(id, 'originSwap', expect.stringContaining(hash), hash);
    const next = await harness.built({ from: 'ETH', to: 'USDC', amount: ether / 10n }, user);
    expect(next.transactions[0]!.nonce).toBe(nonces[0]! + 1);
  });

  it('completes the set if it is the same call with a higher fee', async () => {
    const { id, user, nonces } = await waiting();
    const details = (await harness.status(id, true)).details!;
    const { to, data, value, gas } = details.built[0]!;
    const call = { to, data, value, gasLimit: gas, nonce: nonces[0]! };
    const { hash } = await user.sendTransaction({ ...call, ...expensive });
    const done = await harness.mining(id, { status: 'completed' });
    expect(done.timeline[0]).toMatchObject({ txHash: hash });
    expect(done.result!.actualGasUsed).toBe(String(await gasOf(hash)));
    // Repeats the call with the first signatures.
    const again = await harness.execute(id, await signAll({ transactions: details.built }, user));
    expect(again).toMatchObject({ status: 'completed', transactions: [{ hash }] });
  });

  it('completes the set if it is the same call, mined long before the poll', async () => {
    const { id, user, nonces } = await waiting();
    await harness.stopApps();
    const { to, data, value, gas } = await builtOf(id);
    const call = { to, data, value, gasLimit: gas, nonce: nonces[0]! };
    const { hash } = await user.sendTransaction({ ...call, ...expensive });
    await harness.chain.anvil.mine(500);
    await harness.startApp();
    expect((await harness.until(id, { status: 'completed' })).timeline[0]).toMatchObject({ txHash: hash });
  });

  it('prevents the swap when it replaces the approval', async () => {
    const { id, user, nonces, hashes } = await waiting('USDT', 'USDC', 100n * usd);
    await user.sendTransaction({ to: user.address, nonce: nonces[0]!, ...expensive });
    await harness.chain.anvil.mine(confirmations);
    await failed(id, 'approval', expect.stringContaining('was mined in its place'), expect.any(String));
    expect(await isKnown(hashes[1]!)).toBe(false);
  });
});

async function builtOf(id: string) {
  const [row] = await harness.database.query<{ transactions: any[] }>(
    'SELECT transactions FROM tx_engine.transaction_sets WHERE id = $1',
    [id],
  );
  const { to, data, valueAtomic, gasLimitUnits } = row!.transactions[0];
  return { to, data, value: valueAtomic, gas: gasLimitUnits };
}

describe('transaction dropped from the pool', () => {
  it('rebroadcasts the transaction and completes the set', async () => {
    const { id, hashes } = await waiting();
    await harness.chain.anvil.send('anvil_dropTransaction', [hashes[0]]);
    await eventually(async () => expect(await isKnown(hashes[0]!)).toBe(true));
    await harness.mining(id, { status: 'completed' });
  });

  it('does not fail while a node rejects the rebroadcast', async () => {
    const { id, hashes, user } = await waiting();
    await harness.chain.anvil.send('anvil_setBalance', [user.address, '0x0']);
    await harness.chain.anvil.send('anvil_dropTransaction', [hashes[0]]);
    await pause(1_500);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
    await harness.chain.anvil.send('anvil_setBalance', [user.address, `0x${(10n ** 20n).toString(16)}`]);
    await harness.mining(id, { status: 'completed' });
  });

  it('fails long after its deadline, and releases its nonce', async () => {
    const { id, hashes, user, nonces } = await waiting();
    await harness.chain.anvil.send('anvil_setBalance', [user.address, '0x0']);
    await harness.chain.anvil.send('anvil_dropTransaction', [hashes[0]]);
    clock.advance(21 * minuteMs);
    await pause(600);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
    clock.advance(10 * minuteMs);
    await failed(id, 'originSwap', 'dropped by the network before it was mined', hashes[0]);
    expect((await harness.status(id, true)).details!.sent[0]).toMatchObject({ status: 'dropped' });
    expect(await claimsOf(id)).toBe(0);
    await harness.chain.anvil.send('anvil_setBalance', [user.address, `0x${(10n ** 20n).toString(16)}`]);
    const next = await harness.built({ from: 'ETH', to: 'USDC', amount: ether / 10n }, user);
    expect(next.transactions[0]!.nonce).toBe(nonces[0]);
  });

  it('stays submitted while the pool of a node has it', async () => {
    const { id } = await waiting();
    clock.advance(60 * minuteMs);
    await pause(600);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
  });
});

describe('failures between approval and swap', () => {
  it('never broadcast the swap after validUntil', async () => {
    const { id, hashes, nonces, user } = await waiting('USDT', 'USDC', 100n * usd);
    clock.advance(21 * minuteMs);
    await harness.chain.anvil.mine();
    const reason = 'validUntil passed before the transaction ahead of it was mined';
    await failed(id, 'originSwap', reason, null);
    expect(await isKnown(hashes[1]!)).toBe(false);
    await harness.chain.anvil.mine(confirmations);
    expect(await harness.chain.anvil.provider.getTransactionCount(user.address)).toBe(nonces[1]);
    expect(await claimsOf(id)).toBe(0);
  });

  it('never broadcast the swap after a reverted approval, and state the gas', async () => {
    const { id, hashes } = await waiting('USDC', 'USDT', 100n * usd);
    await pauseUsdc(true);
    try {
      await harness.chain.anvil.mine(confirmations);
      const status = await failed(id, 'approval', 'Pausable: paused', hashes[0]);
      expect(status.failure!.details).toMatchObject({ gasUsed: String(await gasOf(hashes[0]!)) });
      expect(await isKnown(hashes[1]!)).toBe(false);
    } finally {
      await pauseUsdc(false);
    }
  });
});

/** Pauses Circle's token, so that all of its calls revert. */
async function pauseUsdc(isOn: boolean): Promise<void> {
  const { anvil, usdc } = harness.chain;
  const abi = ['function pauser() view returns (address)'];
  const pauser: string = await new Contract(usdc.address, abi, anvil.provider).getFunction('pauser')();
  await anvil.send('anvil_impersonateAccount', [pauser]);
  await anvil.send('anvil_setBalance', [pauser, `0x${(10n ** 20n).toString(16)}`]);
  const data = isOn ? '0x8456cb59' : '0x3f4ba83a';
  const fees = { maxFeePerGas: '0xe8d4a51000', maxPriorityFeePerGas: '0xe8d4a51000' };
  await anvil.send('eth_sendTransaction', [
    { from: pauser, to: usdc.address, data, gas: '0x30d40', ...fees },
  ]);
  await anvil.send('anvil_stopImpersonatingAccount', [pauser]);
  if (!isOn) await anvil.mine();
}

describe('reverted swap', () => {
  it('fails with the reason and gas of the receipt when it is final, after a price change', async () => {
    const { id, hashes } = await waiting();
    // The higher fee puts the other transaction first in the block.
    await moveThePrice(harness.chain.stranger);
    await harness.chain.anvil.mine();
    await harness.until(id, { status: 'confirming' });
    await harness.chain.anvil.mine(confirmations - 2);
    await pause(300);
    expect(await harness.status(id)).toMatchObject({ status: 'confirming', failure: null });
    await harness.chain.anvil.mine();
    const status = await failed(id, 'originSwap', 'Too little received', hashes[0]);
    expect(status.failure!.details).toMatchObject({ gasUsed: String(await gasOf(hashes[0]!)) });
    expect(status.result).toMatchObject({
      success: false,
      finalAmountOut: '0',
      actualGasUsed: String(await gasOf(hashes[0]!)),
    });
    expect(status.timeline).toMatchObject([{ step: 'originSwap', status: 'failed', txHash: hashes[0] }]);
    expect(await claimsOf(id)).toBe(0);
  });

  it('fails with the reason after its deadline', async () => {
    const { id, hashes } = await waiting();
    await harness.chain.anvil.mineAt(Math.ceil(clock.now() / 1_000) + 21 * 60);
    await harness.chain.anvil.mine(confirmations - 1);
    await failed(id, 'originSwap', expect.stringMatching(/too old/i), hashes[0]);
  });

  it('fails when it runs out of gas', async () => {
    const { id, hashes } = await waiting();
    const restore = await loopForever(harness.chain.weth.address);
    await harness.chain.anvil.mine();
    await restore();
    await harness.chain.anvil.mine(confirmations);
    const { failure, details } = await failed(id, 'originSwap', 'ran out of gas', hashes[0]);
    expect(failure!.details).toMatchObject({ gasUsed: String(await gasOf(hashes[0]!)) });
    expect(BigInt(details!.built[0]!.gas)).toBeGreaterThanOrEqual(await gasOf(hashes[0]!));
  });

  it('completes the set when its block is reorged and the next attempt succeeds', async () => {
    const { id, hashes } = await waiting();
    const restore = await loopForever(harness.chain.weth.address);
    await harness.chain.anvil.mine();
    await eventually(async () =>
      expect((await harness.status(id)).timeline[0]).toMatchObject({ status: 'failed' }),
    );
    await harness.chain.anvil.mine(confirmations - 2);
    await harness.chain.anvil.reorg(confirmations - 1);
    await restore();
    await harness.until(id, { status: 'submitted', failure: null });
    const done = await harness.mining(id, { status: 'completed' });
    expect(done.result!.actualGasUsed).toBe(String(await gasOf(hashes[0]!)));
  });
});

/** Deploys a contract that consumes all gas of its calls. */
async function loopForever(address: string): Promise<() => Promise<unknown>> {
  const { anvil } = harness.chain;
  const code = await anvil.send('eth_getCode', [address, 'latest']);
  await anvil.send('anvil_setCode', [address, '0x5b600056']);
  return () => anvil.send('anvil_setCode', [address, code]);
}

/** Swaps an amount that moves the pool's price beyond the slippage, at a high gas price. */
async function moveThePrice(by: HDNodeWallet): Promise<void> {
  const { anvil, exchange, weth, usdc } = harness.chain;
  const abi = [
    'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256)',
  ];
  await anvil.send('anvil_setBalance', [by.address, `0x${(10n ** 27n).toString(16)}`]);
  const router = new Contract(exchange!.router, abi, by);
  const amountIn = 10n ** 24n;
  const way = { tokenIn: weth.address, tokenOut: usdc.address, fee: 500, recipient: by.address };
  await router
    .getFunction('exactInputSingle')
    .send(
      { ...way, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
      { value: amountIn, gasLimit: 500_000n, ...expensive },
    );
}

it('fails a set long after validUntil if the node never replied to its broadcast', async () => {
  clock.set(Math.max(clock.now(), (await harness.chain.anvil.time()) * 1_000));
  const user = await harness.newUser();
  const built = await harness.built({ from: 'ETH', to: 'USDC', amount: ether / 10n }, user);
  await harness.chain.anvil.setAutomine(false);
  const { nonce } = built.transactions[0]!;
  // The node's reply to another transaction with this nonce is not the outcome of the first one.
  await user.sendTransaction({ to: user.address, nonce, ...expensive });
  const { status } = await harness.execute(built.transactionId, await signAll(built, user));
  expect(status).toBe('submitting');
  clock.advance(32 * minuteMs);
  await failed(
    built.transactionId,
    'originSwap',
    'dropped by the network before it was mined',
    expect.any(String),
  );
});
