import type { BlockRef, ChainAdapter, DirectOrder, Payment } from '@tollbridge/chain-port';
import { canonicalAddress, chains, type Token } from '@tollbridge/chains';
import { randomUUID } from 'node:crypto';

/** A local chain with the real payment contract and a payer's wallet. */
export interface ChainHarness {
  /** Reads the local chain. The chain confirms after at least two blocks, or blocks are final. */
  adapter: ChainAdapter;
  token: Token;
  coin: Token;
  /** Holds plenty of both. */
  payer: string;
  /** A receiver that holds nothing. */
  newReceiver(): string;
  /** A hash of the right form that belongs to no transaction. */
  unknownHash: string;
  /** Pays as a wallet does; resolves with the hash once it is in a block. */
  pay(order: DirectOrder): Promise<string>;
  /** Sends a payment that the contract rejects; resolves with the hash once the failure is in a block. */
  payAndFail(order: DirectOrder): Promise<string>;
  /** Pays a contract that has the same code and is not ours. */
  payLookAlike(order: DirectOrder): Promise<string>;
  /** A plain transfer, of the coin where its address is null. */
  transfer(receiver: string, amountAtomic: bigint, token: Token): Promise<string>;
  mine(blocks: number): Promise<void>;
  /** Drops the newest blocks and their transactions; left out on chains that do not reorganise. */
  reorganise?(blocks: number): Promise<void>;
  close(): Promise<void>;
}

const window = 64;
const amountAtomic = 1_000_000n;
const feeAtomic = 5_000n;

/** What every adapter of a chain family must do. Run it against a local chain with the real contract. */
export function describeChainAdapter(family: string, open: () => Promise<ChainHarness>): void {
  describe(`ChainAdapter of ${family}`, () => {
    let harness: ChainHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness?.close());

    testFacts(() => harness);
    testInstructions(() => harness);
    testWatching(() => harness);
    testReports(() => harness);
    testTransfers(() => harness);
    testReorganisations(() => harness);
  });
}

function newOrder(harness: ChainHarness, token = harness.token): DirectOrder {
  return {
    id: randomUUID(),
    token,
    merchantAddress: harness.newReceiver(),
    merchantAmountAtomic: amountAtomic,
    feeReceiver: harness.newReceiver(),
    feeAmountAtomic: feeAtomic,
    expiresAtMs: (Math.floor(Date.now() / 1_000) + 3_600) * 1_000,
  };
}

/** Follows the chain from `known` to its head. */
async function follow(adapter: ChainAdapter, known: readonly BlockRef[] = []) {
  let blocks = [...known];
  const payments: Payment[] = [];
  const rollbacks: number[] = [];
  for (;;) {
    const update = await adapter.nextUpdate(blocks, window);
    if (update.kind === 'idle') return { blocks, payments, rollbacks, head: update.head };
    if (update.kind === 'rollback') {
      rollbacks.push(update.to.height);
      blocks = [...blocks.filter(({ height }) => height < update.to.height), update.to];
    } else {
      payments.push(...update.payments);
      blocks = [...blocks, ...update.blocks].slice(-window);
    }
  }
}

function testFacts(harness: () => ChainHarness): void {
  it('serves a chain that the registry lists as direct', () => {
    const { chain } = harness().adapter;
    const registered = chains.find(({ id }) => id === chain.id);
    expect(registered).toMatchObject({ isDirect: true, family: chain.family });
  });

  it('states how long a settlement takes, and how often to poll', () => {
    const { settlementMs, pollIntervalMs } = harness().adapter;
    expect(settlementMs).toBeGreaterThan(0);
    expect(pollIntervalMs).toBeGreaterThan(0);
  });

  it('states what a payment costs in the coin', async () => {
    expect(await harness().adapter.paymentFeeAtomic()).toBeGreaterThan(0n);
  });

  it.each([
    ['an empty text', ''],
    ['a word', 'x'],
    ['a prefix', '0x'],
    ['a space', ' '],
    ['10,000 digits', '0'.repeat(10_000)],
  ])('does not take %s for a transaction', (_name, text) => {
    expect(harness().adapter.isTxHash(text)).toBe(false);
  });
}

function testInstructions(harness: () => ChainHarness): void {
  it('gives the same order the same instructions, with a valid contract address', () => {
    const { adapter } = harness();
    const order = newOrder(harness());
    const { contractAddress } = adapter.instructions(order);
    expect(adapter.instructions({ ...order })).toEqual(adapter.instructions(order));
    expect(canonicalAddress(adapter.chain, contractAddress)).toEqual({ ok: true, address: contractAddress });
  });

  it('names the token and the coin differently', () => {
    const { adapter, coin } = harness();
    const order = newOrder(harness());
    const { tokenAddress } = adapter.instructions(order);
    expect(adapter.instructions({ ...order, token: coin }).tokenAddress).not.toBe(tokenAddress);
  });
}

function testWatching(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)('finds a payment in a %s with all its terms', async (kind) => {
    const { adapter, payer, [kind]: token } = harness();
    const order = newOrder(harness(), token);
    const before = await follow(adapter);
    const txHash = await harness().pay(order);
    const { payments, head } = await follow(adapter, before.blocks);
    expect(payments).toEqual([expect.objectContaining({ orderId: order.id, payer, txHash })]);
    expect(payments[0]!.height).toBeLessThanOrEqual(head.height);
    expect(payments[0]!.fields).toEqual({
      token_in: token.symbol,
      token_out: token.symbol,
      amount_in: String(amountAtomic + feeAtomic),
      token_in_address: adapter.instructions(order).tokenAddress,
      merchant: order.merchantAddress,
      merchant_amount: String(amountAtomic),
      fee_receiver: order.feeReceiver,
      fee_amount: String(feeAtomic),
      deadline: String(order.expiresAtMs / 1_000),
    });
  });

  it('pays the merchant and the fee receiver in full', async () => {
    const { adapter, token } = harness();
    const order = newOrder(harness());
    await harness().pay(order);
    expect(await adapter.balanceAtomic(order.merchantAddress, token)).toBe(amountAtomic);
    expect(await adapter.balanceAtomic(order.feeReceiver, token)).toBe(feeAtomic);
  });

  it('finds each payment once, also when it starts from the beginning', async () => {
    const { adapter } = harness();
    const orders = [newOrder(harness()), newOrder(harness())];
    for (const order of orders) await harness().pay(order);
    const { blocks, payments } = await follow(adapter);
    for (const { id } of orders) expect(payments.filter(({ orderId }) => orderId === id)).toHaveLength(1);
    expect((await follow(adapter, blocks)).payments).toEqual([]);
  });

  it('returns connected blocks, no more than the window', async () => {
    await harness().mine(window + 10);
    const { blocks } = await follow(harness().adapter);
    expect(blocks).toHaveLength(window);
    for (const [at, block] of blocks.slice(1).entries()) {
      expect(block.parentHash).toBe(blocks[at]!.hash);
      expect(block.timeMs).toBeGreaterThanOrEqual(blocks[at]!.timeMs);
    }
  });

  it('passes over a payment to a contract that is not ours', async () => {
    const { adapter } = harness();
    const before = await follow(adapter);
    await harness().payLookAlike(newOrder(harness()));
    expect((await follow(adapter, before.blocks)).payments).toEqual([]);
  });
}

function testReports(harness: () => ChainHarness): void {
  const read = (txHash: string, order: DirectOrder) =>
    harness().adapter.readTransaction(txHash, harness().adapter.instructions(order));

  it('reads a transaction that pays the order', async () => {
    const order = newOrder(harness());
    const txHash = await harness().pay(order);
    expect(harness().adapter.isTxHash(txHash)).toBe(true);
    expect(await read(txHash, order)).toMatchObject({
      state: 'succeeded',
      payments: [{ orderId: order.id, txHash }],
      paysOtherContract: false,
    });
  });

  it('reads a transaction that failed', async () => {
    const order = newOrder(harness());
    expect(await read(await harness().payAndFail(order), order)).toMatchObject({ state: 'failed' });
  });

  it('recognises a payment to a contract that is not ours', async () => {
    const order = newOrder(harness());
    expect(await read(await harness().payLookAlike(order), order)).toMatchObject({
      state: 'succeeded',
      payments: [],
      paysOtherContract: true,
    });
  });

  it('reads a plain transfer as a transaction without payments', async () => {
    const { token } = harness();
    const txHash = await harness().transfer(harness().newReceiver(), 1n, token);
    expect(await read(txHash, newOrder(harness()))).toMatchObject({
      state: 'succeeded',
      payments: [],
      paysOtherContract: false,
    });
  });

  it('does not find a transaction that was never sent', async () => {
    expect(await read(harness().unknownHash, newOrder(harness()))).toEqual({ state: 'notFound' });
  });
}

function testTransfers(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)('reads a transfer of a %s once it is final', async (kind) => {
    const { adapter, payer, [kind]: token } = harness();
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token);
    if (adapter.chain.confirmations > 1)
      expect(await adapter.readTransfers({ token, receiver }, [txHash])).toEqual({ state: 'pending' });
    await harness().mine(adapter.chain.confirmations - 1);
    const transfer = expect.objectContaining({ txHash, from: payer, amountAtomic: 7n });
    expect(await adapter.readTransfers({ token, receiver }, [txHash, txHash])).toEqual({
      state: 'final',
      transfers: [transfer],
    });
    expect(await adapter.balanceAtomic(receiver, token)).toBe(7n);
  });

  it('reads no transfer to another receiver or in another token', async () => {
    const { adapter, token, coin } = harness();
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token);
    await harness().mine(adapter.chain.confirmations);
    const none = { state: 'final', transfers: [] };
    expect(await adapter.readTransfers({ token, receiver: harness().newReceiver() }, [txHash])).toEqual(none);
    expect(await adapter.readTransfers({ token: coin, receiver }, [txHash])).toEqual(none);
  });

  it('waits for a transaction that no node shows', async () => {
    const { adapter, token, unknownHash } = harness();
    const wanted = { token, receiver: harness().newReceiver() };
    expect(await adapter.readTransfers(wanted, [unknownHash])).toEqual({ state: 'pending' });
  });
}

function testReorganisations(harness: () => ChainHarness): void {
  it('rolls back to the newest block that both chains have', async () => {
    const { adapter, reorganise } = harness();
    if (!reorganise) return;
    await harness().mine(3);
    const before = await follow(adapter);
    await harness().pay(newOrder(harness()));
    await harness().mine(1);
    const paid = await follow(adapter, before.blocks);
    expect(paid.payments).toHaveLength(1);
    await reorganise(2);
    const after = await follow(adapter, paid.blocks);
    expect(after.rollbacks).toEqual([before.head.height]);
    expect(after.payments).toEqual([]);
  });
}
