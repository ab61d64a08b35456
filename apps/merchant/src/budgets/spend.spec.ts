import { DomainError } from '@tollbridge/rpc';
import { aKeyMonth } from './testing/key-month.builder';
import { microsOf } from './usd-micros';
import { captured, countedMicros, released, reserved, type Spend } from './spend';

const nowMs = Date.UTC(2026, 10, 20);
const spend = (changes: Partial<Spend> = {}): Spend => ({
  reference: 'order-1',
  keyId: 'key',
  kind: 'order',
  description: 'An order',
  month: '2026-11',
  valueMicros: microsOf('10'),
  status: 'reserved',
  attempts: ['a'],
  isLate: false,
  reservedAtMs: nowMs,
  endedAtMs: null,
  checkAtMs: nowMs + 600_000,
  ...changes,
});
const key = aKeyMonth({ monthlyBudgetUsd: '15', usedMicros: microsOf('10') });
const over = { endedAtMs: nowMs, checkAtMs: null, attempts: [] };
const ended = (status: 'captured' | 'released', changes: Partial<Spend> = {}): Spend =>
  spend({ status, ...over, ...changes });

describe('reserved', () => {
  const small = spend({ valueMicros: microsOf('5') });

  it('reserves a spend within the budget, and rejects a spend above it', () => {
    expect(reserved(undefined, small, key)).toBe(small);
    expect(reserved(undefined, spend(), key)).toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  it('adds a second attempt to a reservation without using more of the budget', () => {
    const again = spend({ attempts: ['b'], checkAtMs: nowMs + 700_000, valueMicros: microsOf('99') });
    const joined = reserved(spend(), again, key);
    expect(joined).toEqual(spend({ attempts: ['a', 'b'], checkAtMs: nowMs + 700_000 }));
    expect(reserved(joined as Spend, again, key)).toEqual(joined);
  });

  it('leaves a captured spend unchanged, and checks a released one against the budget', () => {
    const paid = ended('captured');
    expect(reserved(paid, spend(), key)).toBe(paid);
    expect(reserved(ended('released'), small, key)).toBe(small);
    expect(reserved(ended('released'), spend(), key)).toBeInstanceOf(DomainError);
  });

  it('rejects a reference that another key has reserved', () => {
    expect(reserved(spend({ keyId: 'other' }), small, key)).toMatchObject({ code: 'CONFLICT' });
    expect(reserved(ended('captured', { keyId: 'other' }), small, key)).toMatchObject({ code: 'CONFLICT' });
  });

  it('reserves a reference that another key has released', () => {
    expect(reserved(ended('released', { keyId: 'other' }), small, key)).toBe(small);
  });
});

describe('captured', () => {
  it('captures the reported value, or the reserved value when no value is reported', () => {
    expect(captured(spend(), nowMs)).toEqual(ended('captured'));
    expect(captured(spend(), nowMs, microsOf('9'))).toEqual(
      ended('captured', { valueMicros: microsOf('9') }),
    );
  });

  it('marks a capture after the release as late', () => {
    expect(captured(ended('released'), nowMs)).toEqual(ended('captured', { isLate: true }));
  });

  it('captures a spend only once', () => {
    const paid = ended('captured');
    expect(captured(paid, nowMs + 1)).toBe(paid);
    expect(captured(paid, nowMs + 1, paid.valueMicros)).toBe(paid);
    expect(captured(paid, nowMs + 1, microsOf('1'))).toEqual({ ...paid, valueMicros: microsOf('1') });
  });
});

describe('released', () => {
  it('releases a reservation and a captured spend, each only once', () => {
    expect(released(spend(), nowMs)).toEqual(ended('released'));
    expect(released(ended('captured'), nowMs)).toEqual(ended('released'));
    const gone = ended('released');
    expect(released(gone, nowMs + 1)).toBe(gone);
  });

  it('waits for the release of the last attempt, and ignores unknown attempts and captured spends', () => {
    const two = spend({ attempts: ['a', 'b'] });
    expect(released(two, nowMs, 'a')).toEqual(spend({ attempts: ['b'] }));
    expect(released(released(two, nowMs, 'a'), nowMs, 'b')).toEqual(ended('released'));
    expect(released(two, nowMs, 'c')).toBe(two);
    const paid = ended('captured');
    expect(released(paid, nowMs, 'a')).toBe(paid);
  });
});

it('countedMicros returns zero for released spends and spends without a price', () => {
  expect(countedMicros(spend())).toBe(microsOf('10'));
  expect(countedMicros(ended('captured'))).toBe(microsOf('10'));
  expect(countedMicros(ended('released'))).toBe(0n);
  expect(countedMicros(spend({ valueMicros: null }))).toBe(0n);
});
