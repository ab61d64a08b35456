import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame, paymentsSubject, type FrameItem } from '@tollbridge/nanopay-protocol';
import { eventually, freePort, openTcpLink, runProgram, type Child } from '@tollbridge/testing';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';

// The documented limit: a successor serves within this time after the holder has died.
const takeoverMs = 5_000;
/** The limit applies to the default lease. Other tests use a longer lease. */
const defaultLease = { TEE_LEASE_MS: undefined };
const program = `
  import { run } from ${JSON.stringify(join(__dirname, '../../../../libs/platform/bootstrap/src/run'))};
  import { start } from ${JSON.stringify(join(__dirname, '../start'))};
  run(() => start());
`;

/** A process that is busy for 80 % of the time, with a clock that is one hour fast. */
const slowProgram = `
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) { super(...(given.length > 0 ? given : [RealDate.now() + 3_600_000])); }
    static now() { return RealDate.now() + 3_600_000; }
  };
  const cell = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.wait(cell, 0, 0, 800), 1_000);
  ${program}
`;

interface Process {
  child: Child;
  health(): Promise<{ status: string; checks: Record<string, string> }>;
}

let harness: TeeHarness;
let buyer: Buyer;
let processes: Process[];

beforeEach(async () => {
  harness = await TeeHarness.start();
  buyer = new Buyer();
  await harness.fund(buyer, 100_000_000n);
  processes = [];
});
afterEach(async () => {
  for (const { child } of processes) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
  await harness.close();
});

/** Starts a separate ledger process. Returns before the process is ready. */
async function spawnLedger(settings: NodeJS.ProcessEnv = {}, body = program): Promise<Process> {
  const port = await freePort();
  const env = harness.environment({
    TEE_MANAGEMENT_PORT_NUMBER: String(port),
    LOG_LEVEL: 'info',
    ...settings,
  });
  const child = runProgram(body, env);
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return (await response.json()) as Awaited<ReturnType<Process['health']>>;
  };
  const started = { child, health };
  processes.push(started);
  return started;
}

const untilStatus = (ledger: Process, status: string): Promise<void> =>
  eventually(async () => expect(await ledger.health()).toMatchObject({ status }), { timeoutMs: 60_000 });

/** Starts a process that serves, and a standby. */
async function pair(settings: NodeJS.ProcessEnv = {}, ofHolder: NodeJS.ProcessEnv = {}) {
  const holder = await spawnLedger({ ...settings, ...ofHolder });
  await untilStatus(holder, 'ok');
  const standby = await spawnLedger(settings);
  await untilStatus(standby, 'standby');
  return { holder, standby };
}

const pay = (): FrameItem => buyer.pay(harness.nowMs);

/**
 * Sends one payment until it is charged.
 * @returns milliseconds until the charge, without the time that the machine stalled
 */
async function untilCharged(item = pay()): Promise<number> {
  const startMs = performance.now();
  const stalledMs = countStalls();
  await eventually(async () => expect(await ask(item)).toBe('captured'), { everyMs: 10 });
  return performance.now() - startMs - stalledMs();
}

const [tickMs, stallMs] = [50, 100];

/** @returns a function that stops the count and returns the milliseconds that this process stalled */
function countStalls(): () => number {
  let [lastMs, sumMs] = [performance.now(), 0];
  const tick = (): void => {
    const lateMs = performance.now() - lastMs - tickMs;
    lastMs = performance.now();
    // Ignores delays by ordinary load.
    if (lateMs > stallMs) sumMs += lateMs;
  };
  const timer = setInterval(tick, tickMs);
  return () => {
    clearInterval(timer);
    tick();
    return sumMs;
  };
}

/** Sends a payment as a seller does, with a short time-out. */
async function ask(item: FrameItem): Promise<string> {
  const answer = harness.sendOne(item).then(statusOf);
  return Promise.race([answer, sleep(500).then(() => 'unanswered')]);
}

const rowOf = async (table: string): Promise<Record<string, unknown>> =>
  (await harness.database.query(`SELECT * FROM tee.${table}`))[0]!;

async function expectOneLedger(): Promise<void> {
  const [sums] = await harness.database.query(
    `SELECT count(*) AS count, sum(charged) AS charged, max(seq) AS seq FROM tee.payments WHERE state = 'captured'`,
  );
  const { spent, available } = (await harness.balanceOf(buyer.address))!;
  expect(spent).toBe(sums!['charged']);
  expect(BigInt(spent!) + BigInt(available!)).toBe(100_000_000n);
  expect(await rowOf('ledger')).toMatchObject({ charges: sums!['count'], seq: sums!['seq'] });
}

describe('two ledger processes on one database', () => {
  it('serves all payments without a takeover when both start at once', async () => {
    const settings = { TEE_LEASE_MS: '6000' };
    const both = await Promise.all([spawnLedger(settings), spawnLedger(settings)]);
    await eventually(
      async () => {
        const found = await Promise.all(both.map((each) => each.health()));
        expect(found.map(({ status }) => status).sort()).toEqual(['ok', 'standby']);
      },
      { timeoutMs: 60_000 },
    );
    const before = [await rowOf('ledger'), await rowOf('lease')];
    const statusCounts = new Map<string, number>();
    // One and a half lease periods: a lease that is renewed only once expires before this time.
    const endMs = performance.now() + 9_000;
    const keepPaying = async (): Promise<void> => {
      while (performance.now() < endMs) {
        const status = statusOf(await harness.sendOne(pay()));
        statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 4 }, keepPaying));
    expect([...statusCounts.keys()]).toEqual(['captured']);
    expect(statusCounts.get('captured')).toBeGreaterThan(100);
    expect(await rowOf('ledger')).toMatchObject({ epoch: before[0]!['epoch'] });
    expect(await rowOf('lease')).toMatchObject({ holder: before[1]!['holder'] });
    await expectOneLedger();
  });

  it('serves again within five seconds after the holder was killed', async () => {
    const { holder, standby } = await pair(defaultLease);
    const item = pay();
    await untilCharged(item);
    holder.child.process.kill('SIGKILL');
    await holder.child.ended;
    expect(await untilCharged()).toBeLessThan(takeoverMs);
    // The successor has loaded the charges of its predecessor.
    await untilCharged(item);
    await untilStatus(standby, 'ok');
    await expectOneLedger();
  });

  it('serves again immediately when the holder is stopped before its lease expires', async () => {
    const { holder, standby } = await pair({ TEE_LEASE_MS: '60000' });
    holder.child.process.kill('SIGTERM');
    expect(await holder.child.ended).toBe(0);
    expect(await untilCharged()).toBeLessThan(10_000);
    await untilStatus(standby, 'ok');
  });

  it('elects a new holder after the standby is stopped and replaced', async () => {
    const { standby } = await pair();
    const { holder } = await rowOf('lease');
    standby.child.process.kill('SIGTERM');
    expect(await standby.child.ended).toBe(0);
    expect(await rowOf('lease')).toMatchObject({ holder });
    await untilStatus(await spawnLedger(), 'standby');
  });
});

const acquired = 'ledger lease acquired';
const superseded = 'ledger taken over by another process';

describe('a standby while the lease holder is running', () => {
  it('does not take over while the holder is slow and its clock is wrong', async () => {
    const settings = { TEE_LEASE_MS: '8000' };
    const holder = await spawnLedger(settings, slowProgram);
    await untilStatus(holder, 'ok');
    const standby = await spawnLedger(settings);
    await untilStatus(standby, 'standby');
    const before = [await rowOf('ledger'), await rowOf('lease')];
    // One and a half lease periods: a lease that is renewed only once expires before this time.
    for (const endMs = performance.now() + 12_000; performance.now() < endMs; await sleep(100))
      await untilCharged();
    expect(await rowOf('ledger')).toMatchObject({ epoch: before[0]!['epoch'] });
    expect(await rowOf('lease')).toMatchObject({ holder: before[1]!['holder'] });
    expect(standby.child.output()).not.toContain(acquired);
    expect(await standby.health()).toMatchObject({ status: 'standby' });
    await expectOneLedger();
  });

  it('takes over only when the holder dies or releases the lease, however often both are restarted', async () => {
    // Without renewals, this lease expires several times while processes start.
    const settings = { TEE_LEASE_MS: '5000' };
    let { holder, standby } = await pair(settings);
    const { epoch } = await rowOf('ledger');
    const restarts = [
      ['holder', 'SIGTERM'],
      ['standby', 'SIGKILL'],
      ['holder', 'SIGKILL'],
    ] as const;
    for (const [victim, signal] of restarts) {
      const stopped = victim === 'holder' ? holder : standby;
      stopped.child.process.kill(signal);
      await stopped.child.ended;
      // Expires the lease that the standby waits for.
      if (signal === 'SIGKILL' && victim === 'holder')
        await harness.database.query('UPDATE tee.lease SET expires_at = clock_timestamp()');
      if (victim === 'holder') holder = standby;
      await untilStatus(holder, 'ok');
      await untilCharged();
      standby = await spawnLedger(settings);
      await untilStatus(standby, 'standby');
    }
    const changes = restarts.filter(([victim]) => victim === 'holder').length;
    const count = (text: string): number =>
      processes.reduce((sum, { child }) => sum + child.output().split(text).length - 1, 0);
    expect(count(acquired)).toBe(1 + changes);
    expect(count(superseded)).toBe(0);
    // The epoch is incremented when the lease is acquired, and when the ledger is loaded.
    expect(Number((await rowOf('ledger'))['epoch'])).toBe(Number(epoch) + 2 * changes);
    await expectOneLedger();
  });

  it('does not take over after its own SIGTERM', async () => {
    const { holder, standby } = await pair({ STOP_DELAY_MS: '3000' }, { STOP_DELAY_MS: '0' });
    standby.child.process.kill('SIGTERM');
    await untilStatus(standby, 'unavailable');
    holder.child.process.kill('SIGTERM');
    expect(await holder.child.ended).toBe(0);
    expect(await standby.child.ended).toBe(0);
    expect(standby.child.output()).not.toContain(acquired);
  });
});

describe('a lease holder suspended by SIGSTOP', () => {
  it('commits and answers nothing after a takeover, and exits', async () => {
    const { holder, standby } = await pair(defaultLease);
    const replies = new Map<string, number>();
    const prefix = harness.bus.newInbox('tee');
    const inbox = harness.bus.nats.subscribe(`${prefix}.*`, {
      callback: (_error, { subject }) => replies.set(subject, (replies.get(subject) ?? 0) + 1),
    });
    const send = (item: FrameItem, name: string): void =>
      harness.bus.nats.publish(paymentsSubject, encodeFrame([item]), { reply: `${prefix}.${name}` });
    for (let count = 0; count < 50; count++) send(pay(), `before-${count}`);
    await harness.bus.nats.flush();
    holder.child.process.kill('SIGSTOP');
    const { epoch } = await rowOf('ledger');
    expect(await untilCharged()).toBeLessThan(takeoverMs);
    await untilStatus(standby, 'ok');
    // Both processes receive each payment. The suspended process reads its copies from its sockets later.
    for (let count = 0; count < 50; count++) send(pay(), `after-${count}`);
    const after = (): [string, number][] => [...replies].filter(([subject]) => subject.includes('after'));
    await eventually(() => expect(after()).toHaveLength(50));
    holder.child.process.kill('SIGCONT');
    expect(await holder.child.ended).toBe(1);
    expect(holder.child.output()).toContain('ledger taken over by another process, exiting');
    await harness.bus.nats.flush();
    expect(after().filter(([, count]) => count !== 1)).toEqual([]);
    expect(Number((await rowOf('ledger'))['epoch'])).toBeGreaterThan(Number(epoch));
    await untilCharged();
    await untilStatus(standby, 'ok');
    await expectOneLedger();
    inbox.unsubscribe();
  });

  it('serves again when no other process has taken over', async () => {
    const alone = await spawnLedger({ TEE_LEASE_MS: '1000' });
    await untilStatus(alone, 'ok');
    const { epoch } = await rowOf('ledger');
    alone.child.process.kill('SIGSTOP');
    await sleep(2_500);
    alone.child.process.kill('SIGCONT');
    await untilCharged();
    expect(await rowOf('ledger')).toMatchObject({ epoch });
    await untilStatus(alone, 'ok');
  });
});

describe('a lease holder without its database for longer than the lease', () => {
  it('stops answering and leaves the ledger to a process that reaches the database', async () => {
    const link = await openTcpLink(harness.database.runtimeUrl);
    const { holder, standby } = await pair(defaultLease, { TEE_DATABASE_URL: link.url });
    try {
      await untilCharged();
      await link.cut();
      expect(await untilCharged()).toBeLessThan(takeoverMs);
      expect(await holder.health()).toMatchObject({
        status: 'unavailable',
        checks: { lease: 'unavailable', database: 'unavailable' },
      });
      await link.mend();
      expect(await holder.child.ended).toBe(1);
      expect(holder.child.output()).toContain('ledger taken over by another process, exiting');
      await untilCharged();
      await untilStatus(standby, 'ok');
      await expectOneLedger();
    } finally {
      await link.close();
    }
  });

  it('does not answer from memory, and serves again when the database is available', async () => {
    const link = await openTcpLink(harness.database.runtimeUrl);
    const alone = await spawnLedger({ TEE_DATABASE_URL: link.url, TEE_LEASE_MS: '1000' });
    try {
      await untilStatus(alone, 'ok');
      const { epoch } = await rowOf('ledger');
      // While it holds the lease, the process rejects payments from memory.
      const poor = new Buyer();
      await eventually(async () => expect(await ask(poor.pay(harness.nowMs))).toBe('insufficient_funds'));
      await link.cut();
      await sleep(1_500);
      expect(await ask(poor.pay(harness.nowMs))).toBe('unanswered');
      await link.mend();
      await untilCharged();
      expect(await rowOf('ledger')).toMatchObject({ epoch });
      await untilStatus(alone, 'ok');
    } finally {
      await link.close();
    }
  });
});
