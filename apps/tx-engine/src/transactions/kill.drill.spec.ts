import { eventually, runProgram, type Child } from '@tollbridge/testing';
// Starts and kills a separate process for these tests.

import type { HDNodeWallet } from 'ethers';
import { join } from 'node:path';
import { signAll, TxEngine } from '../testing/tx-engine';

// KILLS=20 runs more.
const kills = Number(process.env['KILLS'] ?? 5);
const users = 6;
const usd = 10n ** 6n;
const amount = 10n * usd;
const program = `
  import { start } from ${JSON.stringify(join(__dirname, '../start'))};
  start().then(() => process.stdout.write('ready'));
`;
// The seed is printed. Setting KILL_SEED repeats a failed run.
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);

/** Sets with an acknowledged execution, by signer. */
const acknowledged = new Map<string, string>();

let harness: TxEngine;
let state = seed;
const random = (): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  process.stdout.write(`KILL_SEED=${seed}\n`);
  harness = await TxEngine.start({ confirmations: 2 });
});
afterAll(() => harness?.close());

async function started(): Promise<Child> {
  const child = runProgram(program, { ...harness.environment(), LOG_LEVEL: 'silent' });
  await eventually(() => expect(child.output() + child.errors()).toContain('ready'), { timeoutMs: 60_000 });
  return child;
}

async function killed(child: Child): Promise<void> {
  child.process.kill('SIGKILL');
  await child.ended;
}

/** Swaps one after the other. Repeats calls without a reply, as a client does. */
async function swapUntilAborted(user: HDNodeWallet, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const built = await harness.built({ from: 'USDT', to: 'USDC', amount }, user).catch(() => undefined);
    if (!built) {
      await pause(50);
      continue;
    }
    const signatures = await signAll(built, user);
    const answer = await eventually(() => harness.execute(built.transactionId, signatures), {
      timeoutMs: 60_000,
      everyMs: 50,
    });
    expect(answer.transactions).toHaveLength(built.transactions.length);
    acknowledged.set(built.transactionId, user.address);
    await eventually(
      async () =>
        expect(['completed', 'failed']).toContain((await harness.status(built.transactionId)).status),
      { timeoutMs: 60_000, everyMs: 50 },
    );
  }
}

it(`completes every acknowledged set exactly once after ${kills} kill -9 under load`, async () => {
  await harness.stopApps();
  const wallets: HDNodeWallet[] = [];
  for (let count = 0; count < users; count++) wallets.push(await harness.newUser({ USDT: 1_000n * amount }));
  const [load, blocks] = [new AbortController(), new AbortController()];
  const mining = mineUntilAborted(blocks.signal);
  let victim = await started();
  const loads = wallets.map((user) => swapUntilAborted(user, load.signal));
  try {
    for (let count = 0; count < kills; count++) {
      // Another process becomes the leader, so the work of the killed one is taken over.
      const next = await started();
      await pause(random() * 200);
      await killed(victim);
      victim = next;
    }
    load.abort();
    await Promise.all(loads);
    for (const user of wallets) await expectOnce(user);
  } finally {
    load.abort();
    await Promise.allSettled(loads);
    await killed(victim);
    blocks.abort();
    await mining;
  }
});

async function mineUntilAborted(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await harness.chain.anvil.mine();
    await pause(100);
  }
}

async function expectOnce(user: HDNodeWallet): Promise<void> {
  const ids = [...acknowledged].filter(([, of]) => of === user.address).map(([id]) => id);
  const statuses = await Promise.all(ids.map((id) => harness.status(id, true)));
  expect(statuses.filter(({ status }) => status !== 'completed')).toEqual([]);
  const out = statuses.reduce((sum, { result }) => sum + BigInt(result!.finalAmountOut!), 0n);
  expect(await harness.balance('USDC', user.address)).toBe(out);
  expect(await harness.balance('USDT', user.address)).toBe((1_000n - BigInt(ids.length)) * amount);
  const hashes = statuses.flatMap(({ details }) => details!.sent.map(({ hash }) => hash));
  expect(await harness.chain.anvil.provider.getTransactionCount(user.address)).toBe(hashes.length);
  expect(new Set(hashes).size).toBe(hashes.length);
  const claims = 'SELECT FROM tx_engine.nonce_claims WHERE signer = $1';
  expect(await harness.database.query(claims, [user.address])).toEqual([]);
}

it('publishes every change once, in order, and leaves no event in the outbox', async () => {
  process.stdout.write(`${acknowledged.size} sets were acknowledged\n`);
  expect(acknowledged.size).toBeGreaterThan(kills);
  await harness.startApp();
  await eventually(
    async () => {
      const [row] = await harness.database.query<{ count: string }>(
        'SELECT count(*) FROM tx_engine.outbox_queue',
      );
      expect(row!.count).toBe('0');
    },
    { timeoutMs: 30_000 },
  );
  for (const id of acknowledged.keys()) {
    const rows = await harness.database.query<{ version: number }>(
      `SELECT (payload ->> 'aggregateVersion')::int AS version FROM tx_engine.outbox WHERE aggregate_id = $1 ORDER BY seq`,
      [id],
    );
    const written = rows.map(({ version }) => version);
    await eventually(() =>
      expect(harness.events.of(id).map(({ envelope }) => envelope.aggregateVersion)).toEqual(written),
    );
    expect(written).toEqual([...new Set(written)].sort((a, b) => a - b));
  }
});
