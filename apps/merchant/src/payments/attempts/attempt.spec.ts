import type { SubmittedTxState } from '@tollbridge/contracts';
import {
  ask,
  attemptView,
  decline,
  doubt,
  isBlocking,
  isEndedBy,
  verify,
  renew,
  send,
  type Attempt,
  type Attempted,
  type Tab,
} from './attempt';

const nowMs = 1_800_000_000_000;
const second = 1_000;
const minute = 60 * second;
const paid: Attempted = {
  requestId: 'r',
  paymentId: 'p',
  orderId: 'o',
  orderVersion: 1,
  status: 'executing',
  isPayable: true,
  isPaidElsewhere: false,
};
const tab = (holder: string, changes: Partial<Tab> = {}): Tab => ({
  holder,
  version: 1,
  isWarned: false,
  ...changes,
});
const asking = (at = nowMs) => ask(undefined, paid, tab('a'), at).attempt!;
const sent = (txHash: string | null = '0x1', at = nowMs) =>
  send(asking(at), paid, { holder: 'a', version: 1, txHash }, at).attempt!;
const shown = (attempt: Attempt, state: SubmittedTxState | undefined, at = nowMs) =>
  verify(attempt, state, at);

describe('ask', () => {
  it('allows only one tab to open a wallet', () => {
    const before = asking();
    expect(before).toMatchObject({ state: 'asking', holder: 'a', isWeak: false });
    expect(ask(before, paid, tab('b'), nowMs).outcome).toBe('busy');
    // The wallet of the same tab may still be open, even after a reload.
    expect(ask(before, paid, tab('a'), nowMs).outcome).toBe('busy');
    // Even a payer who was warned cannot start while a transaction is in flight.
    expect(ask(before, paid, tab('b', { isWarned: true }), nowMs).outcome).toBe('busy');
  });

  it('allows the next tab to open a wallet immediately after the payer declined', () => {
    const over = decline(asking(), tab('a')).attempt!;
    const next = ask(over, paid, tab('b'), nowMs);
    expect(next).toMatchObject({ outcome: 'held', attempt: { holder: 'b', isWeak: false } });
  });

  it.each([
    ['a wallet that never answered', () => asking(nowMs - 3 * minute)],
    ['a transaction that no node has', () => sent('0x1', nowMs - 3 * minute)],
    ['a transaction without a hash', () => sent(null, nowMs - 3 * minute)],
    ['a failed transaction', () => shown(sent(), 'failed')],
  ])('requires a warning after %s', (_name, before) => {
    expect(ask(before(), paid, tab('b'), nowMs).outcome).toBe('warn');
    expect(ask(before(), paid, tab('b', { isWarned: true }), nowMs).outcome).toBe('held');
  });

  it('requires a warning immediately when the wallet may have sent something', () => {
    const doubted = doubt(asking(), tab('a'), nowMs).attempt!;
    expect(attemptView(doubted, nowMs)).toMatchObject({ state: 'unknown' });
    expect(ask(doubted, paid, tab('a'), nowMs).outcome).toBe('warn');
    expect(doubt(asking(), tab('b'), nowMs)).toEqual({ outcome: 'held' });
  });

  it.each<[string, Partial<Attempted>, string]>([
    ['a payment that has ended', { status: 'completed' }, 'closed'],
    ['a request that another payment pays', { isPaidElsewhere: true }, 'closed'],
    ['a payment that the chain shows, also for a tab that shows it', { isPayable: false }, 'closed'],
    ['a tab that shows an old state', { orderVersion: 2 }, 'stale'],
  ])('rejects %s', (_name, changes, outcome) => {
    expect(ask(undefined, { ...paid, ...changes }, tab('a'), nowMs)).toEqual({ outcome });
  });
});

describe('an attacker who has the id of the request', () => {
  it('blocks the request for at most two and a half minutes with an attempt without a transaction', () => {
    let attempt = asking();
    for (let at = nowMs; at < nowMs + 10 * minute; at += 15 * second)
      attempt = renew(attempt, tab('a'), at).attempt ?? attempt;
    expect(isBlocking(attempt, nowMs + 149 * second)).toBe(true);
    expect(isBlocking(attempt, nowMs + 150 * second)).toBe(false);
  });

  it('causes only a warning from the second attempt without an outcome on', () => {
    const at = nowMs + 3 * minute;
    const second = ask(asking(), paid, tab('b', { isWarned: true }), at).attempt!;
    expect(isBlocking(second, at)).toBe(false);
    expect(attemptView(second, at)).toMatchObject({ state: 'unknown', until: null });
    const fake = send(second, paid, { holder: 'b', version: 1, txHash: '0xfake' }, at).attempt!;
    expect(isBlocking(fake, at)).toBe(false);
    // The payer's transaction replaces the fake attempt, and blocks as soon as the chain shows it.
    const own = send(fake, paid, { holder: 'c', version: 1, txHash: '0xown' }, at).attempt!;
    expect(own.txHash).toBe('0xown');
    expect(isBlocking(shown(own, 'paying', at), at)).toBe(true);
  });

  it('causes only a warning after five declines', () => {
    let attempt: Attempt | undefined;
    for (let count = 0; count < 5; count++) {
      attempt = ask(attempt, paid, tab('a'), nowMs).attempt!;
      expect(isBlocking(attempt, nowMs)).toBe(true);
      attempt = decline(attempt, tab('a')).attempt!;
    }
    expect(isBlocking(ask(attempt, paid, tab('a'), nowMs).attempt!, nowMs)).toBe(false);
  });

  it('cannot renew, decline or complete the attempt of another tab', () => {
    const before = asking();
    expect(renew(before, tab('b'), nowMs)).toEqual({ outcome: 'busy' });
    expect(decline(before, tab('b'))).toEqual({ outcome: 'held' });
    const fake = send(before, paid, { holder: 'b', version: 1, txHash: '0xfake' }, nowMs).attempt!;
    expect(fake.isWeak).toBe(true);
  });

  it('cannot replace an attempt with another hash while its transaction is being verified', () => {
    expect(send(sent(), paid, { holder: 'b', version: 1, txHash: '0xfake' }, nowMs)).toEqual({
      outcome: 'held',
    });
  });
});

describe('verify', () => {
  it('blocks while the chain shows the payment', () => {
    expect(isBlocking(shown(sent(), 'paying'), nowMs + 9 * minute)).toBe(true);
  });

  it.each(['pending', 'mined'] as const)('blocks for ten minutes while the transaction is %s', (state) => {
    expect(isBlocking(shown(sent(), state, nowMs + 9 * minute), nowMs + 9.5 * minute)).toBe(true);
    expect(isBlocking(shown(sent(), state, nowMs + 10 * minute), nowMs + 10 * minute)).toBe(false);
  });

  it('warns of a failed transaction, and discards a transaction that does not pay the order', () => {
    expect(attemptView(shown(sent(), 'failed'), nowMs)).toMatchObject({ state: 'failed', tx_hash: '0x1' });
    expect(attemptView(shown(sent(), 'unrelated'), nowMs)).toBeNull();
  });

  it.each(['unseen', undefined] as const)('stops blocking two minutes after %s', (state) => {
    const verified = shown(sent(), state, nowMs + minute);
    expect(attemptView(verified, nowMs + 119 * second)).toMatchObject({ state: 'sent' });
    expect(attemptView(verified, nowMs + 120 * second)).toMatchObject({ state: 'unknown', tx_hash: '0x1' });
  });

  it('schedules lookups on the chain at growing intervals, and none after an hour', () => {
    expect(shown(sent(), 'unseen').checkAtMs).toBe(nowMs + second);
    expect(shown(sent(), 'unseen', nowMs + 2 * minute).checkAtMs).toBe(nowMs + 2.5 * minute);
    expect(shown(sent(), 'unseen', nowMs + 30 * minute).checkAtMs).toBe(nowMs + 31 * minute);
    expect(shown(sent(), 'unseen', nowMs + 60 * minute).checkAtMs).toBeNull();
  });
});

describe('isEndedBy', () => {
  it.each([
    [{ version: 2, isSeen: true, status: 'executing' }, true],
    [{ version: 2, isSeen: false, status: 'expired' }, true],
    [{ version: 2, isSeen: false, status: 'executing' }, false],
    // A late event of an earlier part of the deposit.
    [{ version: 1, isSeen: true, status: 'executing' }, false],
  ] as const)('returns for %j: %s', (order, ended) => {
    expect(isEndedBy(asking(), order)).toBe(ended);
  });
});
