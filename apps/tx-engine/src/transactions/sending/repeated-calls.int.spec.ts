import { swapQuotesApi, transactionsApi, type BuiltSet, type ExecutedSet } from '@tollbridge/contracts';
import { DomainError, idempotencyKeyOf, type BusOperation } from '@tollbridge/rpc';
import type { HDNodeWallet } from 'ethers';
import { signAll, TxEngine, type SwapInput } from '../../testing/tx-engine';

const { quoteSwap } = swapQuotesApi.operations;
const { buildTransactions, executeTransactions, batchTransactions } = transactionsApi.operations;
const usd = 10n ** 6n;
const input: SwapInput = { from: 'USDT', to: 'USDC', amount: 10n * usd };

// The clock runs, because workers poll transactions. The test can advance it.
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };
let harness: TxEngine;
let user: HDNodeWallet;
let made = 0;

beforeAll(async () => {
  harness = await TxEngine.start({ clock });
});
afterAll(() => harness?.close());
beforeEach(async () => {
  user = await harness.newUser({ USDT: 1_000n * usd });
});

const newKey = (): string => idempotencyKeyOf('key:1', `key-${++made}`);

/** Makes fifty concurrent calls and fifty later calls. Expects equal replies. */
async function repeated<I, O>(operation: BusOperation<I, O>, input: I): Promise<O> {
  const key = newKey();
  const call = (): Promise<O | string> =>
    harness.callKeyed(operation, input, key).catch((error: DomainError) => error.code);
  const outcomes: (O | string)[] = [];
  for (let round = 0; round < 2; round++)
    outcomes.push(...(await Promise.all(Array.from({ length: 50 }, call))));
  const replies = outcomes.filter((it): it is O => it !== 'IDEMPOTENCY_IN_PROGRESS');
  expect(replies.length).toBeGreaterThanOrEqual(50);
  for (const reply of replies) expect(reply).toEqual(replies[0]);
  return replies[0]!;
}

async function count(table: 'quotes' | 'transaction_sets'): Promise<number> {
  const [row] = await harness.database.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(row!.count);
}

async function build(): Promise<{ set: BuiltSet; signatures: string[] }> {
  const set = await harness.built(input, user);
  return { set, signatures: await signAll(set, user) };
}

const execute = (
  { set, signatures }: { set: BuiltSet; signatures: string[] },
  key: string,
  broadcast = true,
): Promise<ExecutedSet | DomainError> =>
  harness
    .callKeyed(executeTransactions, { transactionId: set.transactionId, signatures, broadcast }, key)
    .catch((error: DomainError) => error);

it('stores a quote once and replays it with its expiry', async () => {
  const before = await count('quotes');
  const quote = await repeated(quoteSwap, harness.swapRequest(input));
  expect(quote.quoteId).toEqual(expect.any(String));
  expect(await count('quotes')).toBe(before + 1);
});

it('builds a set once', async () => {
  const { quoteId } = await harness.quote(input);
  const before = await count('transaction_sets');
  const set = await repeated(buildTransactions, { quoteId, userAddress: user.address, skipApprovals: false });
  expect(await count('transaction_sets')).toBe(before + 1);
  expect((await harness.status(set.transactionId)).status).toBe('built');
});

it('builds a batch once and replays its failures', async () => {
  const { quoteId } = await harness.quote(input);
  const before = await count('transaction_sets');
  const item = { quoteId, userAddress: user.address };
  const bad = { id: 'bad', quoteId: '01a1faec-0000-7000-8000-000000000000', userAddress: user.address };
  const batch = await repeated(batchTransactions, { transactions: [{ id: 'good', ...item }, bad] });
  expect(batch.transactions.map(({ status }) => status)).toEqual(['built', 'failed']);
  expect(await count('transaction_sets')).toBe(before + 1);
});

it('executes a set once and replays the first reply', async () => {
  const { set, signatures } = await build();
  const input = { transactionId: set.transactionId, signatures, broadcast: true };
  const key = newKey();
  const call = () =>
    harness.callKeyed(executeTransactions, input, key).catch((error: DomainError) => error.code);
  const outcomes = await Promise.all(Array.from({ length: 20 }, call));
  const [first] = outcomes.filter((it) => it !== 'IDEMPOTENCY_IN_PROGRESS') as ExecutedSet[];
  expect(first).toMatchObject({ transactionId: set.transactionId, status: 'submitted' });
  await harness.mining(set.transactionId, { status: 'completed' });
  expect(await call()).toEqual(first);
  // A call with another key returns the current state.
  expect(await execute({ set, signatures }, newKey())).toMatchObject({ status: 'completed' });
});

it('replays a set executed without broadcast, and broadcasts it with another key', async () => {
  const built = await build();
  const key = newKey();
  const first = await execute(built, key, false);
  expect(first).toMatchObject({ status: 'built' });
  expect(await execute(built, key, false)).toEqual(first);
  expect(await execute(built, key)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await execute(built, newKey())).toMatchObject({ status: 'submitted' });
});

it('replays a rejection by the chain with the text of the first reply', async () => {
  const built = await build();
  // Spends the coins for the gas.
  await harness.chain.anvil.send('anvil_setBalance', [user.address, '0x1']);
  const key = newKey();
  const first = (await execute(built, key)) as DomainError;
  expect(first).toMatchObject({ code: 'TRANSACTION_FAILED', first: { isReplayed: false } });
  expect((await harness.status(built.set.transactionId)).status).toBe('failed');
  const { code, message, details } = first;
  expect(await execute(built, key)).toMatchObject({ code, message, details, first: { isReplayed: true } });
});

it('broadcasts once and replays the current state after a crash between signatures and reply', async () => {
  const built = await build();
  const key = newKey();
  expect(await execute(built, key)).toMatchObject({ status: 'submitted' });
  // Simulates a process that stopped after the claim, before it stored the reply.
  await harness.database.query(`UPDATE idempotency_keys SET reply = NULL, answered_at = NULL
    WHERE created_at = (SELECT max(created_at) FROM idempotency_keys) AND convert_from(reply, 'UTF8') LIKE '%submitted%'`);
  expect(await execute(built, key)).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  aheadMs += executeTransactions.timeoutMs + 5_000;
  expect(await execute(built, key)).toMatchObject({ transactionId: built.set.transactionId });
  await harness.mining(built.set.transactionId, { status: 'completed' });
  expect(await harness.chain.anvil.provider.getTransactionCount(user.address)).toBe(
    built.set.transactions.length,
  );
});

it('commits a set and its reply together', async () => {
  const { quoteId } = await harness.quote(input);
  const request = { quoteId, userAddress: user.address, skipApprovals: false };
  const key = newKey();
  await harness.database.query(
    'ALTER TABLE idempotency_keys ADD CONSTRAINT full_disk CHECK (reply IS NULL) NOT VALID',
  );
  const before = [await count('quotes'), await count('transaction_sets')];
  for (const call of [
    harness.callKeyed(buildTransactions, request, key),
    harness.callKeyed(quoteSwap, harness.swapRequest(input), key),
  ])
    await expect(call).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  expect([await count('quotes'), await count('transaction_sets')]).toEqual(before);
  await harness.database.query('ALTER TABLE idempotency_keys DROP CONSTRAINT full_disk');
  expect(await harness.callKeyed(buildTransactions, request, key)).toMatchObject({
    transactionId: expect.any(String),
  });
});
