import { randomBytes } from 'node:crypto';
import type { ChargeItem, FrameItem, Outcome } from '@tollbridge/nanopay-protocol';
import type { Batcher } from './batcher';
import { Charges } from './charges';

const maxUnresolved = 10_000;
const nowMs = 1_800_000_000_000;
const endsS = BigInt(nowMs / 1_000 + 60);

const item = (): ChargeItem => ({
  kind: 'charge',
  callKey: randomBytes(16),
  amountAtomic: 1n,
  holdS: 0,
  payment: randomBytes(262),
  signature: Buffer.alloc(64),
  stateInit: undefined,
  publicKey: undefined,
  dialog: undefined,
  session: undefined,
  chain: undefined,
});

/** Charges with this outcome of every attempt, and the call keys that were refunded. */
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
  it('stores 10,000 payments with an unknown outcome and refunds the least recently used beyond', async () => {
    const { charges, voided } = chargesOf();
    const [retried, oldest] = [item(), item()];
    for (const each of [retried, oldest]) await charges.attempt(each, endsS, nowMs);
    for (let count = 2; count < maxUnresolved; count++) await charges.attempt(item(), endsS, nowMs);
    expect(charges.isUnresolved(retried)).toBe(true);
    expect(voided()).toEqual([]);
    await charges.attempt(item(), endsS, nowMs);
    expect(voided()).toEqual([oldest.callKey]);
    expect(charges.isUnresolved(oldest)).toBe(false);
    expect(charges.isUnresolved(retried)).toBe(true);
  });

  it('stores no payment with a known outcome', async () => {
    const { charges } = chargesOf({
      status: 'rejected',
      reason: 'insufficient_funds',
      retryAfterS: 0,
      approvalId: undefined,
    });
    const rejected = item();
    await charges.attempt(rejected, endsS, nowMs);
    expect(charges.isUnresolved(rejected)).toBe(false);
  });
});
