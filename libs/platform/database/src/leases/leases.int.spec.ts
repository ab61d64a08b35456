import { Database } from '../database';
import { Leases, type Lease } from './leases';
import { openOutboxDatabase, type OutboxDatabase } from '../testing/outbox-schema';
import { eventually, openTcpLink, overLink } from '../testing/servers';

// Long enough not to expire when a machine stalls. Only tests that wait for expiries or renewals use a shorter lease.
const leaseMs = 10_000;
const shortMs = 1_000;
const chainNames = Array.from({ length: 6 }, (_, index) => `chain ${index}`);

interface Replica {
  leases: Leases;
  job: Lease;
  chains: Lease[];
  errors: unknown[];
  changes: string[];
}

let shop: OutboxDatabase;
let replicas: Replica[];

beforeAll(async () => {
  shop = await openOutboxDatabase(20);
});
afterAll(() => shop.close());
beforeEach(() => {
  replicas = [];
});
afterEach(async () => {
  await Promise.all(replicas.map(({ leases }) => leases.stop().catch(() => undefined)));
  await shop.fresh.query('TRUNCATE leases');
});

async function join(lasting = leaseMs, pool = shop.database.pool): Promise<Replica> {
  const [errors, changes]: [unknown[], string[]] = [[], []];
  const leases = new Leases({
    pool,
    leaseMs: lasting,
    onError: (error) => errors.push(error),
    onChange: (name, change) => changes.push(`${name} ${change}`),
    onReleased: () => replicas.forEach((other) => other.leases.wake()),
  });
  const job = leases.candidate('job');
  const chains = chainNames.map((name) => leases.candidate(name, 'chains'));
  const replica = { leases, job, chains, errors, changes };
  replicas.push(replica);
  await leases.start();
  return replica;
}

/** Stops renewals without a release, which simulates a kill. */
function kill(replica: Replica): void {
  jest.spyOn(replica.leases, 'wake').mockReturnValue();
  replicas.splice(replicas.indexOf(replica), 1);
}

const heldBy = ({ chains }: Replica): string[] =>
  chains.filter(({ isHeld }) => isHeld).map(({ name }) => name);
const spread = (): number[] => replicas.map((replica) => heldBy(replica).length);
const rows = (): Promise<{ name: string; holder: string; term: string }[]> =>
  shop.fresh.query('SELECT name, holder, term FROM leases ORDER BY name');

/** The earliest expiry of the chains' leases, as a Unix time in seconds. */
const firstEnd = async (): Promise<number> =>
  (
    await shop.fresh.query<{ at: number }>(
      `SELECT extract(epoch FROM min(expires_at))::float8 AS at FROM leases WHERE name LIKE 'chain %'`,
    )
  )[0]!.at;

/** Starts a round in every replica now, instead of after a quarter of the lease. */
const wakeAll = (): void => replicas.forEach(({ leases }) => leases.wake());

/** Waits until the replicas hold these numbers of chain leases, and each lease has one holder. */
const untilSpread = (counts: number[]): Promise<void> =>
  eventually(
    () => {
      wakeAll();
      expect(spread()).toEqual(counts);
      expect(replicas.flatMap(heldBy).sort()).toEqual(chainNames);
      expect(replicas.filter(({ job }) => job.isHeld)).toHaveLength(1);
    },
    { everyMs: 100 },
  );

describe('Leases', () => {
  it('assigns each lease to exactly one of several replicas that start concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all([join(), join(), join()]);
      expect(replicas.filter(({ job }) => job.isHeld)).toHaveLength(1);
      expect(replicas.flatMap(heldBy).sort()).toEqual(chainNames);
      expect(replicas.flatMap(({ errors }) => errors)).toEqual([]);
      await Promise.all(replicas.splice(0).map(({ leases }) => leases.stop()));
      expect((await rows()).filter(({ holder }) => holder)).toEqual([]);
    }
  });

  it('keeps the term of a lease that it renews beyond its duration', async () => {
    // The test waits longer than the lease, so the lease is short. It still lasts longer than a stall of the machine.
    const lasting = 4_000;
    const first = await join(lasting);
    const term = first.job.term;
    const second = await join(lasting);
    const untilMs = performance.now() + 1.25 * lasting;
    while (performance.now() < untilMs) {
      expect([first.job.isHeld, second.job.isHeld]).toEqual([true, false]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(first.job.term).toBe(term);
    expect(second.job.term).toBeUndefined();
  });

  it('passes a lease to another replica immediately after an orderly stop, under a higher term', async () => {
    const first = await join();
    const second = await join();
    const term = Number(first.job.term);
    const startMs = performance.now();
    await first.leases.stop();
    expect(first.job.isHeld).toBe(false);
    await eventually(() => expect(second.job.isHeld).toBe(true));
    // Long before the lease would have expired, also on a busy machine.
    expect(performance.now() - startMs).toBeLessThan(leaseMs / 2);
    expect(Number(second.job.term)).toBe(term + 1);
  });

  it('passes the lease of a killed replica to another replica', async () => {
    const first = await join(shortMs);
    const second = await join(shortMs);
    kill(first);
    const startMs = performance.now();
    await eventually(() => expect(second.job.isHeld).toBe(true));
    // The lease and one renewal interval take 1.25 s. The limit allows for a slow machine.
    expect(performance.now() - startMs).toBeLessThan(10_000);
    // By its own clock, the killed replica lost the lease before.
    expect(first.job.isHeld).toBe(false);
  });

  it('ends the lease of a replica that lost its database before another replica acquires the lease', async () => {
    const link = await openTcpLink(shop.fresh.runtimeUrl);
    const url = overLink(shop.fresh.runtimeUrl, link);
    const cut = await Database.open({
      app: 'cut',
      url,
      entities: [],
      maxConnections: 2,
      queryTimeoutMs: 500,
    });
    const first = await join(shortMs, cut.pool);
    await eventually(() => expect(first.job.isHeld).toBe(true));
    await link.cut();
    const second = await join();
    let overlaps = 0;
    await eventually(
      () => {
        if (first.job.isHeld && second.job.isHeld) overlaps++;
        second.leases.wake();
        expect(second.job.isHeld).toBe(true);
      },
      { everyMs: 1 },
    );
    expect(overlaps).toBe(0);
    await eventually(() => expect(first.errors.length).toBeGreaterThan(0));
    await link.mend();
    await eventually(() => expect(first.changes).toContain('job lost'));
    expect(second.job.isHeld).toBe(true);
    await first.leases.stop();
    await cut.close();
    await link.close();
  });

  it('uses no connection between renewals, and one statement for each renewal', async () => {
    const replica = await join(shortMs);
    await eventually(() => expect(heldBy(replica)).toHaveLength(6));
    const { pool } = shop.database;
    await eventually(() => expect(pool.idleCount).toBe(pool.totalCount));
    const queries = jest.spyOn(pool, 'query');
    const startMs = performance.now();
    await eventually(() => expect(queries.mock.calls.length).toBeGreaterThanOrEqual(4));
    // A timer may fire a moment early.
    const mostRenewals = (performance.now() - startMs) / (shortMs / 4) + 1.1;
    expect(queries.mock.calls.length).toBeLessThanOrEqual(mostRenewals);
    queries.mockRestore();
  });

  it('throws when a process registers a second candidate for one lease', async () => {
    const { leases } = await join();
    expect(() => leases.candidate('job')).toThrow('This process already has a candidate for the lease job.');
  });
});

describe('Leases of a team', () => {
  it('spreads the leases evenly over two and three replicas, and gives each lease one holder', async () => {
    await join();
    expect(spread()).toEqual([6]);
    await join();
    await untilSpread([3, 3]);
    await join();
    await untilSpread([2, 2, 2]);
  });

  it('moves the leases to the other replicas after a kill, and spreads them again when one joins', async () => {
    const [first] = [await join(shortMs), await join(), await join()];
    await untilSpread([2, 2, 2]);
    kill(first);
    await untilSpread([3, 3]);
    await join();
    await untilSpread([2, 2, 2]);
  });

  it('passes a lease to another replica only after the running work has ended', async () => {
    const first = await join();
    let end!: () => void;
    const work = first.chains.map((lease) =>
      lease.run(() => new Promise<void>((resolve) => (end = joined(end, resolve)))),
    );
    const second = await join();
    await eventually(() => {
      wakeAll();
      // The replica starts no new work under the leases that it is releasing.
      expect(heldBy(first)).toHaveLength(3);
    });
    const renewedUntil = await firstEnd();
    for (let round = 0; round < 5; round++) {
      await first.leases.start();
      await second.leases.start();
      expect(heldBy(second)).toEqual([]);
    }
    expect(await firstEnd()).toBeGreaterThan(renewedUntil);
    const leaving = first.chains.filter(({ isHeld }) => !isHeld);
    expect(await leaving[0]!.run(() => Promise.resolve('ran'))).toBeUndefined();
    end();
    await Promise.all(work);
    await untilSpread([3, 3]);
  });

  it('deletes the rows of dead replicas', async () => {
    await shop.fresh.query(
      `INSERT INTO leases VALUES ('member chains dead', gen_random_uuid(), 1, now() - interval '2 minutes')`,
    );
    await join();
    await eventually(async () =>
      expect((await rows()).map(({ name }) => name)).not.toContain('member chains dead'),
    );
  });
});

const joined = (first: (() => void) | undefined, second: () => void) => (): void => {
  first?.();
  second();
};
