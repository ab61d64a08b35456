import { proofOf } from './ledger-proof';
import type { AssetSums, LedgerInspection, SegmentCheck } from './ledger-proof.repository';

const nowMs = Date.UTC(2026, 10, 20, 12);
const checkedAt = new Date('2026-11-19T12:00:00.000Z');
const haltedAt = new Date('2026-11-20T11:00:00.000Z');
const lastHash = Buffer.alloc(32, 0xa1);

const usdc: AssetSums = {
  chain: 'eip155:8453',
  token: 'USDC',
  debits: '1005007',
  credits: '1005007',
  received: '1000000',
  fees: '5000',
  refunds: '7',
  entries: '5',
  transactions: '2',
};
const btc: AssetSums = { ...usdc, chain: 'btc', token: 'BTC' };
const oldest: SegmentCheck = { segment: 0, fromSeq: 1, toSeq: 5_000, problems: [] };
const newest: SegmentCheck = { segment: 3, fromSeq: 15_001, toSeq: 15_017, problems: [] };
const head = { lastSeq: 15_017, lastHash, haltedAt: null, haltedSegment: null };

const inspection = (changes: Partial<LedgerInspection> = {}): LedgerInspection => ({
  head,
  assets: [usdc, btc],
  waiting: 0,
  checks: [newest, oldest],
  othersCheckedAt: checkedAt,
  others: 2,
  ...changes,
});
const proof = (changes: Partial<LedgerInspection> = {}) => proofOf(inspection(changes), nowMs);

describe('proofOf', () => {
  it('returns an empty, valid proof for a wallet without a ledger', () => {
    expect(proofOf(undefined, nowMs)).toEqual({
      ok: true,
      halted_at: null,
      problems: [],
      assets: [],
      transactions: 0,
      waiting: 0,
      last_hash: '0000000000000000000000000000000000000000000000000000000000000000',
      segments: 0,
      checked: [],
      all_checked_since: null,
    });
  });

  it('returns all figures of a ledger without faults', () => {
    expect(proof()).toEqual({
      ok: true,
      halted_at: null,
      problems: [],
      assets: [
        { ...usdc, sum: '0', entries: 5, transactions: 2 },
        { ...btc, sum: '0', entries: 5, transactions: 2 },
      ],
      transactions: 15_017,
      waiting: 0,
      last_hash: 'a1'.repeat(32),
      segments: 4,
      checked: [
        { segment: 3, from_seq: 15_001, to_seq: 15_017 },
        { segment: 0, from_seq: 1, to_seq: 5_000 },
      ],
      all_checked_since: '2026-11-19T12:00:00.000Z',
    });
  });

  it('returns ok: false and the faults of each segment, even if the sums are balanced', () => {
    const problems: SegmentCheck['problems'] = [
      { code: 'hash', seq: 15_002 },
      { code: 'sums', seq: null },
    ];
    const checks = [
      { ...newest, problems },
      { ...oldest, problems: [{ code: 'missing' as const, seq: 17 }] },
    ];
    expect(proof({ checks })).toMatchObject({
      ok: false,
      problems: [
        { code: 'hash', seq: 15_002, segment: 3 },
        { code: 'sums', seq: null, segment: 3 },
        { code: 'missing', seq: 17, segment: 0 },
      ],
    });
  });

  it.each([
    ['1', { credits: '1005008' }],
    ['-1', { debits: '1005008' }],
    ['1', { credits: String(2n ** 130n), debits: String(2n ** 130n - 1n) }],
  ])('returns ok: false when credits minus debits of one asset is %s', (sum, changes) => {
    const unbalanced = proof({ assets: [usdc, { ...btc, ...changes }] });
    expect(unbalanced.ok).toBe(false);
    expect(unbalanced.assets.map((asset) => asset.sum)).toEqual(['0', sum]);
    expect(proof({ assets: [{ ...usdc, ...changes }, btc] }).ok).toBe(false);
  });

  it('returns ok: false while the ledger is halted, even if the check found no fault', () => {
    const halted = proof({ head: { ...head, haltedAt, haltedSegment: 3 }, waiting: 4 });
    expect(halted).toMatchObject({
      ok: false,
      halted_at: '2026-11-20T11:00:00.000Z',
      problems: [],
      waiting: 4,
    });
  });

  it('returns the time of this check when the check covered every segment', () => {
    const whole = proof({ others: 0, othersCheckedAt: null });
    expect(whole).toMatchObject({ segments: 2, all_checked_since: '2026-11-20T12:00:00.000Z' });
    // The check covers all segments, so the time of other segments is ignored.
    expect(proof({ others: 0 }).all_checked_since).toBe('2026-11-20T12:00:00.000Z');
  });

  it('returns no time of a full check while at least one segment was never checked', () => {
    expect(proof({ others: 1, othersCheckedAt: null })).toMatchObject({
      segments: 3,
      all_checked_since: null,
    });
  });
});
