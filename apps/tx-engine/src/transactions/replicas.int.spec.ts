import { Leases } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import { eventually } from '@tollbridge/testing';
import { TxEngine } from '../testing/tx-engine';
import { shardCount, shardOf } from './storage/set-shards';

const amount = 10_000_000n;
let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start({ settings: { TX_ENGINE_LEADER_LEASE_MS: '1000' } });
});
afterAll(() => harness?.close());

/** Returns the number of shards of each replica. Fails when a shard has no replica or two. */
async function shards(): Promise<number[]> {
  const rows = await harness.database.query<{ holder: string }>(
    `SELECT holder FROM leases WHERE name LIKE 'follow sets %' AND expires_at > now()`,
  );
  expect(rows).toHaveLength(shardCount);
  const holderOf = ({ context }: RunningService): string => context.get(Leases).holder;
  return harness.apps.map((app) => rows.filter(({ holder }) => holder === holderOf(app)).length);
}

const untilSpread = (...counts: number[]): Promise<void> =>
  eventually(async () => expect(await shards()).toEqual(counts));

/** Executes swaps of different users. @returns their ids */
async function swaps(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const user = await harness.newUser({ USDT: amount });
    const built = await harness.built({ from: 'USDT', to: 'USDC', amount }, user);
    await harness.executed(built, user);
    ids.push(built.transactionId);
  }
  return ids;
}

it('the database and the worker compute the same shard for a set', async () => {
  const id = (await swaps(1))[0]!;
  const [row] = await harness.database.query(
    `SELECT get_byte(uuid_send(id), 15) % ${shardCount} AS shard FROM transaction_sets WHERE id = $1`,
    [id],
  );
  expect(row).toEqual({ shard: shardOf(id) });
});

it('two replicas share the sets equally, and complete all of them when one stops and another joins', async () => {
  await untilSpread(shardCount);
  await harness.startApp();
  await untilSpread(shardCount / 2, shardCount / 2);
  const first = await swaps(6);
  for (const id of first) await harness.mining(id, { status: 'completed' });

  const open = await swaps(4);
  await harness.apps.shift()!.close();
  await untilSpread(shardCount);
  for (const id of open) await harness.mining(id, { status: 'completed' });

  await harness.startApp();
  await untilSpread(shardCount / 2, shardCount / 2);
  for (const id of await swaps(2)) await harness.mining(id, { status: 'completed' });
});
