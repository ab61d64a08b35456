import type { FrameItem, Outcome } from '@tollbridge/nanopay-protocol';
import { aChargeItem, aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import type { Batcher } from './batcher';
import { Charges } from './charges';

const maxUnresolved = 10_000;
const nowMs = 1_800_000_000_000;
const endsS = BigInt(nowMs / 1_000 + 60);

/** Charges with this outcome for every attempt, and a list of the refunded call keys. */
function chargesOf(outcome: Outcome = { status: 'unknown' }) {
  const sent: FrameItem[] = [];
  const submit = async (each: FrameItem): Promise<Outcome> => {
    sent.push(each);
    return each.kind === 'void' ? ({ status: 'voided' } as Outcome) : outcome;
  };
  const charges = new Charges({ submit } as unknown as Batcher, {
    budgetMs: 5_000,
    messageTimeoutMs: 2_000,
    enclaveKeys: undefined,
    onRefundFailed: () => undefined,
  });
  const voided = () => sent.filter(({ kind }) => kind === 'void').map(({ callKey }) => callKey);
  return { charges, voided };
}

describe('Charges', () => {
  it('stores 10,000 payments with an unknown outcome and refunds the least recently used when there are more', async () => {
    const { charges, voided } = chargesOf();
    const [retried, oldest] = [aChargeItem(), aChargeItem()];
    for (const each of [retried, oldest]) await charges.attempt(each, endsS, nowMs);
    for (let count = 2; count < maxUnresolved; count++) await charges.attempt(aChargeItem(), endsS, nowMs);
    expect(charges.isUnresolved(retried)).toBe(true);
    expect(voided()).toEqual([]);
    await charges.attempt(aChargeItem(), endsS, nowMs);
    expect(voided()).toEqual([oldest.callKey]);
    expect(charges.isUnresolved(oldest)).toBe(false);
    expect(charges.isUnresolved(retried)).toBe(true);
  });

  it('stores no payment with a known outcome', async () => {
    const { charges } = chargesOf(aRejectedOutcome());
    const rejected = aChargeItem();
    await charges.attempt(rejected, endsS, nowMs);
    expect(charges.isUnresolved(rejected)).toBe(false);
  });
});
