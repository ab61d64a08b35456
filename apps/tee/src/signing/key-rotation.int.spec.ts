import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isReceipt,
  nextHead,
  receiptDigest,
  receiptOf,
  type FrameItem,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';
import type { RunningService } from '@tollbridge/bootstrap';
import { eventually } from '@tollbridge/testing';
import { start } from '../start';
import { Buyer, TeeHarness } from '../testing/tee-harness';
import { Attestation } from '../attestation/attestation';
import { ReceiptKey } from './receipt-key';

// A seller retries a payment with an unknown outcome for this time, with the same call key. It is longer than stalls of
// the machine, and shorter than an unreleased lease.
const sellerBudgetMs = 30_000;
let harness: TeeHarness;
let buyer: Buyer;
let next: RunningService | undefined;

beforeAll(async () => {
  harness = await TeeHarness.start();
  buyer = new Buyer();
  await harness.fund(buyer, 100_000_000n);
});
afterAll(async () => {
  await next?.close();
  await harness?.close();
});

/** Retries a payment as a seller does, until its outcome is known. */
async function charge(item: FrameItem): Promise<SettledOutcome> {
  const endMs = performance.now() + sellerBudgetMs;
  while (performance.now() < endMs) {
    const timeout = sleep(300).then(() => undefined);
    const outcome = await Promise.race([harness.sendOne(item), timeout]);
    if (outcome?.status === 'captured') return outcome as SettledOutcome;
    await sleep(20);
  }
  throw new Error('the outcome stayed unknown for longer than a seller waits');
}

/** Charges payments one after the other until stopped. */
function startPaying() {
  const charged: { item: FrameItem; outcome: SettledOutcome }[] = [];
  const failures: unknown[] = [];
  let isStopped = false;
  const pay = async (): Promise<void> => {
    while (!isStopped) {
      const item = buyer.pay(harness.nowMs);
      await charge(item).then(
        (outcome) => charged.push({ item, outcome }),
        (error: unknown) => failures.push(error),
      );
    }
  };
  const loops = [pay(), pay(), pay(), pay()];
  const stop = async (): Promise<void> => {
    isStopped = true;
    await Promise.all(loops);
  };
  return { charged, failures, stop };
}

const keyOf = ({ context }: RunningService): Buffer => context.get(ReceiptKey, { strict: false }).publicKey;

describe('a rotation of the receipt key', () => {
  it('fails no payment, and continues one chain of receipts with both keys', async () => {
    const first = await harness.startApp();
    const formerKey = keyOf(first);
    const seedFile = join(tmpdir(), `tee-next-${process.pid}-${Date.now()}.key`);
    writeFileSync(seedFile, 'c5'.repeat(32), { mode: 0o600 });
    const { charged, failures, stop } = startPaying();
    await eventually(() => expect(charged.length).toBeGreaterThan(50));

    const settings = { TEE_KEY_FILE: seedFile, TEE_KEY_EPOCH: '2' };
    next = await start(harness.environment(settings));
    const nextKey = keyOf(next);
    expect(nextKey).not.toEqual(formerKey);
    await first.close();
    harness.apps.splice(0);
    // Counted by key, because the first service still signs payments while it closes.
    const isBy = (key: Buffer) => charged.filter(({ outcome }) => isReceipt(receiptOf(outcome), key));
    await eventually(() => expect(isBy(nextKey).length).toBeGreaterThan(50));
    await stop();

    expect(failures).toEqual([]);
    const [former, later] = [isBy(formerKey), isBy(nextKey)];
    expect(former.length).toBeGreaterThan(50);
    expect(later.length).toBeGreaterThan(50);
    expect(former.length + later.length).toBe(charged.length);
    expectOneChain(charged.map(({ outcome }) => outcome));

    // An earlier payment is not charged twice: its outcome is replayed, with a receipt signed by either key.
    const replayed = receiptOf(await charge(former[0]!.item));
    expect(isReceipt(replayed, formerKey) || isReceipt(replayed, nextKey)).toBe(true);
    const { spent } = (await harness.balanceOf(buyer.address))!;
    expect(spent).toBe(String(1_000 * charged.length));

    const document = await next.context.get(Attestation, { strict: false }).attest(undefined);
    expect(document).toMatchObject({ teePublicKey: nextKey.toString('hex'), keyEpoch: 2 });
  });
});

/** Expects that each receipt continues the chain of the previous one. */
function expectOneChain(outcomes: readonly SettledOutcome[]): void {
  const inOrder = [...outcomes].sort((a, b) => Number(a.seq - b.seq));
  for (const [index, { previousHead }] of inOrder.slice(1).entries()) {
    const { digest, amountAtomic, seq, unixMs, previousHead: head } = inOrder[index]!;
    const signed = receiptDigest({ type: 'charge', digest, amountAtomic, seq, unixMs, previousHead: head });
    expect(previousHead).toEqual(nextHead(head, signed));
  }
}
