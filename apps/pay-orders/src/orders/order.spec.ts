import { orderStatuses, type OrderStatus } from '@tollbridge/contracts';
import fc from 'fast-check';
import {
  amountIn,
  deadlineOf,
  expiryOf,
  hasArrived,
  transitionOf,
  orderEvents,
  eventTypeOf,
  transitions,
  type OrderEvent,
  type OrderTransitions,
} from './order';

/** Every state (rows) after every event (columns). `-` changes and publishes nothing. */
const table = `
                 paymentReported paymentSeen paymentConfirmed delivered deliveredShort paymentRejected reportRejected   paymentReorged timeRanOut
waiting_payment  settling        settling    -                -         -              -               -                -              expired
settling         -               -           settled          settled   failed         failed          waiting_payment  -              -
settled          -               -           -                -         -              -               -                settling       -
failed           -               settling    -                -         -              -               -                -              -
expired          -               settling    -                -         -              -               -                -              -
`;

const [eventNames, ...stateRows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = stateRows.flatMap(([state, ...next]) =>
  next.map((to, index) => [state, eventNames![index], to] as [OrderStatus, OrderEvent, OrderStatus | '-']),
);

describe('transitions', () => {
  it('cover every state and every event', () => {
    expect(eventNames).toEqual([...orderEvents]);
    expect(stateRows.map(([state]) => state)).toEqual([...orderStatuses]);
    expect(cells).toHaveLength(orderStatuses.length * orderEvents.length);
  });

  it.each(cells)('lead from %s on %s to %s', (state, event, to) => {
    expect(transitions[state][event] ?? '-').toBe(to);
  });

  it.each(orderEvents.map((event) => [event]))('transitionOf(%s) equals the table', (event) => {
    const possible = cells.filter(([, name, to]) => name === event && to !== '-');

    expect(transitionOf(event)).toEqual({ from: possible.map(([state]) => state), to: possible[0]![2] });
  });

  it.each([
    ['no state', 'timeRanOut', { ...transitions, waiting_payment: {} }],
    ['two states', 'paymentSeen', { ...transitions, failed: { paymentSeen: 'settled' } }],
  ] as [string, OrderEvent, OrderTransitions][])(
    'transitionOf rejects a table with an event that leads to %s',
    (_name, event, broken) => {
      expect(() => transitionOf(event, broken)).toThrow(`${event} must lead to exactly one state`);
    },
  );

  it('publish an event for each change', () => {
    expect(eventTypeOf).toEqual({
      paymentReported: 'order-settling',
      paymentSeen: 'order-settling',
      paymentConfirmed: 'order-settled',
      delivered: 'order-settled',
      deliveredShort: 'order-failed',
      paymentRejected: 'order-failed',
      reportRejected: 'order-reopened',
      paymentReorged: 'order-reorged',
      timeRanOut: 'order-expired',
    });
  });

  it('lead out of every state, and back to waiting_payment only after a report that does not pay', () => {
    expect(orderStatuses.filter((state) => Object.keys(transitions[state]).length === 0)).toEqual([]);
    expect(cells.filter(([, , to]) => to === 'waiting_payment')).toEqual([
      ['settling', 'reportRejected', 'waiting_payment'],
    ]);
  });
});

describe('expiryOf', () => {
  const createdAt = Date.UTC(2026, 10, 20, 12, 0, 0);

  it.each([
    ['on a whole second', 0, '2026-11-20T12:30:00.000Z'],
    ['a millisecond later', 1, '2026-11-20T12:30:01.000Z'],
    ['a millisecond before the next', 999, '2026-11-20T12:30:01.000Z'],
  ])('returns a whole second 30 minutes later for an order created %s', (_name, extraMs, expected) => {
    expect(new Date(expiryOf(createdAt + extraMs, 1_800)).toISOString()).toBe(expected);
  });

  it('extends the lifetime by less than a second, never shortens it, and equals the deadline', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.integer({ min: 1, max: 86_400 }), (createdAtMs, lifetimeSeconds) => {
        const expiresAtMs = expiryOf(createdAtMs, lifetimeSeconds);
        const livedMs = expiresAtMs - createdAtMs;
        expect(livedMs).toBeGreaterThanOrEqual(lifetimeSeconds * 1000);
        expect(livedMs).toBeLessThan(lifetimeSeconds * 1000 + 1000);
        expect(deadlineOf({ expiresAtMs }) * 1000).toBe(expiresAtMs);
      }),
    );
  });
});

it('amount_in is the exact sum, up to the largest amount', () => {
  const largest = 2n ** 256n - 1n;

  expect(amountIn({ merchantAmount: largest - 1n, feeAmount: 1n })).toBe(largest);
});

it.each([
  ['waiting', false],
  ['seen', false],
  ['incomplete', true],
  ['processing', true],
  ['delivered', true],
  ['refunded', false],
  ['failed', false],
] as const)('hasArrived(%s) returns %s', (state, isThere) => {
  expect(hasArrived(state)).toBe(isThere);
});
