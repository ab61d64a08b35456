import type { BlockRef, Payment } from '@tollbridge/chain-port';
import { payInstruction, hashOrder } from '@tollbridge/onchain/solana';
import { NodeError } from '../json-rpc';
import {
  exampleOrder,
  FakeChain,
  namedAddress,
  payerAddress,
  programAddress,
  transactionJson,
} from '../testing/fake-chain';
import { Backlog } from './backlog';
import { nextUpdate, type FollowedPrograms } from './next-update';

let followed: FollowedPrograms;
let chain: FakeChain;
beforeEach(() => {
  chain = new FakeChain();
  followed = { programs: [programAddress], startHeight: 0, backlog: new Backlog() };
});

/** Applies updates until the stored blocks reach the head. */
async function follow(known: readonly BlockRef[] = [], node = chain.node) {
  let blocks = [...known];
  const payments: Payment[] = [];
  const steps: number[] = [];
  for (;;) {
    const update = await nextUpdate(node, blocks, followed);
    if (update.kind === 'idle') return { blocks, payments, steps, head: update.head };
    if (update.kind === 'rollback') throw new Error('unexpected rollback');
    payments.push(...update.payments);
    steps.push(update.payments.length);
    blocks = [...blocks, ...update.blocks];
  }
}

const rejects = (known: readonly BlockRef[], message: string) =>
  expect(nextUpdate(chain.node, known, followed)).rejects.toMatchObject({
    name: 'ProviderError',
    message: expect.stringContaining(message),
  });

describe('nextUpdate', () => {
  it('finds top-level payments and payments that other programs make', async () => {
    const [first, second] = [exampleOrder(), exampleOrder()];
    const caller = { programId: namedAddress('caller'), accounts: [], data: new Uint8Array(3) };
    const payments = [first, second].map((order) => payInstruction(programAddress, order, payerAddress));
    const { signature } = chain.add(80, { instructions: [caller, payments[0]!], inner: [payments[1]!] });
    const found = (await follow()).payments;
    expect(found.map(({ orderId, logIndex }) => [orderId, logIndex])).toEqual([
      [second.order_id, 0],
      [first.order_id, 1],
    ]);
    expect(found[1]).toMatchObject({
      txHash: signature,
      payer: payerAddress,
      height: 80,
      blockHash: chain.hash(80),
      orderHash: `0x${Buffer.from(hashOrder(first)).toString('hex')}`,
      fields: { merchant: first.merchant, merchant_amount: '2000000000', deadline: '1800000000' },
    });
  });

  it('skips failed payments, and payments of other programs', async () => {
    chain.add(80, {
      err: { InstructionError: [0, 1] },
      instructions: [payInstruction(programAddress, exampleOrder(), payerAddress)],
    });
    const mention = { programId: programAddress, accounts: [], data: Uint8Array.of(9) };
    const other = payInstruction(namedAddress('other'), exampleOrder(), payerAddress);
    chain.add(81, { instructions: [mention, other] });
    expect((await follow()).payments).toEqual([]);
  });

  it('finds payments to former programs', async () => {
    const former = namedAddress('former');
    chain.pay(80, exampleOrder(), former);
    chain.pay(81);
    const update = await nextUpdate(chain.node, [], { ...followed, programs: [programAddress, former] });
    expect(update).toMatchObject({ kind: 'advance', payments: [{ height: 80 }, { height: 81 }] });
  });

  it('polls with the same number of requests for any number of open orders and old payments', async () => {
    for (let slot = 1; slot <= 60; slot++) chain.pay(slot);
    const { blocks } = await follow();
    chain.calls.length = 0;
    const { node } = chain;
    await follow(blocks, node);
    expect(chain.calls).toEqual(['getGenesisHash', 'getSlot', 'getBlocks', 'getBlock']);
    chain.calls.length = 0;
    [chain.confirmed, chain.finalized] = [101, 70];
    await nextUpdate(node, blocks, followed);
    expect(chain.calls).toEqual(['getSlot', 'getBlocks', 'getBlock', 'getSignaturesForAddress']);
  });

  it('finds each payment once while it catches up in steps, and lists them only once', async () => {
    [chain.confirmed, chain.finalized] = [20_031, 20_000];
    const instructions = [payInstruction(programAddress, exampleOrder(), payerAddress)];
    for (let at = 0; at < 1_100; at++) {
      // Three transactions per slot. The last ones are not final, or are after the head.
      const slot = at < 1_000 ? Math.floor(at / 3) + 10 : 19_000 + at;
      chain.add(slot, { instructions, err: at % 2 === 0 ? 'x' : null });
    }
    const { payments, steps, blocks } = await follow();
    expect(payments).toHaveLength(516);
    expect(new Set(payments.map(({ txHash }) => txHash)).size).toBe(516);
    expect(Math.max(...steps)).toBeLessThanOrEqual(66);
    const places = payments.map(({ height, logIndex }) => `${height} ${logIndex}`);
    expect(new Set(places).size).toBe(516);
    blocks.slice(1).forEach(({ parentHash }, at) => expect(parentHash).toBe(blocks[at]!.hash));
    expect(chain.calls.filter((it) => it === 'getSignaturesForAddress').length).toBeLessThanOrEqual(4);
  });

  it('lists signatures again when the caller did not apply a step', async () => {
    const instructions = [payInstruction(programAddress, exampleOrder(), payerAddress)];
    for (let at = 0; at < 80; at++) chain.add(at % 60, { instructions });
    const [first, again] = [
      await nextUpdate(chain.node, [], followed),
      await nextUpdate(chain.node, [], followed),
    ];
    expect(again).toEqual(first);
    expect((await follow()).payments).toHaveLength(80);
  });

  it('returns a head at most 31 slots after the newest finalized slot', async () => {
    [chain.confirmed, chain.finalized] = [100, 60];
    chain.pay(95);
    const { head, payments, blocks } = await follow();
    expect(head).toMatchObject({ height: 91, hash: chain.hash(91) });
    expect(payments).toEqual([]);
    chain.finalized = 69;
    expect((await follow(blocks)).payments).toMatchObject([{ height: 95 }]);
  });

  it('ends at the newest block that the node has stored', async () => {
    const usual = chain.block.bind(chain);
    chain.answers['getBlock'] = ([slot]) => {
      if (slot > 98) throw new NodeError('fake', slot === 99 ? -32_014 : -32_004);
      return usual(slot);
    };
    chain.pay(99);
    const { head, payments } = await follow();
    expect(head.height).toBe(98);
    expect(payments).toEqual([]);
  });

  it('starts at startHeight', async () => {
    chain.pay(40);
    chain.pay(50);
    const update = await nextUpdate(chain.node, [], { ...followed, startHeight: 50 });
    expect(update).toMatchObject({ kind: 'advance', payments: [{ height: 50 }] });
  });
});

describe('nextUpdate, when the node is behind or contradicts itself', () => {
  it('returns idle while the node is behind the caller', async () => {
    const { blocks } = await follow();
    [chain.confirmed, chain.finalized] = [90, 59];
    expect(await nextUpdate(chain.node, blocks, followed)).toMatchObject({
      kind: 'idle',
      head: { height: 90 },
    });
  });

  it('fails when the list of signatures comes from a node that is behind the head', async () => {
    chain.answers['getSignaturesForAddress'] = () => {
      throw new NodeError('fake', -32_016);
    };
    await rejects([], 'answered error -32016');
  });

  it('fails when the node has deleted the required blocks', async () => {
    [chain.confirmed, chain.finalized, chain.first] = [5_031, 5_000, 3_000];
    await rejects([], 'lacks the slots 0 to 2999');
    const known = { height: 3_500, hash: chain.hash(3_500), parentHash: chain.hash(0), timeMs: 0 };
    expect(await nextUpdate(chain.node, [known], followed)).toMatchObject({ kind: 'advance' });
  });

  it.each<[string, (signature: string) => unknown, string]>([
    ['lacks a transaction that it lists', () => null, 'lacks a transaction that it lists'],
    ['returns a transaction in another slot', () => ({ slot: 79 }), 'another slot or outcome'],
    [
      'returns a transaction with another outcome',
      () => ({ err: 'AccountInUse' }),
      'another slot or outcome',
    ],
    [
      'returns another transaction',
      () => ({ signature: chain.transactions[1]!.signature }),
      'another signature',
    ],
  ])('fails when the node %s', async (_name, change, message) => {
    const paid = chain.pay(80);
    chain.pay(81);
    chain.answers['getTransaction'] = ([signature]) => {
      const changed = change(signature);
      return changed === null ? null : transactionJson({ ...paid, ...(changed as object) });
    };
    await rejects([], message);
  });

  it.each([
    ['rises', [{ slot: 80 }, { slot: 81 }]],
    ['has no outcome', [{ slot: 80, err: undefined }]],
    ['has a slot that is not a number', [{ slot: '80' }]],
    ['has a huge slot', [{ slot: 2 ** 60 }]],
  ])('fails when the list of signatures %s', async (_name, entries) => {
    const { signature } = chain.add(1);
    chain.answers['getSignaturesForAddress'] = () => entries.map((it) => ({ signature, err: null, ...it }));
    await rejects([], 'the reply is not usable');
  });

  it('fails when the pages of signatures never end', async () => {
    const { signature } = chain.add(1);
    chain.answers['getSignaturesForAddress'] = ([, { limit }]) =>
      Array.from({ length: limit }, () => ({ signature, slot: 80, err: 'x' }));
    await rejects([], 'without end');
  });

  it('never uses a node of another cluster', async () => {
    chain.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    await rejects([], 'serves another cluster');
    expect(chain.calls).toEqual(['getGenesisHash']);
  });
});

describe('nextUpdate, when a confirmed block leaves the chain', () => {
  it('rolls back to the newest block that is still there', async () => {
    [chain.confirmed, chain.finalized] = [95, 64];
    const before = await follow();
    [chain.confirmed, chain.finalized] = [100, 69];
    chain.pay(98);
    const { blocks } = await follow(before.blocks);
    chain.forkedFrom = 97;
    chain.confirmed = 102;
    expect(await nextUpdate(chain.node, blocks, followed)).toMatchObject({
      kind: 'rollback',
      to: before.blocks.at(-1),
      removed: 1,
    });
  });

  it('rolls back to the finalized block when none of the stored blocks is left', async () => {
    const { blocks } = await follow();
    chain.forkedFrom = 97;
    const update = await nextUpdate(chain.node, blocks, followed);
    expect(update).toMatchObject({ kind: 'rollback', to: { height: 69, hash: chain.hash(69) }, removed: 1 });
  });

  it('fails for a node with another finalized block', async () => {
    const { blocks } = await follow();
    [chain.confirmed, chain.finalized, chain.forkedFrom] = [140, 109, 90];
    await rejects(blocks, 'has another finalized block than before');
  });
});
