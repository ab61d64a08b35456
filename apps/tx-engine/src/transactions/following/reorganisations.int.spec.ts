import type { TransactionUpdate } from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import type { HDNodeWallet } from 'ethers';
import { TxEngine } from '../../testing/tx-engine';

const confirmations = 3;
const usd = 10n ** 6n;
const amount = 100n * usd;
let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start({ confirmations });
});
afterAll(() => harness?.close());
afterEach(() => harness.chain.anvil.setAutomine(true));

interface Executed {
  id: string;
  user: HDNodeWallet;
  /** The hash of the approval, and the hash of the swap after it. */
  hashes: string[];
  minOut: bigint;
}

/** Executes a swap with an approval. Each is mined immediately in its own block. */
async function executed(isAcross = false): Promise<Executed> {
  const user = await harness.newUser({ USDT: amount });
  const built = await harness.built({ from: 'USDT', to: 'USDC', amount, isAcross }, user);
  const { transactions } = await harness.executed(built, user);
  const id = built.transactionId;
  return { id, user, hashes: transactions.map(({ hash }) => hash), minOut: BigInt(built.minOutputAmount) };
}

const minedAt = async (hash: string): Promise<number> => harness.chain.mined(hash);

async function confirming(count: number): Promise<Executed> {
  const set = await executed();
  await harness.until(set.id, { status: 'confirming' });
  await harness.chain.anvil.mine(count - 1);
  await withConfirmations(set.id, count);
  return set;
}

const withConfirmations = (id: string, count: number) =>
  eventually(async () => expect((await harness.status(id, true)).details?.confirmations).toBe(count));

/** Returns the published updates of a set. Expects consecutive versions up to the current state. */
async function updates(id: string): Promise<string[]> {
  const now = await harness.snapshot(id);
  const events = await eventually(() => {
    const found = harness.events.of(id).map(({ envelope }) => envelope.data as unknown as TransactionUpdate);
    expect({ ...found.at(-1), timestamp: 0 }).toEqual({ ...now, timestamp: 0 });
    return found;
  });
  const versions = harness.events.of(id).map(({ envelope }) => envelope.aggregateVersion);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expect(versions).toEqual(events.map(({ version }) => version));
  const required = events.map(({ step }) => (step === 'approval' ? 1 : confirmations));
  expect(events.map(({ requiredConfirmations }) => requiredConfirmations)).toEqual(required);
  return events.map(({ status, step, confirmations: count }) => `${status} ${step} ${count}`);
}

const untilSwap = [
  'built approval 0',
  'submitting approval 0',
  'submitted approval 0',
  'submitted originSwap 0',
];

describe('a set without a reorganisation', () => {
  it('publishes one update per block, in order, up to the required confirmations', async () => {
    const { id, hashes, user, minOut } = await executed();
    const first = await harness.until(id, { status: 'confirming' });
    expect(first.timeline).toMatchObject([
      { step: 'approval', status: 'completed', txHash: hashes[0] },
      { step: 'originSwap', status: 'confirming', txHash: hashes[1] },
    ]);
    expect(first).toMatchObject({ result: null, failure: null, completedAt: null, totalTime: null });
    for (let depth = 1; depth < confirmations; depth++) {
      await withConfirmations(id, depth);
      await harness.chain.anvil.mine();
    }
    const done = await harness.until(id, { status: 'completed' });
    expect(done.details).toMatchObject({ confirmations, requiredConfirmations: confirmations });
    expect(await harness.balance('USDC', user.address)).toBe(BigInt(done.result!.finalAmountOut!));
    expect(BigInt(done.result!.finalAmountOut!)).toBeGreaterThanOrEqual(minOut);
    expect(await updates(id)).toEqual([
      ...untilSwap,
      'confirming originSwap 1',
      'confirming originSwap 2',
      'completed originSwap 3',
    ]);
  });

  it('broadcasts the swap once the approval is mined, not before', async () => {
    await harness.chain.anvil.setAutomine(false);
    const { id, hashes } = await executedSlowly();
    await pause(300);
    expect(await harness.chain.anvil.send('eth_getTransactionByHash', [hashes[1]])).toBeNull();
    expect((await harness.status(id, true)).timeline).toMatchObject([
      { step: 'approval', status: 'submitted' },
      { step: 'originSwap', status: 'pending' },
    ]);
    await harness.chain.anvil.mine();
    await eventually(async () =>
      expect(await harness.chain.anvil.send('eth_getTransactionByHash', [hashes[1]])).not.toBeNull(),
    );
    await harness.mining(id, { status: 'completed' });
  });
});

/** Executes a swap for a chain without automatic mining. */
async function executedSlowly(): Promise<Executed> {
  await harness.chain.anvil.setAutomine(true);
  const user = await harness.newUser({ USDT: amount });
  const built = await harness.built({ from: 'USDT', to: 'USDC', amount }, user);
  await harness.chain.anvil.setAutomine(false);
  const { transactions } = await harness.executed(built, user);
  const id = built.transactionId;
  return { id, user, hashes: transactions.map(({ hash }) => hash), minOut: BigInt(built.minOutputAmount) };
}

/** Removes a transaction from the pool. tx-engine broadcasts it again within three seconds. */
const drop = (hash: string): Promise<unknown> => harness.chain.anvil.send('anvil_dropTransaction', [hash]);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('reorganisation of the swap', () => {
  it.each([1, 2])('completes the set at depth %i once it is mined again', async (depth) => {
    const { id, hashes } = await confirming(depth);
    await harness.chain.anvil.setAutomine(false);
    await harness.chain.anvil.reorg(depth);
    await harness.until(id, { status: 'submitted', result: null });
    const blocks = await harness.chain.anvil.height();
    // Without the reorganisation, these blocks would complete the set. They must not include a repeated broadcast.
    await drop(hashes[1]!);
    await harness.chain.anvil.mine(confirmations);
    await pause(200);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
    await harness.chain.anvil.setAutomine(true);
    await harness.until(id, { status: 'confirming' });
    expect(await minedAt(hashes[1]!)).toBeGreaterThan(blocks);
    await harness.mining(id, { status: 'completed' });
    const events = await updates(id);
    expect(events).toContain(`confirming originSwap ${depth}`);
    expect(events.slice(events.indexOf(`confirming originSwap ${depth}`))).toContain(
      'submitted originSwap 0',
    );
    expect(events.filter((it) => it.startsWith('completed'))).toEqual(['completed originSwap 3']);
  });

  it.each([1, 2])('counts confirmations from the new block at depth %i', async (depth) => {
    const { id, hashes } = await confirming(depth);
    await harness.chain.anvil.reorg(depth, [hashes[1]!]);
    await withConfirmations(id, depth);
    expect(await harness.status(id)).toMatchObject({ status: 'confirming' });
    await harness.chain.anvil.mine(confirmations - depth);
    const done = await harness.until(id, { status: 'completed' });
    const receipt = await harness.chain.anvil.provider.getTransactionReceipt(hashes[1]!);
    expect(done.details!.sent[1]).toMatchObject({ blockNumber: receipt!.blockNumber });
  });

  it('broadcasts approval and swap again in order when it drops both', async () => {
    const { id, hashes, user } = await confirming(2);
    await harness.chain.anvil.setAutomine(false);
    await harness.chain.anvil.reorg(3);
    const back = await harness.until(id, { status: 'submitted' });
    expect(back.timeline.map(({ status }) => status)).toEqual(['submitted', 'submitted']);
    for (const hash of hashes)
      expect(await harness.chain.anvil.provider.getTransactionReceipt(hash)).toBeNull();
    const done = await harness.mining(id, { status: 'completed' });
    expect(await harness.balance('USDC', user.address)).toBe(BigInt(done.result!.finalAmountOut!));
    expect(await harness.chain.anvil.provider.getTransactionCount(user.address)).toBe(2);
  });

  it('never completes the set below the required confirmations when it is repeated', async () => {
    const { id, user, hashes } = await executed();
    for (let round = 0; round < 3; round++) {
      await harness.until(id, { status: 'confirming' });
      await harness.chain.anvil.mine(confirmations - 2);
      await withConfirmations(id, confirmations - 1);
      // A repeated broadcast must not be mined before the test has seen `submitted`.
      await harness.chain.anvil.setAutomine(false);
      await harness.chain.anvil.reorg(confirmations - 1);
      await harness.until(id, { status: 'submitted' });
      // Automatic mining includes only new broadcasts, without the transactions in the pool.
      await drop(hashes[1]!);
      await harness.chain.anvil.setAutomine(true);
    }
    await harness.mining(id, { status: 'completed' });
    const events = await updates(id);
    expect(events.filter((it) => it === 'submitted originSwap 0').length).toBeGreaterThanOrEqual(4);
    expect(await harness.balance('USDT', user.address)).toBe(0n);
  });
});

it('mines both after a reorganisation of the approval alone', async () => {
  const { id } = await executedSlowly();
  await harness.chain.anvil.mine();
  await harness.until(id, { status: 'submitted' });
  await eventually(async () =>
    expect((await harness.status(id)).timeline[0]).toMatchObject({ status: 'completed' }),
  );
  await harness.chain.anvil.reorg(1);
  await eventually(async () =>
    expect((await harness.status(id)).timeline[0]).toMatchObject({ status: 'submitted' }),
  );
  await harness.mining(id, { status: 'completed' });
});

describe('reorganisation across chains', () => {
  it('searches for the delivery again when the fill is dropped', async () => {
    const { id, user } = await executed(true);
    await harness.until(id, { status: 'confirming' });
    await harness.chain.anvil.mine(confirmations - 1);
    const before = await delivered(id);
    // The relayer detects the reorganisation too. Its second fill is not mined until then.
    await harness.other.anvil.setAutomine(false);
    await harness.other.anvil.reorg(1);
    await eventually(async () => {
      const status = await harness.status(id);
      expect(status).toMatchObject({ status: 'confirming' });
      expect(status.timeline.at(-1)).not.toHaveProperty('amountOut');
    });
    await harness.other.anvil.setAutomine(true);
    const done = await harness.mining(id, { status: 'completed' });
    expect(await harness.balance('USDC', user.address, harness.other)).toBe(
      BigInt(done.result!.finalAmountOut!),
    );
    expect(done.result!.finalAmountOut).toBe(before.timeline.at(-1)!.amountOut);
    const events = await updates(id);
    // Before a delivery, updates show the confirmations of the swap.
    const gone = events.indexOf('confirming bridge 3', events.indexOf('confirming bridge 1'));
    expect(gone).toBeGreaterThan(0);
    expect(events.at(-1)).toBe('completed bridge 3');
  });

  it('delays completion until the swap is mined again when the swap is dropped after its delivery', async () => {
    const { id, user } = await executed(true);
    await harness.until(id, { status: 'confirming' });
    await harness.chain.anvil.mine(confirmations - 1);
    await delivered(id);
    await harness.chain.anvil.setAutomine(false);
    await harness.chain.anvil.reorg(confirmations);
    const back = await harness.until(id, { status: 'submitted' });
    expect(back.timeline.at(-1)).toMatchObject({ status: 'pending' });
    await harness.other.anvil.mine(5);
    await pause(200);
    expect(await harness.status(id)).toMatchObject({ status: 'submitted' });
    await harness.chain.anvil.setAutomine(true);
    await harness.mining(id, { status: 'completed' });
    // The relayer bears the risk instead of the user, who was paid once.
    expect(await harness.balance('USDT', user.address)).toBe(0n);
  });
});

const delivered = (id: string) =>
  eventually(async () => {
    const status = await harness.status(id);
    expect(status.timeline.at(-1)).toHaveProperty('amountOut');
    return status;
  });
