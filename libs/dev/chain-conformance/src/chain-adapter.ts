import {
  finalTransfers,
  type BlockRef,
  type ChainAdapter,
  type DirectOrder,
  type MinedTransfers,
  type Payment,
  type WalletCall,
  type WantedTransfers,
} from '@tollbridge/chain-port';
import {
  canonicalAddress,
  canonicalTxHash,
  chains,
  isTxHash,
  tokenKey,
  transferReference,
  txHashShape,
  type Token,
} from '@tollbridge/chains';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { rejections, RejectingNode } from './rejecting-node';

/** A local chain with the real payment contract and the wallet of a payer. */
export interface ChainHarness {
  /** Reads the local chain. A transaction is confirmed after at least two blocks, or when its block is final. */
  adapter: ChainAdapter;
  token: Token;
  coin: Token;
  /** Owns large amounts of the token and the coin. */
  payer: string;
  /** A receiver without tokens, and without coins beyond `newReceiverCoin`. */
  newReceiver(): string;
  /** Coin balance of a new receiver, on chains that reject small transfers to empty accounts; 0 if omitted. */
  newReceiverCoin?: bigint;
  /** A valid hash without a transaction. */
  unknownHash: string;
  /** Pays as a wallet does. Resolves with the hash when a block contains the transaction. */
  pay(order: DirectOrder): Promise<string>;
  /** Signs and sends a call of the adapter as a wallet does. Omitted on EVM chains: their adapter creates no calls. */
  sendCall?(call: WalletCall): Promise<string>;
  /**
   * Sends a payment after the deadline, which the contract rejects. Resolves with the hash when a block contains the
   * failed transaction.
   */
  payAndFail(order: DirectOrder): Promise<string>;
  /** Pays a contract that has the same code as the payment contract but another address. */
  payLookAlike(order: DirectOrder): Promise<string>;
  /** A transfer without the payment contract; of the coin if the token's address is null. May contain a reference. */
  transfer(receiver: string, amountAtomic: bigint, token: Token, reference?: string): Promise<string>;
  /** Makes a contract send coins. Omitted if `readTransfers` returns such transfers like all others. */
  transferByContract?(receiver: string, amountAtomic: bigint): Promise<string>;
  mine(blocks: number): Promise<void>;
  nodeUrl: string;
  /** The adapter of the same chain with another URL of the node. */
  adapterOver(nodeUrl: string): ChainAdapter;
  /** Removes the newest blocks and their transactions. Omitted on chains without reorganisations. */
  reorganise?(blocks: number): Promise<void>;
  close(): Promise<void>;
}

const window = 64;
const amountAtomic = 1_000_000n;
const feeAtomic = 5_000n;

/** Conformance tests for the adapter of every chain family. They need a local chain with the real contract. */
export function describeChainAdapter(family: string, open: () => Promise<ChainHarness>): void {
  describe(`ChainAdapter of ${family}`, () => {
    let harness: ChainHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness?.close());

    testFacts(() => harness);
    testInstructions(() => harness);
    testTransferCalls(() => harness);
    testWatching(() => harness);
    testReports(() => harness);
    testTransfers(() => harness);
    testOtherTransfers(() => harness);
    testCoinsOfContracts(() => harness);
    testTransactions(() => harness);
    testReferences(() => harness);
    testRejections(() => harness);
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

/** Balance of a receiver of the harness in a token, without the receiver's initial balance. */
async function receivedAtomic(harness: ChainHarness, receiver: string, token: Token): Promise<bigint> {
  const held = await harness.adapter.balanceAtomic(receiver, token);
  return token.address === null ? held - (harness.newReceiverCoin ?? 0n) : held;
}

function testFacts(harness: () => ChainHarness): void {
  it('serves a chain that the registry lists as direct', () => {
    const { chain } = harness().adapter;
    const registered = chains.find(({ id }) => id === chain.id);
    expect(registered).toMatchObject({ isDirect: true, family: chain.family });
  });

  it('states the duration of a settlement and the polling interval', () => {
    const { settlementMs, pollIntervalMs } = harness().adapter;
    expect(settlementMs).toBeGreaterThan(0);
    expect(pollIntervalMs).toBeGreaterThan(0);
  });

  it('returns the cost of a payment in the coin', async () => {
    expect(await harness().adapter.paymentFeeAtomic()).toBeGreaterThan(0n);
  });

  it('accepts only valid transaction hashes of its chain', () => {
    const { adapter, unknownHash } = harness();
    expect(txHashShape(adapter.chain)).not.toBeNull();
    expect(isTxHash(adapter.chain, canonicalTxHash(unknownHash))).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['a word', 'x'],
    ['a prefix', '0x'],
    ['a space', ' '],
    ['10,000 digits', '0'.repeat(10_000)],
  ])('rejects %s as a transaction hash', (_name, text) => {
    expect(isTxHash(harness().adapter.chain, text)).toBe(false);
  });
}

function testInstructions(harness: () => ChainHarness): void {
  it('returns the same instructions for the same order, with a valid contract address', () => {
    const { adapter } = harness();
    const order = newOrder(harness());
    const { contractAddress } = adapter.instructions(order);
    expect(adapter.instructions({ ...order })).toEqual(adapter.instructions(order));
    expect(canonicalAddress(adapter.chain, contractAddress)).toEqual({ ok: true, address: contractAddress });
  });

  it.each(['token', 'coin'] as const)(
    'returns a call in a %s that pays the order from a wallet',
    async (kind) => {
      const { adapter, payer, sendCall, [kind]: token } = harness();
      const order = newOrder(harness(), token);
      const call = await adapter.walletCall(order, payer);
      if (!sendCall) return expect(call).toBeNull();
      const txHash = await sendCall(call!);
      const report = await adapter.readReport(txHash, adapter.instructions(order));
      expect(report).toMatchObject({ state: 'succeeded', payments: [{ orderId: order.id, payer, txHash }] });
      expect(await receivedAtomic(harness(), order.merchantAddress, token)).toBe(amountAtomic);
    },
  );

  it('returns different token addresses for the token and the coin', () => {
    const { adapter, coin } = harness();
    const order = newOrder(harness());
    const { tokenAddress } = adapter.instructions(order);
    expect(adapter.instructions({ ...order, token: coin }).tokenAddress).not.toBe(tokenAddress);
  });
}

function testTransferCalls(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)(
    'returns a call that transfers exactly the amount of a %s to the receiver, with the memo',
    async (kind) => {
      const { adapter, payer, sendCall, [kind]: token } = harness();
      const id = randomUUID();
      const memo = transferReference(adapter.chain, id);
      const receiver = harness().newReceiver();
      const expiresAtMs = (Math.floor(Date.now() / 1_000) + 3_600) * 1_000;
      const transfer = { token, receiver, amountAtomic, memo: sendCall ? memo : null, expiresAtMs };
      const call = await adapter.transferCall(transfer, payer);
      if (!sendCall) return expect(call).toBeNull();
      const txHash = await sendCall(call!);
      expect(await readOne(harness(), txHash, { token, receiver })).toMatchObject({
        isSuccessful: true,
        transfers: [{ from: payer, amountAtomic }],
        otherTransfers: [],
        reference: memo === null ? null : id,
      });
      expect(await receivedAtomic(harness(), receiver, token)).toBe(amountAtomic);
    },
  );

  it('returns a call without a memo for a receiver that already has a token account', async () => {
    const { adapter, payer, sendCall, token } = harness();
    if (!sendCall) return;
    const receiver = harness().newReceiver();
    await harness().transfer(receiver, 7n, token);
    const expiresAtMs = (Math.floor(Date.now() / 1_000) + 3_600) * 1_000;
    const transfer = { token, receiver, amountAtomic, memo: null, expiresAtMs };
    await sendCall((await adapter.transferCall(transfer, payer))!);
    expect(await receivedAtomic(harness(), receiver, token)).toBe(amountAtomic + 7n);
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

  it('finds the block at a time, and can continue from there', async () => {
    const { adapter } = harness();
    const before = await follow(adapter);
    const order = newOrder(harness());
    await harness().pay(order);
    // The payment's block can have the same time as the previous head.
    const at = await adapter.blockBefore(before.head.timeMs - 1);
    expect(at?.timeMs).toBeLessThan(before.head.timeMs);
    const { payments } = await follow(adapter, [at!]);
    expect(payments.map(({ orderId }) => orderId)).toContain(order.id);
    const last = await follow(adapter);
    expect(await adapter.blockBefore(last.head.timeMs)).toEqual(last.head);
    expect(await adapter.blockBefore(0)).toBeUndefined();
  });

  it('returns connected blocks, no more than the window', async () => {
    const { adapter, mine, reorganise } = harness();
    await mine(window + 10);
    const before = await follow(adapter);
    await mine(2);
    const { blocks } = await follow(adapter, before.blocks);
    // A chain with finality omits blocks without payments.
    if (reorganise) expect(blocks).toHaveLength(window);
    else expect(blocks.length).toBeLessThanOrEqual(window);
    expect(blocks.length).toBeGreaterThan(1);
    for (const [at, block] of blocks.slice(1).entries()) {
      expect(block.parentHash).toBe(blocks[at]!.hash);
      expect(block.timeMs).toBeGreaterThanOrEqual(blocks[at]!.timeMs);
    }
  });

  it('ignores a payment to another contract', async () => {
    const { adapter } = harness();
    const before = await follow(adapter);
    await harness().payLookAlike(newOrder(harness()));
    expect((await follow(adapter, before.blocks)).payments).toEqual([]);
  });
}

function testReports(harness: () => ChainHarness): void {
  const read = (txHash: string, order: DirectOrder) =>
    harness().adapter.readReport(txHash, harness().adapter.instructions(order));

  it('reads a transaction that pays the order', async () => {
    const order = newOrder(harness());
    const txHash = await harness().pay(order);
    expect(isTxHash(harness().adapter.chain, txHash)).toBe(true);
    expect(await read(txHash, order)).toMatchObject({
      state: 'succeeded',
      payments: [{ orderId: order.id, txHash }],
      paysOtherContract: false,
    });
  });

  it('reads a failed transaction', async () => {
    const order = newOrder(harness());
    expect(await read(await harness().payAndFail(order), order)).toMatchObject({ state: 'failed' });
  });

  it('transfers and records nothing for a payment after the expiry of its order', async () => {
    const { adapter, token, coin } = harness();
    const before = await follow(adapter);
    for (const asked of [token, coin]) {
      const order = newOrder(harness(), asked);
      const txHash = await harness().payAndFail(order);
      expect(await read(txHash, order)).toMatchObject({ state: 'failed' });
      expect(await receivedAtomic(harness(), order.merchantAddress, asked)).toBe(0n);
    }
    expect((await follow(adapter, before.blocks)).payments).toEqual([]);
  });

  it('recognises a payment to another contract', async () => {
    const order = newOrder(harness());
    expect(await read(await harness().payLookAlike(order), order)).toMatchObject({
      state: 'succeeded',
      payments: [],
      paysOtherContract: true,
    });
  });

  it('reads a transfer without the payment contract as a transaction without payments', async () => {
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

const wantedIn = (
  txHash: string,
  rest: Partial<WantedTransfers>,
  harness: ChainHarness,
): WantedTransfers => ({
  txHash,
  token: harness.token,
  receiver: harness.newReceiver(),
  seenIn: null,
  ...rest,
});

/** The adapter's result for one transaction. */
async function readOne(harness: ChainHarness, txHash: string, rest: Partial<WantedTransfers> = {}) {
  const [read] = await harness.adapter.readTransfers([wantedIn(txHash, rest, harness)]);
  return read!;
}

function testTransfers(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)('reads a transfer of a %s with its block', async (kind) => {
    const { adapter, payer, [kind]: token } = harness();
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token);
    const { head } = await follow(adapter);
    expect(await readOne(harness(), txHash, { token, receiver })).toMatchObject({
      kind: 'mined',
      block: { height: expect.any(Number), hash: expect.any(String), timeMs: expect.any(Number) },
      isSuccessful: true,
      transfers: [{ txHash, from: payer, amountAtomic: 7n }],
      otherTransfers: [],
      paysOrder: false,
      reference: null,
    });
    const read = await readOne(harness(), txHash, { token, receiver });
    if (read.kind === 'mined') expect(read.block.timeMs).toBeLessThanOrEqual(head.timeMs);
    expect(await receivedAtomic(harness(), receiver, token)).toBe(7n);
  });

  it('counts the block of the transaction as its first confirmation', async () => {
    const { adapter, token } = harness();
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token);
    const [wanted] = [wantedIn(txHash, { receiver }, harness())];
    const before = await adapter.readTransfers([wanted]);
    if (adapter.chain.confirmations > 1) {
      expect(before).toMatchObject([{ confirmations: 1 }]);
      expect(finalTransfers(adapter.chain, before)).toBeUndefined();
    }
    await harness().mine(adapter.chain.confirmations - 1);
    const final = finalTransfers(adapter.chain, await adapter.readTransfers([wanted]));
    expect(final).toMatchObject([{ txHash, amountAtomic: 7n }]);
  });

  it('does not return a transfer to another receiver', async () => {
    const { token } = harness();
    const txHash = await harness().transfer(harness().newReceiver(), 7n, token);
    expect(await readOne(harness(), txHash)).toMatchObject({ transfers: [], otherTransfers: [] });
  });

  it('returns several transactions in the requested order', async () => {
    const { adapter, token, unknownHash } = harness();
    const receiver = harness().newReceiver();
    const hashes = [
      await harness().transfer(receiver, 1n, token),
      unknownHash,
      await harness().transfer(receiver, 2n, token),
    ];
    const reads = await adapter.readTransfers(hashes.map((hash) => wantedIn(hash, { receiver }, harness())));
    expect(reads).toMatchObject([
      { transfers: [{ txHash: hashes[0], amountAtomic: 1n }] },
      { kind: 'unmined' },
      { transfers: [{ txHash: hashes[2], amountAtomic: 2n }] },
    ]);
  });

  it('returns an empty list for an empty list of transactions', async () => {
    expect(await harness().adapter.readTransfers([])).toEqual([]);
  });
}

function testOtherTransfers(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)(
    'returns a transfer of a %s when the other token was requested',
    async (kind) => {
      const { adapter, payer, [kind]: sent } = harness();
      const receiver = harness().newReceiver();
      const txHash = await harness().transfer(receiver, 7n, sent);
      const token = harness()[kind === 'token' ? 'coin' : 'token'];
      const read = await readOne(harness(), txHash, { receiver, token });
      expect(read).toMatchObject({
        transfers: [],
        otherTransfers: [{ txHash, from: payer, amountAtomic: 7n }],
      });
      const [other] = (read as MinedTransfers).otherTransfers;
      const key = (address: string | null) => tokenKey(adapter.chain.id, address);
      expect(key(other!.tokenAddress)).toBe(key(sent.address));
      // The same index as in a read of transfers of its token.
      const own = await readOne(harness(), txHash, { receiver, token: sent });
      expect((own as MinedTransfers).transfers[0]!.logIndex).toBe(other!.logIndex);
    },
  );
}

function testCoinsOfContracts(harness: () => ChainHarness): void {
  it('recognises an account that received coins from a contract, and an account that did not', async () => {
    const { adapter, coin: token, transferByContract } = harness();
    expect(transferByContract === undefined).toBe(adapter.receivedCoins === undefined);
    if (!transferByContract) return;
    const receiver = harness().newReceiver();
    const txHash = await transferByContract(receiver, 7n);
    const read = await readOne(harness(), txHash, { token, receiver });
    expect(read).toMatchObject({ kind: 'mined', isSuccessful: true, transfers: [] });
    const { block } = read as MinedTransfers;
    const received = (account: string) => adapter.receivedCoins!({ txHash, receiver: account, block });
    expect(await received(receiver)).toBe(true);
    expect(await received(harness().newReceiver())).toBe(false);
    expect(await receivedAtomic(harness(), receiver, token)).toBe(7n);
  });
}

function testTransactions(harness: () => ChainHarness): void {
  it('returns the time of the chain if no block contains the transaction', async () => {
    const { adapter, unknownHash } = harness();
    const read = await readOne(harness(), unknownHash);
    const { head } = await follow(adapter);
    expect(read).toEqual({ kind: 'unmined', chainTimeMs: head.timeMs });
  });

  it('returns no transfers of a failed transaction', async () => {
    const order = newOrder(harness());
    const txHash = await harness().payAndFail(order);
    expect(await readOne(harness(), txHash, { receiver: order.merchantAddress })).toMatchObject({
      kind: 'mined',
      isSuccessful: false,
      transfers: [],
    });
  });

  it.each(['pay', 'payLookAlike'] as const)(
    'recognises that a transaction pays an order: %s',
    async (how) => {
      const order = newOrder(harness());
      const txHash = await harness()[how](order);
      expect(await readOne(harness(), txHash, { receiver: order.merchantAddress })).toMatchObject({
        isSuccessful: true,
        paysOrder: true,
      });
    },
  );
}

function testReferences(harness: () => ChainHarness): void {
  it.each(['token', 'coin'] as const)('reads the reference id in a transfer of a %s', async (kind) => {
    const { adapter, [kind]: token } = harness();
    const id = randomUUID();
    const reference = transferReference(adapter.chain, id);
    if (reference === null) return;
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token, reference);
    expect(await readOne(harness(), txHash, { token, receiver })).toMatchObject({
      transfers: [{ amountAtomic: 7n }],
      reference: id,
    });
  });
}

function testReorganisations(harness: () => ChainHarness): void {
  it('rolls back to the newest block that both chains contain', async () => {
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

  it('reports that a transaction is no longer in a block', async () => {
    const { adapter, token, reorganise } = harness();
    if (!reorganise) return;
    await harness().mine(3);
    const receiver = harness().newReceiver();
    const txHash = await harness().transfer(receiver, 7n, token);
    const read = await readOne(harness(), txHash, { receiver });
    const seenIn = read.kind === 'mined' ? read.block : null;
    expect(seenIn).not.toBeNull();
    await reorganise(1);
    await harness().mine(1);
    expect(await readOne(harness(), txHash, { receiver, seenIn })).toMatchObject({ kind: 'unmined' });
    expect(await adapter.balanceAtomic(receiver, token)).toBe(0n);
  });
}

// Upper limit of consecutive failures of a step. The adapter cannot request less than one block.
const mostFailures = 64;

/** Follows the chain as the watcher does: retries a failed step at the next poll. */
async function followThrough(adapter: ChainAdapter): Promise<Payment[]> {
  let blocks: BlockRef[] = [];
  const payments: Payment[] = [];
  for (let failures = 0; ;) {
    try {
      const update = await adapter.nextUpdate(blocks, window);
      if (update.kind === 'idle') return payments;
      if (update.kind === 'rollback') throw new Error('The chain was not reorganised');
      payments.push(...update.payments);
      blocks = [...blocks, ...update.blocks].slice(-window);
    } catch (error) {
      failures += 1;
      if (failures > mostFailures) throw error;
      await setTimeout(adapter.pollIntervalMs);
    }
  }
}

/** A watcher with a single node that accepts only small ranges. The watcher must adapt to any rejection. */
function testRejections(harness: () => ChainHarness): void {
  it.each(rejections.map((rejection) => [rejection.name, rejection] as const))(
    'catches up with a node that rejects more than two blocks or items with %s',
    async (_name, rejection) => {
      const { adapter, nodeUrl } = harness();
      await harness().pay(newOrder(harness()));
      await harness().mine(8);
      const node = await RejectingNode.start(nodeUrl, 2, rejection);
      try {
        const payments = await followThrough(harness().adapterOver(node.url));
        expect(payments).toEqual((await follow(adapter)).payments);
        expect(node.rejected).toBeGreaterThan(0);
      } finally {
        await node.close();
      }
    },
  );
}
