import { Metrics, type Logger } from '@tollbridge/observability';
import {
  batchHash,
  buildHighloadMessage,
  queryIdAt,
  queryIdCount,
  reservedQueryId,
  sandboxKey,
} from '@tollbridge/ton';
import { settings, type TeeConfig } from '../config';
import { KnownBatches } from './known-batches';
import type { MoneyRepository } from './money.repository';

const key = sandboxKey('known batches');
const errorLog = jest.fn();
/** Payouts of the ledger by number. */
let payouts: Map<bigint, { boc: Buffer; status: string }>;
let metrics: Metrics;

/** Returns the message of a payout. With another amount, it is another batch with the same query id. */
async function boc(number: bigint, valueNano = 1n): Promise<Buffer> {
  const payments = [{ to: `0:${'22'.repeat(32)}`, valueNano }];
  const batch = { queryId: queryIdAt(number), createdAtS: 1_800_000_000, payments };
  return (await buildHighloadMessage({ publicKey: key.publicKey, timeoutS: 3_600 }, batch, key.sign)).boc;
}
const executed = async (number: bigint, valueNano?: bigint) => ({
  queryId: queryIdAt(number),
  hash: await batchHash(await boc(number, valueNano)),
});

beforeEach(async () => {
  payouts = new Map();
  for (const number of [0n, 1n, 2n, 3n])
    payouts.set(number, { boc: await boc(number), status: number === 2n ? 'failed' : 'completed' });
  errorLog.mockReset();
});

function start(resumeAfter = ''): KnownBatches {
  metrics = new Metrics('tee');
  return new KnownBatches(
    { payout: async (number: bigint) => payouts.get(number) } as unknown as MoneyRepository,
    { TEE_PAYOUTS_RESUME_AFTER: resumeAfter } as TeeConfig,
    { error: errorLog } as unknown as Logger,
    metrics,
  );
}
const gauge = async () =>
  (await metrics.registry.getSingleMetric('tollbridge_payout_unknown_batches')!.get()).values[0]?.value;

describe('KnownBatches', () => {
  it.each<[string, bigint]>([
    ['the latest payout', 3n],
    ['an older payout: nanopay has read before the latest was executed', 1n],
    ['a payout that was executed without effect', 2n],
  ])('permits a payout after %s', async (_what, number) => {
    expect(await start().permit(await executed(number), 4n)).toBe(true);
    expect(await gauge()).toBe(0);
    expect(errorLog).not.toHaveBeenCalled();
  });

  it('permits a payout without a batch, which is the case for a new wallet and for an earlier release of nanopay', async () => {
    expect(await start().permit(undefined, 0n)).toBe(true);
  });

  it('permits no payout after a batch that the ledger has lost, and logs it once', async () => {
    const batches = start();
    for (let polls = 0; polls < 3; polls++) expect(await batches.permit(await executed(5n), 4n)).toBe(false);
    expect(await gauge()).toBe(1);
    expect(errorLog.mock.calls).toEqual([
      [
        { queryId: 5, hash: (await executed(5n)).hash, nextPayout: '4' },
        expect.stringMatching(/^payouts stopped: .* set TEE_PAYOUTS_RESUME_AFTER/),
      ],
    ]);
    expect(await batches.permit(await executed(3n), 4n)).toBe(true);
    expect(await gauge()).toBe(0);
    await batches.permit(await executed(6n), 4n);
    expect(errorLog).toHaveBeenCalledTimes(2);
  });

  it('permits no payout after a lost batch with the query id of a later payout', async () => {
    expect(await start().permit(await executed(3n, 2n), 4n)).toBe(false);
  });

  it('permits no payout after a lost batch with the query id of a payout before the counter wrapped around', async () => {
    const next = BigInt(queryIdCount) + 2n;
    payouts.set(next - 1n, { boc: await boc(next - 1n), status: 'completed' });
    const batches = start();
    expect(await batches.permit(await executed(next - 1n), next)).toBe(true);
    expect(await batches.permit(await executed(next + 1n), next)).toBe(false);
  });

  it('permits no payout after the reserved query id or an invalid one', async () => {
    const { hash } = await executed(3n);
    for (const queryId of [reservedQueryId, 1_023])
      expect(await start().permit({ queryId, hash }, 4n)).toBe(false);
  });

  it('permits no payout after a recorded payout of an operator, which has no message', async () => {
    payouts.set(4n, { boc: Buffer.alloc(0), status: 'completed' });
    expect(await start().permit(await executed(4n), 5n)).toBe(false);
  });

  it('permits a payout after the batch in the setting, but after no other lost batch', async () => {
    const batches = start('5');
    expect(await batches.permit(await executed(5n), 4n)).toBe(true);
    for (const other of [4n, 6n, 50n]) expect(await batches.permit(await executed(other), 4n)).toBe(false);
    expect(await batches.permit(await executed(3n), 4n)).toBe(true);
  });

  it('numbers the next payout after the batch in the setting', () => {
    expect(start().numberFrom(4n)).toBe(4n);
    expect(start('5').numberFrom(0n)).toBe(6n);
    expect(start('5').numberFrom(5n)).toBe(6n);
    // The ledger is already past the batch of the setting.
    for (const next of [6n, 7n, 100_000n]) expect(start('5').numberFrom(next)).toBe(next);
    const lap = BigInt(queryIdCount);
    expect(start('5').numberFrom(lap - 3n)).toBe(lap + 6n);
  });

  it.each(['-1', '1.5', 'x', '1023', String(reservedQueryId), '99999999'])(
    'rejects the setting %p, which is not a query id of a payout',
    (value) => {
      expect(() => settings.TEE_PAYOUTS_RESUME_AFTER.read(value)).toThrow('must be the query id of a payout');
      expect(settings.TEE_PAYOUTS_RESUME_AFTER.read('4107')).toBe('4107');
    },
  );
});
