import { ZeroAddress } from 'ethers';
import {
  forwardingStateOf,
  nextAddressCheck,
  refundTransitionOf,
  refundTransitions,
  senderOf,
  type RefundEvent,
  type RefundState,
  type SenderFacts,
} from './refund';

const [payer, other, token, ours] = ['A', 'B', 'C', 'D'].map((name) => `0x${name.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const facts = (changes: Partial<SenderFacts> = {}): SenderFacts => ({
  chain: { family: 'evm' },
  transfers: [{ from: payer, amountAtomic: 100n }],
  depositedAtomic: 100n,
  usedAtomic: 0n,
  returnedAtomic: 100n,
  partAddresses: [token, ours],
  manualSenders: [],
  maxSenderTransactions: 10,
  ...changes,
});

describe('refundTransitions', () => {
  it('lead each event to exactly one state', () => {
    const events = new Set(Object.values(refundTransitions).flatMap((possible) => Object.keys(possible)));
    for (const event of events)
      expect(refundTransitionOf(event as RefundEvent).from.length).toBeGreaterThan(0);
    expect(events.size).toBe(9);
  });

  it('send only after a sender was found, and never again afterwards', () => {
    expect(refundTransitionOf('forwardSigned')).toEqual({ from: ['ready'], to: 'sending' });
    expect(refundTransitions.sent).toEqual({});
    expect(refundTransitions.closed).toEqual({});
    const toReady = Object.entries(refundTransitions).flatMap(([from, possible]) =>
      Object.entries(possible).flatMap(([event, to]) => (to === 'ready' ? [`${from} ${event}`] : [])),
    );
    expect(toReady.sort()).toEqual([
      'arrived senderFound',
      'funding gasSettled',
      'manual resolved',
      'sending reverted',
    ]);
  });

  it('map each state to a name for payers', () => {
    for (const state of Object.keys(refundTransitions))
      expect(forwardingStateOf[state as RefundState]).toMatch(/^(pending|manual|sent|closed)$/);
  });
});

describe('senderOf', () => {
  it('returns the only sender of a deposit in several parts', () => {
    const half = { from: payer, amountAtomic: 50n };
    expect(senderOf(facts({ transfers: [half, half] }))).toEqual({ sender: payer });
  });

  it('returns the sender of an unused remainder', () => {
    expect(senderOf(facts({ usedAtomic: 90n, returnedAtomic: 10n }))).toEqual({ sender: payer });
  });

  const unsafe: [string, Partial<SenderFacts>, string][] = [
    ['no transfer to the deposit address', { transfers: [] }, 'NO_DEPOSIT'],
    [
      'a second sender, even of a tiny amount',
      { transfers: [...facts().transfers, { from: other, amountAtomic: 1n }] },
      'SEVERAL_SENDERS',
    ],
    ['a deposit above the known transfers', { depositedAtomic: 101n }, 'AMOUNTS_DIFFER'],
    ['a refund above the deposit', { returnedAtomic: 101n }, 'AMOUNTS_DIFFER'],
    ['a refund of the used part', { usedAtomic: 90n, returnedAtomic: 11n }, 'AMOUNTS_DIFFER'],
    [
      'tokens that were minted',
      { transfers: [{ from: ZeroAddress, amountAtomic: 100n }] },
      'SENDER_IS_NO_PAYER',
    ],
    ['the token contract', { transfers: [{ from: token, amountAtomic: 100n }] }, 'SENDER_IS_NO_PAYER'],
    ['an account of the operator', { transfers: [{ from: ours, amountAtomic: 100n }] }, 'SENDER_IS_NO_PAYER'],
    ['a listed sender', { manualSenders: [payer] }, 'SENDER_IS_LISTED'],
  ];
  it.each(unsafe)('leaves %s to an operator', (_name, changes, reason) => {
    expect(senderOf(facts(changes))).toEqual({ reason });
  });
});

describe('nextAddressCheck', () => {
  const day = 24 * 60 * 60_000;

  it('returns growing intervals, and ends after 30 days', () => {
    let [nowMs, reads] = [0, 0];
    for (let next: number | null = 0; next !== null; next = nextAddressCheck(0, nowMs, 1_000)) {
      expect(next).toBeGreaterThanOrEqual(nowMs);
      nowMs = next;
      reads++;
    }
    expect(nowMs).toBeGreaterThan(30 * day);
    expect(reads).toBeLessThan(30);
  });
});
