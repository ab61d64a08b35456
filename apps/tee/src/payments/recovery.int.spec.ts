import { createHash, randomBytes } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import {
  isReceipt,
  keylessCallPrefix,
  receiptOf,
  type FrameItem,
  type Outcome,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';
import { Metrics } from '@tollbridge/observability';
import { eventually } from '@tollbridge/testing';
import { ReceiptKey } from '../signing/receipt-key';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';
import { Verifier } from '../verification/verifier';
import { LiveNonces } from '../ledger/rules/live-nonces';

let harness: TeeHarness;
let buyer: Buyer;

beforeAll(async () => {
  harness = await TeeHarness.start();
  await harness.startApp();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  buyer = new Buyer();
  await harness.fund(buyer, 10_000n);
});
afterEach(() => void jest.restoreAllMocks());

const pay = (call: Partial<FrameItem> = {}): FrameItem => buyer.pay(harness.nowMs, {}, call);
const copyOf = (item: FrameItem, changes: Partial<FrameItem> = {}): FrameItem =>
  ({ ...item, callKey: randomBytes(16), ...changes }) as FrameItem;

/** Locks the ledger, so that no commit completes until this connection ends. */
async function lockedLedger(): Promise<Client> {
  const lock = new Client({ connectionString: harness.database.ownerUrl });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE tee.ledger IN ACCESS EXCLUSIVE MODE');
  return lock;
}

const hasWaitingCommit = (): Promise<void> =>
  eventually(async () => {
    const waiting = await harness.database.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = 'tee.ledger'::regclass AND mode = 'RowExclusiveLock'`,
    );
    expect(waiting).toHaveLength(1);
  });
const captured = (item: FrameItem): Promise<Outcome> =>
  eventually(async () => {
    const outcome = await harness.sendOne(item);
    expect(outcome.status).toBe('captured');
    return outcome;
  });

it('repeats the outcome with a signed receipt after a restart', async () => {
  const item = pay();
  const before = await harness.sendOne(item);
  const app = await harness.startApp();
  const after = await harness.sendOne(item);
  expect(after).toEqual(before);
  const digest = createHash('sha256')
    .update((item as { payment: Buffer }).payment)
    .digest();
  const { publicKey } = app.context.get(ReceiptKey);
  expect(isReceipt(receiptOf(after as SettledOutcome), publicKey, digest)).toBe(true);
});

it('reports a hold as held to its call when it is charged in the same batch', async () => {
  const item = pay({ kind: 'hold' });
  const [held, charged] = await harness.send([item, copyOf(item, { kind: 'charge' })]);
  expect([held!.status, charged!.status]).toEqual(['held', 'captured']);
});

it('either charges or releases a hold under concurrency, without effect on other holds', async () => {
  const other = await harness.sendOne(pay({ kind: 'hold' }));
  expect(other.status).toBe('held');
  for (let round = 0; round < 5; round++) {
    const item = pay({ kind: 'hold' });
    const { digest } = (await harness.sendOne(item)) as SettledOutcome;
    const confirmationId = createHash('sha256')
      .update(Buffer.from('ffff', 'hex'))
      .update('ton-nanopay/v1')
      .update(Buffer.of(0x10))
      .update(digest)
      .digest()
      .subarray(0, 16);
    const letGo: FrameItem = { kind: 'void', callKey: item.callKey, confirmationId };
    const outcomes = (await harness.send([copyOf(item, { kind: 'charge' }), letGo])).map(statusOf);
    expect(outcomes.filter((status) => ['captured', 'voided'].includes(status))).toHaveLength(1);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ reserved: '1000' });
  }
});

it('resolves the checks of a dead thread as unknown, and starts another thread', async () => {
  const app = await harness.startApp();
  const { threads } = app.context.get(Verifier) as unknown as { threads: { worker: Worker }[] };
  const [{ worker }] = threads as [{ worker: Worker }];
  const asked = new Promise<void>((resolve) =>
    jest.spyOn(worker, 'postMessage').mockImplementation(() => resolve()),
  );
  const items = Array.from({ length: 10 }, () => pay());
  const outcomes = harness.send(items);
  await asked;
  await worker.terminate();
  expect(new Set((await outcomes).map(statusOf))).toEqual(new Set(['unknown']));
  for (const item of items) await captured(item);
  expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '0', spent: '10000' });
});

it('limits waiting payments while the database does not answer, and rejects further payments immediately', async () => {
  await harness.startApp({ TEE_MAX_UNDER_WAY: '64' });
  const lock = await lockedLedger();
  const small = (): FrameItem => buyer.pay(harness.nowMs, { amountAtomic: 1n });
  const outcomes = harness.send(Array.from({ length: 64 }, small));
  await hasWaitingCommit();
  const more = small();
  const letGo: FrameItem = { kind: 'void', callKey: randomBytes(16), confirmationId: randomBytes(16) };
  const startedMs = performance.now();
  expect((await harness.send([more, letGo])).map(statusOf)).toEqual(['unknown', 'unknown']);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await lock.end();
  expect(new Set((await outcomes).map(statusOf))).toEqual(new Set(['captured']));
  await captured(more);
  expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9935', spent: '65' });
  await harness.startApp();
});

describe('a charge of a call without a key', () => {
  const keyless = (item: FrameItem): FrameItem =>
    copyOf(item, { callKey: Buffer.concat([keylessCallPrefix, randomBytes(8)]) });

  it('accepts one claim after a restart, and keeps the claim after the next restart', async () => {
    const item = keyless(pay());
    const before = await harness.sendOne(item);
    await harness.startApp();
    const claim = copyOf(item);
    expect(await harness.sendOne(claim)).toEqual(before);
    await harness.startApp();
    expect(statusOf(await harness.sendOne(copyOf(item)))).toBe('duplicate_settlement');
    expect(await harness.sendOne(claim)).toEqual(before);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('accepts the claim of one call when the commit of a claim is lost', async () => {
    const item = keyless(pay());
    expect(statusOf(await harness.sendOne(item))).toBe('captured');
    const lock = await lockedLedger();
    const claims = [copyOf(item), copyOf(item), copyOf(item)];
    const outcomes = harness.send(claims);
    try {
      await hasWaitingCommit();
      await harness.database.breakConnections();
      expect((await outcomes).map(statusOf)).toContain('unknown');
    } finally {
      await lock.end();
    }
    const retried = await eventually(async () => {
      const statuses = await Promise.all(claims.map(async (claim) => statusOf(await harness.sendOne(claim))));
      expect(statuses).not.toContain('unknown');
      return statuses;
    });
    expect(retried.sort()).toEqual(['captured', 'duplicate_settlement', 'duplicate_settlement']);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });
});

describe('a lost commit', () => {
  it('resolves its payments and their copies as unknown, and charges once when the call is retried', async () => {
    const lock = await lockedLedger();
    const item = pay();
    const outcomes = harness.send([item, copyOf(item), copyOf(item)]);
    await hasWaitingCommit();
    // Enough time to decide the copies.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await harness.database.breakConnections();
    expect((await outcomes).map(statusOf)).toEqual(['unknown', 'unknown', 'unknown']);
    await lock.end();
    await captured(item);
    expect(statusOf(await harness.sendOne(copyOf(item)))).toBe('duplicate_settlement');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });
});

it('rejects new payments and replays known ones when the nonce memory is full', async () => {
  const [before, held] = [pay(), pay({ kind: 'hold' })];
  expect((await harness.send([before, held])).map(statusOf)).toEqual(['captured', 'held']);
  const full = jest.spyOn(LiveNonces.prototype, 'isFull', 'get').mockReturnValue(true);
  const [fresh, charge] = [pay(), copyOf(held, { kind: 'charge' })];
  expect((await harness.send([fresh, before, charge])).map(statusOf)).toEqual([
    'unknown',
    'captured',
    'captured',
  ]);
  full.mockRestore();
  expect(statusOf(await harness.sendOne(fresh))).toBe('captured');
});

describe('a writer after a takeover', () => {
  const epochOf = async (): Promise<unknown> =>
    (await harness.database.query('SELECT epoch FROM tee.ledger'))[0]!['epoch'];
  const succeed = (): Promise<unknown> => harness.database.query('UPDATE tee.ledger SET epoch = epoch + 1');
  const ends = (kill: jest.SpyInstance): Promise<void> =>
    eventually(() => expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]));

  afterEach(async () => {
    process.exitCode = undefined;
    await harness.startApp();
  });

  it('exits without a payment to commit, before it rejects payments by stale state', async () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    await succeed();
    await ends(kill);
    expect(statusOf(await harness.sendOne(pay()))).toBe('unknown');
  });

  it('charges nothing and does not regain the lease when its connections break', async () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const item = pay();
    await succeed();
    const epoch = await epochOf();
    await harness.database.breakConnections();
    expect(statusOf(await harness.sendOne(item))).toBe('unknown');
    await ends(kill);
    expect(await epochOf()).toBe(epoch);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000' });
  });
});

describe('a ledger with inconsistent sums', () => {
  const accountOf = ({ address }: Buyer): Buffer => Buffer.from(address.slice(2), 'hex');

  it.each([
    ['earnings exceed the charges', 'earned = earned + $2', 'balance'],
    [
      'something is set apart for nothing',
      'reserved = reserved + $2, deposited = deposited + $2',
      'reserved',
    ],
  ])('halts when %s, and resumes after the repair', async (_, change, sum) => {
    const app = await harness.startApp({ TEE_AUDIT_MS: '100' });
    const changeBy = (amount: number): Promise<unknown> =>
      harness.database.query(`UPDATE tee.accounts SET ${change} WHERE account = $1`, [
        accountOf(buyer),
        amount,
      ]);
    const figures = (): Promise<string> => app.context.get(Metrics).registry.metrics();
    await changeBy(1);
    await eventually(async () => expect(await figures()).toMatch(figureOf(sum, '-?1')));
    // The payment is neither charged nor rejected, so that the buyer can retry it.
    expect(statusOf(await harness.sendOne(new Buyer().pay(harness.nowMs)))).toBe('unknown');
    await changeBy(-1);
    await captured(pay());
    expect(await figures()).toMatch(figureOf(sum, '0'));
  });

  const figureOf = (sum: string, value: string): RegExp =>
    new RegExp(`tollbridge_ledger_difference{[^}]*sum="${sum}"[^}]*} ${value}\\b`);
});
