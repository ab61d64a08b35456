import type { BlockRef, PaymentUpdate } from '@tollbridge/chain-port';
import { aSuiOrder } from '@tollbridge/onchain/testing';
import { digestOf, otherPackageId, packageId, paidEvent, ScriptedNode } from '../testing/scripted-node';
import { nextUpdate } from './next-update';

let chain: ScriptedNode;
const packageIds = [packageId, otherPackageId];

beforeEach(() => {
  chain = new ScriptedNode();
});

const blockAt = (height: number): BlockRef => ({
  height,
  hash: digestOf(`checkpoint ${height}`),
  parentHash: digestOf(`checkpoint ${height - 1}`),
  timeMs: height * 1_000,
});
const update = (known: BlockRef[] = [blockAt(10)], options = {}) =>
  nextUpdate(chain.node, known, { packageIds, startHeight: 0, window: 64, ...options });
const advanced = (result: PaymentUpdate) => {
  if (result.kind !== 'advance') throw new Error(`expected an advance, got ${result.kind}`);
  return result;
};
const idOf = (order: number) => `0x${String(order).padStart(32, '0')}`;
const paid = (height: number, order: number, by = packageId) =>
  paidEvent(height, digestOf(`transaction ${order}`), aSuiOrder({ order_id: idOf(order) }), by);

/** Applies updates until the chain has no more payments. */
async function follow(known = [blockAt(10)]) {
  const ids: string[] = [];
  for (let steps = 0; ; steps++) {
    const result = await update(known);
    if (result.kind !== 'advance') return { ids, steps, known };
    ids.push(...result.payments.map(({ orderId }) => orderId));
    known = [...known, ...result.blocks];
  }
}

describe('nextUpdate', () => {
  it('sends one request for any number of checkpoints and packages', async () => {
    chain.head = 1_000_000;
    chain.events = [paid(20, 1), paid(30, 2, otherPackageId)];
    const { payments, blocks } = advanced(await update());
    expect(payments.map(({ height, logIndex }) => [height, logIndex % 2 ** 15])).toEqual([
      [20, 0],
      [30, 0],
    ]);
    expect(blocks.map(({ height }) => height)).toEqual([20, 30, 1_000_000]);
    expect(chain.requests).toBe(1);
  });

  it('returns the previously followed checkpoint as the parent', async () => {
    chain.events = [paid(20, 1)];
    const { blocks } = advanced(await update());
    expect(blocks.map(({ parentHash }) => parentHash)).toEqual([blockAt(10).hash, blockAt(20).hash]);
  });

  it.each([100, 101, 200])('returns idle while the node has no newer checkpoint than %d', async (height) => {
    expect(await update([blockAt(height)])).toMatchObject({ kind: 'idle', head: { height: 100 } });
  });

  it('reads from the start height without stored checkpoints', async () => {
    chain.events = [paid(0, 1), paid(5, 2)];
    expect(advanced(await update([])).payments).toHaveLength(2);
    expect(advanced(await update([], { startHeight: 1 })).payments).toHaveLength(1);
  });

  it('catches up in steps that skip and repeat no payment', async () => {
    chain.pageSize = 3;
    chain.events = Array.from({ length: 40 }, (_none, at) => paid(11 + Math.floor(at / 2), at));
    const { ids, steps } = await follow();
    expect(new Set(ids).size).toBe(40);
    expect(ids).toHaveLength(40);
    expect(steps).toBeGreaterThan(10);
  });

  it('reads all pages of a checkpoint with more payments than a page', async () => {
    chain.pageSize = 3;
    chain.events = Array.from({ length: 10 }, (_none, at) => paid(at < 8 ? 20 : 21, at));
    const { payments } = advanced(await update());
    expect(payments.map(({ logIndex }) => logIndex % 2 ** 15)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect((await follow()).ids).toHaveLength(10);
  });

  it('skips no payment when a later page comes from a node that lags', async () => {
    chain.pageSize = 3;
    chain.events = [1, 2, 3, 4].map((order) => paid(20, order)).concat(paid(60, 5));
    // The lagging node returns the rest of checkpoint 20 as the last page, and lacks checkpoint 60.
    chain.nextHeads = [100, 30];
    const { payments, blocks } = advanced(await update());
    expect(payments).toHaveLength(4);
    expect(blocks.at(-1)!.height).toBe(20);
    expect((await follow()).ids).toHaveLength(5);
  });

  it('skips no payment when a later page comes from a node without the checkpoint', async () => {
    chain.pageSize = 3;
    chain.events = [1, 2, 3, 4].map((order) => paid(20, order));
    chain.nextHeads = [100, 19];
    await expect(update()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('reads a checkpoint with hundreds of pages of payments', async () => {
    chain.pageSize = 1;
    const spam = { ...paid(20, 1), bcs: 'AAAA' };
    chain.events = [...Array.from({ length: 250 }, () => spam), paid(20, 2)];
    const { payments } = advanced(await update());
    expect(payments.map(({ logIndex }) => logIndex % 2 ** 15)).toEqual([250]);
  });

  it('limits a step to the package with the lowest read checkpoint', async () => {
    chain.pageSize = 2;
    chain.events = [paid(20, 1), paid(30, 2), paid(40, 3), paid(50, 4, otherPackageId)];
    const { payments, blocks } = advanced(await update());
    expect(blocks.at(-1)!.height).toBe(20);
    expect(payments).toHaveLength(1);
    expect((await follow()).ids).toHaveLength(4);
  });

  it('assigns different indexes to two packages in one checkpoint', async () => {
    chain.events = [paid(20, 1), paid(20, 2, otherPackageId)];
    const [one, other] = advanced(await update()).payments;
    expect(one!.logIndex).not.toBe(other!.logIndex);
  });

  it('returns no more checkpoints than the window', async () => {
    chain.events = Array.from({ length: 30 }, (_none, at) => paid(20 + at, at));
    const { blocks, payments } = advanced(await update([blockAt(10)], { window: 4 }));
    expect(blocks.map(({ height }) => height)).toEqual([47, 48, 49, 100]);
    expect(payments).toHaveLength(30);
  });

  it('never skips checkpoints that a node has pruned', async () => {
    chain.first = 12;
    await expect(update()).rejects.toMatchObject({ kind: 'unavailable' });
    chain.first = 11;
    expect((await update()).kind).toBe('advance');
  });

  it.each([
    ['contents of another event', 'AAAA'],
    ['contents that end early', paid(20, 1).bcs.slice(0, 40)],
    ['a hash that is not the order', `IAAA${paid(20, 1).bcs.slice(4)}`],
  ])('skips an event with %s, which our module cannot emit', async (_name, bcs) => {
    chain.events = [{ ...paid(20, 1), bcs }, paid(20, 2)];
    const { payments } = advanced(await update());
    expect(payments.map(({ logIndex }) => logIndex % 2 ** 15)).toEqual([1]);
  });

  it('returns unprintable names of tokens in hexadecimal', async () => {
    chain.events = [paidEvent(20, digestOf('transaction'), aSuiOrder({ token_in: 'US\0DC' }))];
    expect(advanced(await update()).payments[0]!.fields.token_in).toBe('0x5553004443');
  });

  it.each([
    [
      'events of another type',
      (event: any) => (event.contents.type.repr = `${otherPackageId}::pay::OrderPaid`),
    ],
    ['a failed transaction', (event: any) => (event.transaction.effects.status = 'FAILURE')],
    ['no checkpoint', (event: any) => (event.transaction.effects.checkpoint = null)],
    [
      'a checkpoint below the wanted ones',
      (event: any) => (event.transaction.effects.checkpoint.sequenceNumber = 3),
    ],
    ['a huge number', (event: any) => (event.transaction.effects.checkpoint.sequenceNumber = 1e300)],
    ['a number as a string', (event: any) => (event.transaction.effects.checkpoint.sequenceNumber = '20')],
    ['an invalid digest', (event: any) => (event.transaction.digest = '0OIl')],
    ['contents that are not base64', (event: any) => (event.contents.bcs = '%%%')],
    ['no contents', (event: any) => delete event.contents],
    [
      'two digests of one checkpoint',
      (event: any) => (event.transaction.effects.checkpoint.sequenceNumber = 100),
    ],
  ])('rejects an answer with %s', async (_name, change) => {
    chain.events = [paid(20, 1)];
    chain.spoil = (data) => {
      change((data['e0'] as any).nodes[0]);
      return data;
    };
    await expect(update()).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });

  it.each([
    ['no data', () => null],
    ['a list', () => []],
    ['no head', (data: any) => ({ ...data, checkpoint: null })],
    ['no page', (data: any) => ({ ...data, e1: undefined })],
    ['a page without its end', (data: any) => ({ ...data, e1: { nodes: [] } })],
    ['another network', (data: any) => ({ ...data, chainIdentifier: '4c78adac' })],
  ])('rejects an answer with %s', async (_name, spoil) => {
    chain.spoil = spoil;
    await expect(update()).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });
});
