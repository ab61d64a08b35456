import { transactionsApi, type BuiltSet } from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import type { HDNodeWallet } from 'ethers';
import { signAll, TxEngine, type SwapInput } from '../../testing/tx-engine';

const usd = 10n ** 6n;
const execute = transactionsApi.operations.executeTransactions;
const swapUsdt: SwapInput = { from: 'USDT', to: 'USDC', amount: 100n * usd };
let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start();
});
afterAll(() => harness?.close());

const allow = () => ({ output: { status: 'reserved' } });
beforeEach(() => {
  harness.budgets.answer = allow;
  harness.budgets.calls.length = 0;
});

async function ready(): Promise<{ user: HDNodeWallet; set: BuiltSet; signatures: string[] }> {
  const user = await harness.newUser({ USDT: swapUsdt.amount });
  const set = await harness.built(swapUsdt, user);
  return { user, set, signatures: await signAll(set, user) };
}

const asked = () => harness.budgets.calls.map(({ subject }) => subject.split('.').at(-1));
const stored = async (id: string) =>
  (
    await harness.database.query<{ state: string; signed: boolean }>(
      `SELECT state, transactions::text LIKE '%"raw"%' AS signed FROM transaction_sets WHERE id = $1`,
      [id],
    )
  )[0];
const rejection = ({ transactionId }: BuiltSet, signatures: string[]) =>
  harness.failureOf(execute, { transactionId, signatures });

it('reserves the value of the swap before it stores signatures', async () => {
  const { set, signatures } = await ready();
  const seen: unknown[] = [];
  harness.budgets.answer = async () => {
    seen.push(await stored(set.transactionId));
    return allow();
  };
  await harness.execute(set.transactionId, signatures);
  expect(harness.budgets.calls.map(({ input }) => input)).toEqual([
    {
      keyId: 'key-1',
      kind: 'swap',
      reference: set.transactionId,
      attempt: expect.any(String),
      valueUsd: expect.stringMatching(/^(100|99\.9\d*)(\.\d+)?$/),
      description: 'Swap of 100 USDT into USDC',
    },
  ]);
  expect(seen).toEqual([{ state: 'built', signed: false }]);
  // An executed set is reserved once. Reading its status reserves nothing.
  await harness.execute(set.transactionId, signatures);
  expect(asked()).toEqual(['reserve']);
});

it('reserves nothing for stored signatures until their broadcast', async () => {
  const { set, signatures } = await ready();
  await harness.execute(set.transactionId, signatures, false);
  expect(asked()).toEqual([]);
  await harness.execute(set.transactionId, signatures);
  expect(asked()).toEqual(['reserve']);
});

it.each(['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'UPSTREAM_UNAVAILABLE'])(
  'rejects the execution of a set that the budget rejects with %s, and allows it later',
  async (code) => {
    const { set, signatures } = await ready();
    const details = { limit: '50.00', used: '0.00', requested: '100.00' };
    harness.budgets.answer = () => ({ failure: { code, message: 'Not now.', details } });
    expect(await rejection(set, signatures)).toMatchObject({ code, details });
    expect(await stored(set.transactionId)).toEqual({ state: 'built', signed: false });
    harness.budgets.answer = allow;
    await harness.execute(set.transactionId, signatures);
    await harness.mining(set.transactionId, { status: 'completed' });
  },
);

it('returns 503 and stores nothing if the budget call times out', async () => {
  const { set, signatures } = await ready();
  harness.budgets.answer = ({ subject }) =>
    subject.endsWith('reserve') ? 'silence' : { output: { status: 'released' } };
  expect(await rejection(set, signatures)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  expect(await stored(set.transactionId)).toEqual({ state: 'built', signed: false });
  // An attempt without a reply is retried once. The reservations of both attempts are released.
  await eventually(() => expect(asked()).toEqual(['reserve', 'reserve', 'release']));
});

it('keeps one reservation when concurrent calls execute a set', async () => {
  const { set, signatures } = await ready();
  await Promise.all(Array.from({ length: 10 }, () => harness.execute(set.transactionId, signatures)));
  const attempts = (name: string) =>
    harness.budgets.calls.flatMap(({ subject, input }) => (subject.endsWith(name) ? [input['attempt']] : []));
  const [reserved, released] = [attempts('reserve'), attempts('release')];
  expect(reserved.length).toBeGreaterThan(0);
  // Only the call that stored its signatures keeps its reservation.
  expect(released).toHaveLength(reserved.length - 1);
  expect(reserved).toEqual(expect.arrayContaining(released));
});
