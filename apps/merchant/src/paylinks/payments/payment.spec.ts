import {
  ownValue,
  type MinedTransfers,
  type OtherTransfer,
  type ReceivedTransfer,
} from '@tollbridge/chain-port';
import { aReceivedTransfer, minedTransfers } from '@tollbridge/chain-port/testing';
import { findChain } from '@tollbridge/chains';
import type { PayLink } from '../paylink';
import { aPayLink } from '../testing/paylink.builder';
import {
  afterDecision,
  alreadyCounted,
  contested,
  isUndecided,
  decide,
  type Case,
  type Part,
  type Payment,
  type ChainObservation,
} from './payment';
import { newPayment } from './new-payment';
import { paysAnOrder } from './transfer';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const dayMs = 24 * 60 * 60_000;
const receiver = '0x1111111111111111111111111111111111111111';
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const txHash = `0x${'a'.repeat(64)}`;
const finality = { confirmations: 3, window: 6, blockTimeMs: 2_000 };

const received = (changes: Partial<ReceivedTransfer> = {}) =>
  aReceivedTransfer({ txHash, logIndex: 4, from: payer, amountAtomic: 100n, ...changes });
const other = (changes: Partial<OtherTransfer> = {}): OtherTransfer => ({
  ...received({ logIndex: ownValue, amountAtomic: 50_000_000_000_000n }),
  tokenAddress: null,
  ...changes,
});
const minedBlock = { height: 10, hash: '0xblock', timeMs: nowMs - 10_000 };
const mined = (changes: Partial<MinedTransfers> = {}, confirmations = 3) =>
  minedTransfers({ block: minedBlock, confirmations, transfers: [received()], ...changes });
const failed = { isSuccessful: false, transfers: [] };
const inOtherBlock = { block: { ...minedBlock, hash: '0xother' } };
const unmined = (chainTimeMs = nowMs): ChainObservation => ({ kind: 'unmined', chainTimeMs });
const transfer = { logIndex: 4, amount: 100n, payer };
const block = { height: 10, hash: '0xblock', paidAtMs: nowMs - 10_000 };

const payment = (changes: Partial<Payment> = {}): Payment => ({
  ...newPayment({ linkId: 'link', chain: 'eip155:8453', txHash }, nowMs - 1_000),
  id: 'p',
  nextCheckAtMs: nowMs,
  version: 1,
  ...changes,
});
const seen = payment({ transfer, block });
const real = (status: Payment['status']): Payment =>
  payment({ status, transfer, block, isVerified: true, decidedAtMs: nowMs });
const rejected = payment({ status: 'rejected', reason: 'No.', decidedAtMs: nowMs });

const decision = (changes: Partial<Case>) =>
  decide({
    link: aPayLink(),
    chain: findChain('base')!,
    payment: null,
    observation: mined(),
    finality,
    taken: [],
    isTakenWhole: false,
    parts: [],
    yielding: [],
    isSecond: false,
    contestedFrom: null,
    named: 'none',
    paysOrder: false,
    nowMs,
    ...changes,
  });

const noNode: ChainObservation = { kind: 'noNode', receiverBalance: 7n };

describe('decide', () => {
  const unavailable: ChainObservation = { kind: 'unavailable' };
  it.each<[string, Partial<Case>, object]>([
    ['no node answers: a new report becomes pending', { observation: unavailable }, { become: 'pending' }],
    ...[payment(), seen, real('counted'), real('excess'), rejected].map(
      (it): [string, Partial<Case>, object] => [
        `no node answers: ${it.status} is unchanged`,
        { observation: unavailable, payment: it },
        { become: 'same', isFinal: false },
      ],
    ),
    ['not mined: a new report becomes pending', { observation: unmined() }, { become: 'pending' }],
    [
      'not mined: a pending report stays pending',
      { observation: unmined(), payment: payment() },
      { become: 'same', isFinal: false },
    ],
    [
      'dropped from its block: a pending payment releases its transfer',
      { observation: unmined(), payment: seen },
      { become: 'pending' },
    ],
    [
      'dropped from its block: a counted payment becomes pending',
      { observation: unmined(), payment: real('counted') },
      { become: 'pending' },
    ],
    [
      'dropped from its block: an excess payment becomes pending',
      { observation: unmined(), payment: real('excess') },
      { become: 'pending' },
    ],
    [
      'not mined: a rejected payment stays rejected',
      { observation: unmined(), payment: rejected },
      { become: 'same', isFinal: false },
    ],
    [
      'not mined for a day: a report is rejected',
      { observation: unmined(), payment: payment({ pendingSinceMs: nowMs - dayMs }) },
      { become: 'rejected', reason: 'The transaction was not mined within 24 hours.' },
    ],
    [
      'not mined for a day without new blocks: a report stays pending',
      { observation: unmined(nowMs - 1), payment: payment({ pendingSinceMs: nowMs - dayMs }) },
      { become: 'same', isFinal: false },
    ],
    [
      'too few confirmations: a new report claims its transfer',
      { observation: mined({}, 2) },
      { become: 'pending', transfer, block },
    ],
    [
      'too few confirmations: a pending report stays pending',
      { observation: mined({}, 2), payment: seen },
      { become: 'same', isFinal: false },
    ],
    [
      'confirmed: a new report counts',
      { observation: mined() },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'confirmed: a pending report counts',
      { observation: mined(), payment: seen },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'confirmed: a rejected report counts',
      { observation: mined(), payment: rejected },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'confirmed twice as deep: a new report counts finally',
      { observation: mined({}, 6) },
      { become: 'counted', transfer, block, isFinal: true },
    ],
    [
      'counted, less than twice as deep: is checked again',
      { observation: mined({}, 5), payment: real('counted') },
      { become: 'same', isFinal: false },
    ],
    [
      'counted, twice as deep: is final',
      { observation: mined({}, 6), payment: real('counted') },
      { become: 'same', isFinal: true },
    ],
    [
      'counted, a node is behind: stays counted',
      { observation: mined({}, 1), payment: real('counted') },
      { become: 'same', isFinal: false },
    ],
    [
      'counted, now in another block without enough confirmations: becomes pending',
      { observation: mined(inOtherBlock, 1), payment: real('counted') },
      { become: 'pending', transfer, block: { ...block, hash: '0xother' } },
    ],
    [
      'counted, now in another confirmed block: counts there',
      {
        observation: mined(inOtherBlock),
        payment: real('counted'),
        link: aPayLink({ maxPayments: 1, paymentCount: 1 }),
      },
      { become: 'counted', transfer, block: { ...block, hash: '0xother' }, isFinal: false },
    ],
    [
      'counted, now reverted in another block: becomes pending first',
      { observation: mined({ ...inOtherBlock, ...failed }), payment: real('counted') },
      { become: 'pending' },
    ],
    [
      'reverted: a new report is rejected at any depth',
      { observation: mined(failed, 1) },
      { become: 'rejected', reason: 'The transaction was reverted: nothing was paid.' },
    ],
    [
      'reverted: a pending report is not rejected before the confirmations',
      { observation: mined(failed, 2), payment: payment() },
      { become: 'same', isFinal: false },
    ],
    [
      'reverted: a pending payment releases its transfer',
      { observation: mined(failed, 2), payment: seen },
      { become: 'pending' },
    ],
    [
      'reverted and confirmed: a pending report is rejected',
      { observation: mined(failed), payment: payment() },
      { become: 'rejected', reason: 'The transaction was reverted: nothing was paid.' },
    ],
    [
      'reverted: a rejected report stays rejected',
      { observation: mined(failed), payment: rejected },
      { become: 'same', isFinal: false },
    ],
    [
      'the transfer counts for another link: a new report is rejected',
      { taken: [4] },
      { become: 'rejected', reason: 'The transaction already counts as the payment of another PayLink.' },
    ],
    [
      'one of two transfers counts for another link: the other one counts',
      { taken: [4], observation: mined({ transfers: [received(), received({ logIndex: 7 })] }) },
      { become: 'counted', transfer: { ...transfer, logIndex: 7 }, block, isFinal: false },
    ],
    [
      'an unknown transfer of the transaction counts for another link: is rejected',
      { taken: [ownValue], isTakenWhole: true },
      { become: 'rejected', reason: 'The transaction already counts as the payment of another PayLink.' },
    ],
    [
      'an earlier report has priority: a new report becomes pending',
      { isSecond: true },
      { become: 'pending' },
    ],
    [
      'an earlier report has priority: a pending report stays pending',
      { isSecond: true, payment: payment() },
      { become: 'same', isFinal: false },
    ],
    [
      'an earlier report does not take a claimed transfer',
      { isSecond: true, payment: seen },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'paid after the link expired: is late',
      { link: aPayLink({ expiresAtMs: nowMs - 10_001 }) },
      { become: 'late', transfer, block, isFinal: false },
    ],
    [
      'paid at the last moment, reported later: counts',
      { link: aPayLink({ expiresAtMs: nowMs - 10_000 }) },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'paid after the link was closed: is inactive',
      { link: aPayLink({ closedAtMs: nowMs - 10_001 }) },
      { become: 'inactive', transfer, block, isFinal: false },
    ],
    [
      'paid before the link was closed: counts',
      { link: aPayLink({ closedAtMs: nowMs - 9_999 }) },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'paid while the link was off, reported when it is on again: is inactive',
      {
        link: aPayLink({
          pauses: [[nowMs - 50_000, nowMs - 40_000] as const, [nowMs - 10_001, nowMs - 7_000]],
        }),
      },
      { become: 'inactive', transfer, block, isFinal: false },
    ],
    [
      'paid before the link was off, and in the block of the switch: counts',
      {
        link: aPayLink({
          pauses: [[nowMs - 20_000, nowMs - 7_001] as const, [nowMs - 10_000, nowMs - 5_000]],
        }),
      },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'paid above the maximum: is excess',
      { link: aPayLink({ maxPayments: 2, paymentCount: 2 }) },
      { become: 'excess', transfer, block, isFinal: false },
    ],
    [
      'paid in a block from the future: the time is now',
      {
        observation: mined({ block: { ...minedBlock, timeMs: nowMs + 5_000 } }),
        link: aPayLink({ expiresAtMs: nowMs }),
      },
      { become: 'counted', transfer, block: { ...block, paidAtMs: nowMs }, isFinal: false },
    ],
    ...[unavailable, unmined(nowMs + dayMs), mined(), mined(failed), noNode].map(
      (observation): [string, Partial<Case>, object] => [
        `confirmed by the merchant, ${observation.kind}: stays counted`,
        {
          observation,
          payment: payment({ status: 'counted', isConfirmed: true, pendingSinceMs: nowMs - dayMs }),
        },
        { become: 'same', isFinal: true },
      ],
    ),
    [
      'unverifiable, a node is configured since: counts',
      { payment: payment({ status: 'unverifiable' }) },
      { become: 'counted', transfer, block, isFinal: false },
    ],
    [
      'unverifiable, a node is configured since and the transaction is not mined: is unchanged',
      { observation: unmined(), payment: payment({ status: 'unverifiable' }) },
      { become: 'same', isFinal: false },
    ],
    [
      'no node: a new report waits for the merchant, and does not count',
      { observation: noNode },
      { become: 'unverifiable', receiverBalance: 7n },
    ],
    [
      'no node, the transaction counts for another link: is rejected',
      { observation: noNode, taken: [ownValue] },
      { become: 'rejected', reason: 'The transaction already counts as the payment of another PayLink.' },
    ],
    [
      'no node, the link is exhausted: is rejected',
      { observation: noNode, link: aPayLink({ maxPayments: 1, paymentCount: 1 }) },
      { become: 'rejected', reason: 'The PayLink already has its maximum number of payments.' },
    ],
    ...[
      ...[null, payment(), seen, real('counted'), real('late')].map((it) => [it, 'rejected'] as const),
      [rejected, 'same'] as const,
    ].flatMap(([it, become]) =>
      [mined(), unavailable, unmined(), noNode].map((observation): [string, Partial<Case>, object] => [
        `settles an order, ${observation.kind}: ${it?.status ?? 'a new report'} becomes ${become}`,
        { observation, payment: it, paysOrder: true },
        become === 'same' ? { become, isFinal: false } : { become, reason: paysAnOrder },
      ]),
    ),
    [
      'no node any more: a pending payment is unchanged',
      { observation: noNode, payment: seen },
      { become: 'same', isFinal: false },
    ],
  ])('%s', (_title, changes, expected) => {
    expect(decision(changes)).toEqual(expected);
  });
});

describe('decide for the transfers of a transaction', () => {
  const outcome = (changes: Partial<MinedTransfers>, terms: Partial<PayLink> = {}) => {
    const found = decision({ observation: mined(changes), link: aPayLink(terms) });
    return 'reason' in found ? found.reason : found.become;
  };
  const nothing = 'The transaction pays nothing to the receiver.';
  it.each<[string, string, Partial<MinedTransfers>]>([
    ['counts a transfer above the amount', 'counted', { transfers: [received({ amountAtomic: 101n })] }],
    [
      'records a transfer below the amount as a partial payment',
      'The transaction pays 0.000099 USDC; the PayLink asks for 0.0001 USDC. Pay the other 0.000001 USDC from the same address and submit that transaction too.',
      { transfers: [received({ amountAtomic: 99n })] },
    ],
    [
      'does not sum two transfers below the amount',
      'The transaction pays 0.00007 USDC; the PayLink asks for 0.0001 USDC. Pay the other 0.00003 USDC from the same address and submit that transaction too.',
      { transfers: [received({ amountAtomic: 60n }), received({ amountAtomic: 70n, logIndex: 5 })] },
    ],
    ['rejects a transaction without a transfer', nothing, { transfers: [] }],
    ['rejects a transfer of 0', nothing, { transfers: [received({ amountAtomic: 0n })] }],
    [
      'rejects a transfer from the receiver to itself',
      nothing,
      { transfers: [received({ from: receiver })] },
    ],
    [
      'rejects a transfer of another token',
      'The transaction pays 0.00005 ETH on Base; the PayLink asks for USDC on Base. The merchant was notified.',
      { transfers: [], otherTransfers: [other()] },
    ],
    [
      'rejects a transfer of nothing in another token',
      nothing,
      { transfers: [], otherTransfers: [other({ amountAtomic: 0n })] },
    ],
    [
      'counts a transfer next to one of 0 and one of another token',
      'counted',
      { transfers: [received({ amountAtomic: 0n, logIndex: 1 }), received()], otherTransfers: [other()] },
    ],
    ['rejects a payment of an order', paysAnOrder, { paysOrder: true }],
  ])('%s', (_title, expected, changes) => {
    expect(outcome(changes)).toBe(expected);
  });

  it('mentions the notification of the merchant only when enough confirmations reject another token', () => {
    const observation = mined({ transfers: [], otherTransfers: [other()] }, 2);
    const reason = 'The transaction pays 0.00005 ETH on Base; the PayLink asks for USDC on Base.';
    expect(decision({ observation })).toEqual({ become: 'pending', reason });
    const final = decision({ observation: { ...observation, confirmations: 3 } });
    expect(final).toMatchObject({ reason: `${reason} The merchant was notified.`, strays: [{ reason }] });
  });

  it('never counts a transfer for a link with a price, and keeps it for the merchant', () => {
    const rate = {
      pair: 'USDC/EUR',
      value: '0.92',
      source: 'a',
      time: '2026-11-21T11:59:00.000Z',
      spread_bps: 0,
    };
    const link = aPayLink({ conversion: { price: { amount: '3.50', currency: 'EUR' }, rate } });
    const observation = mined({ transfers: [received({ amountAtomic: 10n ** 30n })] }, 3);
    expect(decision({ link, observation })).toMatchObject({
      become: 'partial',
      reason: expect.stringContaining('a PayLink with a price is paid by its checkout'),
    });
  });

  it('rejects a transfer that is older than the link by more than a block', () => {
    expect(outcome({}, { createdAtMs: nowMs - 10_000 + 2_999 })).toBe('counted');
    expect(outcome({}, { createdAtMs: nowMs - 10_000 + 3_000 })).toBe(
      'The transaction is older than the PayLink.',
    );
  });

  it('requires at least the minimum of an open amount', () => {
    const open = { amount: 0n, minAmount: 50n };
    expect(outcome({ transfers: [received({ amountAtomic: 50n })] }, open)).toBe('counted');
    const tooSmall = { transfers: [received({ amountAtomic: 49n })] };
    expect(outcome(tooSmall, open)).toContain('asks for 0.00005 USDC');
  });

  it.each<[string, Partial<ReceivedTransfer>[], unknown]>([
    ['counts a transfer of the amount', [{}], 'counted'],
    [
      'records a transfer below the amount as a partial payment',
      [{ amountAtomic: 99n }],
      'The transaction pays 0.000099 ETH; the PayLink asks for 0.0001 ETH. Pay the other 0.000001 ETH from the same address and submit that transaction too.',
    ],
    ['rejects a transfer of 0', [{ amountAtomic: 0n }], nothing],
    ['rejects a transfer from the receiver to itself', [{ from: receiver }], nothing],
    [
      'rejects a transfer that a contract sent',
      [],
      expect.stringContaining('what a contract sends cannot be verified') as unknown,
    ],
  ])('handles a transfer of the coin: %s', (_title, changes, expected) => {
    const transfers = changes.map((it) => received({ logIndex: ownValue, ...it }));
    expect(outcome({ transfers }, { token: 'ETH', tokenAddress: null })).toEqual(expected);
  });
});

describe('decide for parts of a payment', () => {
  const part = (amount: bigint, from = payer) => ({ id: String(amount), payer: from, amount });
  const paying = (amountAtomic: bigint, changes: Partial<Case> = {}) =>
    decision({ observation: mined({ transfers: [received({ amountAtomic })] }), ...changes });

  it.each<[string, bigint, Part[], object]>([
    [
      'counts the partial payment that completes the amount',
      40n,
      [part(60n)],
      { become: 'counted', parts: [part(60n)] },
    ],
    [
      'counts partial payments above the amount',
      60n,
      [part(30n), part(20n)],
      { parts: [part(30n), part(20n)] },
    ],
    ['uses no partial payment of another payer', 40n, [part(60n, receiver)], { become: 'partial' }],
    ['uses no partial payments for a transfer of the whole amount', 100n, [part(60n)], { become: 'counted' }],
    [
      'returns the missing amount after the earlier partial payments',
      10n,
      [part(60n)],
      { reason: expect.stringContaining('0.00007 USDC with the earlier parts') as unknown },
    ],
  ])('%s', (_title, amount, parts, expected) => {
    expect(paying(amount, { parts })).toMatchObject(expected);
  });

  it('waits for the confirmations, and meanwhile gives the reason that the transfer is too small', () => {
    const observation = mined({ transfers: [received({ amountAtomic: 99n })] }, 2);
    expect(decision({ observation })).toMatchObject({
      become: 'pending',
      reason: expect.stringContaining('pays 0.000099 USDC') as unknown,
    });
  });

  it('uses no partial payments when the link has all its payments', () => {
    const used = aPayLink({ maxPayments: 1, paymentCount: 1 });
    const excess = paying(40n, { parts: [part(60n)], link: used });
    expect(excess).toMatchObject({ become: 'excess' });
    expect(excess).not.toHaveProperty('parts');
  });

  it('checks a payment until the end of the reorganisation window', () => {
    const outcome = (confirmations: number) =>
      decision({ payment: real('counted'), observation: mined({}, confirmations) });
    expect(outcome(5)).toMatchObject({ become: 'same', isFinal: false });
    expect(outcome(6)).toMatchObject({ become: 'same', isFinal: true });
  });
});

describe('decide for a transfer that several links claim', () => {
  const two = mined({ transfers: [received(), received({ logIndex: 7 })] });
  it.each<[string, Partial<Case>, object]>([
    [
      'rejects an unproven link from the amount that pays a link of a proven receiver',
      { contestedFrom: 100n },
      { become: 'rejected', reason: contested },
    ],
    ['counts below that amount', { contestedFrom: 101n }, { become: 'counted', transfer }],
    [
      'counts for the referenced link',
      { contestedFrom: 1n, named: 'this', isSecond: true },
      { become: 'counted' },
    ],
    [
      'rejects a link that is not referenced',
      { named: 'other' },
      { become: 'rejected', reason: 'The transaction data references another PayLink.' },
    ],
    [
      'counts for the referenced link only while no other link has claimed the transfer',
      { named: 'this', taken: [4] },
      { become: 'rejected', reason: alreadyCounted },
    ],
    [
      'claims a transfer from a link with a lower priority',
      { yielding: [4] },
      { become: 'counted', transfer },
    ],
    [
      'prefers an unclaimed transfer to one of a link with a lower priority',
      { yielding: [4], observation: two },
      { become: 'counted', transfer: { ...transfer, logIndex: 7 } },
    ],
    [
      'leaves a payment counted that was counted before it was contested',
      { payment: real('counted'), contestedFrom: 1n },
      { become: 'same' },
    ],
    [
      'rejects an unverifiable report that is contested',
      { observation: noNode, contestedFrom: 100n },
      { become: 'rejected', reason: contested },
    ],
  ])('%s', (_title, changes, expected) => {
    expect(decision(changes)).toMatchObject(expected);
  });
});

it('isUndecided returns true for an unverified payment that the merchant has not decided', () => {
  const counted = payment({ status: 'counted' });
  expect([payment({ status: 'unverifiable' }), counted].map(isUndecided)).toEqual([true, true]);
  expect([{ ...counted, isConfirmed: true }, real('counted'), rejected].map(isUndecided)).toEqual([
    false,
    false,
    false,
  ]);
});

describe('the next check of a payment', () => {
  const next = (before: Payment) =>
    afterDecision(before, { become: 'same', isFinal: false }, { nowMs, paceMs: 1_000 }).nextCheckAtMs! -
    nowMs;
  it('has a short delay at first, a longer one for an unseen transaction, and at most five minutes', () => {
    const waits = [0, 8_000, 80_000, 8 * 300_000, 30 * dayMs].map((ms) =>
      next(payment({ pendingSinceMs: nowMs - ms })),
    );
    expect(waits).toEqual([1_000, 1_000, 10_000, 300_000, 300_000]);
    expect(next({ ...seen, pendingSinceMs: nowMs - dayMs })).toBe(1_000);
    expect(next(real('counted'))).toBe(1_000);
  });

  it('does not happen for a final payment', () => {
    const at = { nowMs, paceMs: 1_000 };
    expect(afterDecision(real('counted'), { become: 'same', isFinal: true }, at).nextCheckAtMs).toBeNull();
    expect(afterDecision(rejected, { become: 'same', isFinal: false }, at).nextCheckAtMs).toBeNull();
    expect(afterDecision(seen, { become: 'rejected', reason: 'No.' }, at)).toMatchObject({
      nextCheckAtMs: null,
      transfer: null,
    });
    expect(
      afterDecision(seen, { become: 'counted', transfer, block, isFinal: true }, at).nextCheckAtMs,
    ).toBeNull();
  });
});

it.each([
  ['keeps a partial payment assigned when it moves to another block', transfer, 'whole'],
  ['releases a partial payment with another amount', { ...transfer, amount: 99n }, null],
  ['releases a partial payment of another payer', { ...transfer, payer: receiver }, null],
])('afterDecision %s', (_title, moved, partOf) => {
  const part = { ...real('partial'), partOf: 'whole' };
  const found = { transfer: moved, block: { ...block, hash: '0xother' }, isFinal: false };
  const after = afterDecision(part, { become: 'partial', reason: 'Less.', ...found }, { nowMs, paceMs: 1 });
  expect(after.partOf).toBe(partOf);
});

it('afterDecision restarts the pending time of a reverted payment, but not of one that stays pending', () => {
  const at = { nowMs, paceMs: 1_000 };
  expect(afterDecision(real('counted'), { become: 'pending' }, at)).toMatchObject({
    status: 'pending',
    pendingSinceMs: nowMs,
    transfer: null,
    isVerified: false,
    decidedAtMs: null,
    version: 2,
  });
  expect(afterDecision(seen, { become: 'pending' }, at).pendingSinceMs).toBe(seen.pendingSinceMs);
});
