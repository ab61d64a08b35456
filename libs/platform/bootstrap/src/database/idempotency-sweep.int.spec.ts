import { Module, type Type } from '@nestjs/common';
import { idempotencyKeyOf, type Claimed } from '@tollbridge/rpc';
import { Database, DatabaseReplies, idempotencyTable, Leases, leasesTable } from '@tollbridge/database';
import { eventually, freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { IdempotencySweep } from './idempotency-sweep';
import type { RunningService } from '../service';
import { createTables, startTestService } from '../testing/test-service';

process.env['LOG_LEVEL'] = 'silent';

const app = `shop-${randomBytes(6).toString('hex')}`;
const dayMs = 24 * 3_600_000;

@Module({})
class ShopModule {}

let fresh: FreshDatabase;
let clock: ManualClock;
let services: RunningService[];

beforeEach(async () => {
  clock = new ManualClock();
  fresh = await freshDatabase('shop');
  await createTables(app, fresh.ownerUrl, [idempotencyTable, leasesTable]);
  services = await Promise.all([open(), open()]);
});
afterEach(async () => {
  await Promise.all((services ?? []).map((service) => service.close()));
  await fresh?.drop();
});

const open = (): Promise<RunningService> =>
  startTestService({
    app,
    module: ShopModule as Type,
    natsUrl: process.env['TEST_NATS_URL']!,
    config: {},
    clock,
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
  });

async function storeReplies(count: number): Promise<void> {
  const replies = services[0]!.context.get(DatabaseReplies);
  for (let made = 0; made < count; made++) {
    const call = {
      idempotencyKey: idempotencyKeyOf('x', `${clock.now()} ${made}`),
      subject: 'op.shop.sell',
      input: randomBytes(32),
      leaseMs: 1_000,
      hasSecretReply: false,
      requestId: 'request-1',
    };
    const { claim } = (await replies.claim(call)) as Claimed & { state: 'claimed' };
    await claim.store({});
  }
}
const left = async () => (await fresh.query('SELECT FROM idempotency_keys')).length;
const sweeps = () => services.map(({ context }) => context.get(IdempotencySweep));

async function leader(): Promise<IdempotencySweep> {
  return eventually(async () => {
    const [row] = await fresh.query(`SELECT holder FROM leases WHERE name = 'idempotency'`);
    const found = services.find(({ context }) => context.get(Leases).holder === row?.['holder']);
    return found!.context.get(IdempotencySweep);
  });
}

async function sweepUntil(expected: number): Promise<string[]> {
  const steps: string[] = [];
  const sweep = await leader();
  await eventually(async () => {
    steps.push((await sweep.step()).kind);
    expect(await left()).toBe(expected);
  });
  return steps;
}

describe('IdempotencySweep', () => {
  it('deletes keys older than a day in batches, and no other keys', async () => {
    await fresh.query(`INSERT INTO idempotency_keys (key, input, claim, lease_until, reply, answered_at, created_at)
    SELECT sha256(n::text::bytea), sha256(''), gen_random_uuid(), now(), '', now(), now() - interval '25 hours'
    FROM generate_series(1, 2500) AS n`);
    await storeReplies(3);
    const steps = await sweepUntil(3);
    expect(steps.filter((step) => step === 'more')).toHaveLength(2);
    clock.advance(dayMs);
    expect(await sweepUntil(0)).not.toContain('more');
  });

  it('runs in one replica at a time, and releases its connection', async () => {
    await storeReplies(3);
    clock.advance(dayMs);
    const leading = await leader();
    const other = sweeps().find((sweep) => sweep !== leading)!;
    expect(await other.step()).toEqual({ kind: 'done' });
    expect(await left()).toBe(3);
    await sweepUntil(0);
    for (const { context } of services) {
      const { idleCount, totalCount } = context.get(Database).pool;
      expect(idleCount).toBe(totalCount);
    }
  });

  it('starts with the replica that has the lease', async () => {
    await storeReplies(1);
    clock.advance(dayMs);
    await Promise.all(services.splice(0).map((service) => service.close()));
    services.push(await open());
    await eventually(async () => expect(await left()).toBe(0));
  });
});
