import { orderStatuses, type OrderStatus } from '@tollbridge/contracts';
import type { RouteState, RouteStatus } from '@tollbridge/routing';
import fc from 'fast-check';
import { transitions } from '../orders/order';
import { claimKey, evaluateDeposit, type Delivery, type DepositFacts, type Transfer } from './deposit';
import { aRouteStatus } from './testing/route-status.builder';

const hourMs = 3_600_000;
const deadlineMs = Date.UTC(2026, 10, 20, 14);
const owed = 1_000n;

const routeStates: RouteState[] = [
  ...(['waiting', 'seen', 'incomplete', 'processing', 'delivered', 'refunded', 'failed'] as const),
];
const transfer = (amountAtomic: bigint, logIndex = 0, txHash = '0xout'): Transfer => ({
  txHash,
  logIndex,
  amountAtomic,
});
const deliveries: Record<string, Delivery> = {
  pending: { kind: 'pending' },
  misnamed: { kind: 'misnamed' },
  unread: { kind: 'unread' },
  paid: { kind: 'read', transfers: [transfer(owed)] },
  short: { kind: 'read', transfers: [transfer(owed - 1n)] },
  none: { kind: 'read', transfers: [] },
};

interface Given {
  status?: OrderStatus;
  route?: Partial<RouteStatus>;
  delivery?: Delivery;
  claimed?: readonly Transfer[];
  nowMs?: number;
  reportedAtMs?: number;
  endedIn?: RouteState | null;
}

function factsOf(state: RouteState, given: Given = {}): DepositFacts {
  const {
    status = 'settling',
    route,
    delivery = deliveries['pending']!,
    claimed = [],
    nowMs = deadlineMs,
    reportedAtMs,
    endedIn = null,
  } = given;
  const lastReport = reportedAtMs === undefined ? null : { txHash: '0xin', reason: null, atMs: reportedAtMs };
  return {
    order: { status, merchantAmount: owed, payTx: null, lastReport },
    endedIn,
    status: aRouteStatus({ state, ...route }),
    delivery,
    claimed: new Set(claimed.map(claimKey)),
    deadlineMs,
    nowMs,
  };
}
const evaluate = (state: RouteState, given?: Given) => evaluateDeposit(factsOf(state, given));
const eventsOf = (verdict: ReturnType<typeof evaluate>) =>
  verdict.changes.map(({ event }) => event).join(' ');

/**
 * The expected verdict before the deadline: the events, whether the deposit is over, and whether there is a problem.
 */
const seen = 'paymentSeen';
const unpaid: OrderStatus[] = ['waiting_payment', 'expired', 'failed'];

function expected(
  status: OrderStatus,
  state: RouteState,
  delivery: string,
): [string, 'over' | 'open', boolean] {
  if (state === 'waiting') return ['', 'open', false];
  const isEnd = ['delivered', 'refunded', 'failed'].includes(state);
  if (status === 'settled') return ['', isEnd ? 'over' : 'open', false];
  const first = unpaid.includes(status) ? [seen] : [];
  if (!isEnd) return [first.join(' '), 'open', false];
  if (state !== 'delivered') return [[...first, 'paymentRejected'].join(' '), 'over', false];
  if (delivery === 'pending') return [first.join(' '), 'open', false];
  if (delivery === 'none' || delivery === 'misnamed') return [first.join(' '), 'open', true];
  const last = delivery === 'short' ? 'deliveredShort' : 'delivered';
  return [[...first, last].join(' '), 'over', false];
}

const pairs = orderStatuses.flatMap((status) =>
  routeStates.flatMap((state) =>
    Object.keys(deliveries).map((delivery) => [status, state, delivery] as const),
  ),
);

describe('evaluate before the deadline', () => {
  it.each(pairs)(
    'returns the expected verdict for an order that is %s, a deposit %s and a delivery %s',
    (status, state, delivery) => {
      const verdict = evaluate(state, { status, delivery: deliveries[delivery]! });
      const isOver = verdict.isOver ? 'over' : 'open';
      expect([eventsOf(verdict), isOver, verdict.problem !== null]).toEqual(
        expected(status, state, delivery),
      );
      const settles = eventsOf(verdict).includes('delivered');
      expect(verdict.proof !== null).toBe(settles);
      expect(verdict.claims.length > 0).toBe(settles && delivery !== 'unread');
    },
  );
});

describe('evaluate at any time', () => {
  const times = [-hourMs, 0, 10 * 60_000 + 1, 24 * hourMs, 24 * hourMs + 1, 1_000 * hourMs];
  it.each(pairs)('changes the order only by its transitions: %s, %s, %s', (status, state, delivery) => {
    for (const time of times) {
      const { changes, problem } = evaluate(state, {
        status,
        delivery: deliveries[delivery]!,
        nowMs: deadlineMs + time,
      });
      let at: OrderStatus | undefined = status;
      for (const { event } of changes) at = transitions[at!][event];
      expect(at).toBeDefined();
      if (problem) expect(changes.map(({ event }) => event)).not.toContain('delivered');
    }
  });

  it('does not change a settled order', () => {
    const delivery = fc.constantFrom(...Object.values(deliveries));
    const time = fc.integer({ min: -48 * hourMs, max: 48 * hourMs });
    fc.assert(
      fc.property(fc.constantFrom(...routeStates), delivery, time, (state, read, offset) => {
        const verdict = evaluate(state, { status: 'settled', delivery: read, nowMs: deadlineMs + offset });
        expect([verdict.changes, verdict.claims, verdict.proof]).toEqual([[], [], null]);
      }),
    );
  });
});

describe('evaluate without a deposit', () => {
  it.each<[OrderStatus, number, string, boolean]>([
    ['settling', 10 * 60_000, '', false],
    ['settling', 10 * 60_000 + 1, 'reportRejected', false],
    ['settling', 24 * hourMs + 1, 'reportRejected', true],
    ['waiting_payment', 10 * 60_000 + 1, '', false],
    ['expired', 24 * hourMs, '', false],
    ['expired', 24 * hourMs + 1, '', true],
    ['failed', 24 * hourMs + 1, '', true],
    ['settled', 24 * hourMs + 1, '', true],
  ])(
    'returns the expected verdict for a %s order, %i ms after its deadline',
    (status, afterMs, events, isOver) => {
      const verdict = evaluate('waiting', { status, nowMs: deadlineMs + afterMs });
      expect([eventsOf(verdict), verdict.isOver]).toEqual([events, isOver]);
    },
  );

  it('returns an order to waiting ten minutes after a report without a deposit, with a reason', () => {
    const reportedAtMs = deadlineMs - 2 * hourMs;
    const at = (afterMs: number) => evaluate('waiting', { reportedAtMs, nowMs: reportedAtMs + afterMs });
    expect(at(10 * 60_000).changes).toEqual([]);
    const detail = 'DEPOSIT_NOT_FOUND: no deposit followed the reported transaction';
    expect(at(10 * 60_000 + 1).changes).toEqual([{ event: 'reportRejected', change: { detail } }]);
  });

  it('returns an order to waiting when the provider has only the report at the end of the deposit', () => {
    const at = (afterMs: number) => evaluate('seen', { nowMs: deadlineMs + afterMs });
    expect(at(10 * 60_000).changes).toEqual([]);
    expect(eventsOf(at(10 * 60_000 + 1))).toBe('reportRejected');
    expect(eventsOf(evaluate('seen', { status: 'waiting_payment', nowMs: deadlineMs + hourMs }))).toBe('');
  });
});

describe('evaluate with the transfers of the delivery', () => {
  const read = (...transfers: Transfer[]): Delivery => ({ kind: 'read', transfers });
  const [ours, another] = [transfer(owed, 1), transfer(5_000n, 2)];

  it('claims the transfer with exactly the amount', () => {
    const { claims, changes, proof } = evaluate('delivered', {
      delivery: read(another, ours, transfer(owed, 3)),
    });
    expect(claims).toEqual([ours]);
    expect(proof).toBe('chain');
    expect(changes).toEqual([{ event: 'delivered', change: { amount: owed, settleTx: '0xout' } }]);
  });

  it('claims the transfer that the provider reports when none has exactly the amount', () => {
    const published = transfer(1_001n, 3);
    const verdict = evaluate('delivered', {
      delivery: read(another, published),
      route: { amountOutAtomic: 1_001n },
    });
    expect(verdict.claims).toEqual([published]);
    expect(verdict.changes[0]!.change.amount).toBe(1_001n);
  });

  it('claims all transfers together when none has exactly the amount or is reported', () => {
    const halves = [transfer(400n, 1), transfer(600n, 2, '0xsecond')];
    const verdict = evaluate('delivered', { delivery: read(...halves) });
    expect(verdict.claims).toEqual(halves);
    expect(verdict.changes[0]).toEqual({ event: 'delivered', change: { amount: 1_000n, settleTx: '0xout' } });
  });

  it('never claims a transfer that settled another order', () => {
    const second = transfer(owed, 3);
    expect(evaluate('delivered', { delivery: read(ours, second), claimed: [ours] }).claims).toEqual([second]);
    const verdict = evaluate('delivered', { delivery: read(ours, another), claimed: [ours, another] });
    expect(verdict).toMatchObject({ changes: [], claims: [], proof: null, isOver: false });
    expect(verdict.problem).toContain('do not pay the merchant');
    // The same log index in another transaction is another transfer.
    const elsewhere = transfer(owed, 1, '0xother');
    expect(evaluate('delivered', { delivery: read(ours), claimed: [elsewhere] }).claims).toEqual([ours]);
  });

  it('fails the order for a delivery that is too small, with the received amount', () => {
    const { changes, isOver } = evaluate('delivered', { delivery: deliveries['short']! });
    expect(changes[0]).toMatchObject({
      event: 'deliveredShort',
      change: { amount: 999n, settleTx: '0xout' },
    });
    expect(changes[0]!.change.detail).toBe('DELIVERED_TOO_LITTLE: the merchant received 999 of 1000');
    expect(isOver).toBe(true);
  });

  it('reports a problem for a day when the delivery pays nothing, then fails the order', () => {
    const at = (afterMs: number) => evaluate('delivered', { delivery: read(), nowMs: deadlineMs + afterMs });
    expect(at(24 * hourMs)).toMatchObject({ changes: [], isOver: false });
    expect(at(24 * hourMs + 1)).toMatchObject({
      changes: [
        { event: 'paymentRejected', change: { detail: expect.stringMatching(/^DELIVERY_NOT_FOUND: /) } },
      ],
      isOver: true,
      claims: [],
      proof: null,
    });
  });

  it('settles only with at least the owed amount, and claims only unclaimed transfers', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 2_000n }), { maxLength: 5 });
    const published = fc.option(fc.bigInt({ min: 0n, max: 2_000n }), { nil: null });
    fc.assert(
      fc.property(amounts, amounts, published, (free, taken, amountOutAtomic) => {
        const claimed = taken.map((amount, at) => transfer(amount, 100 + at));
        const transfers = [...claimed, ...free.map((amount, at) => transfer(amount, at))];
        const verdict = evaluate('delivered', {
          delivery: read(...transfers),
          claimed,
          route: { amountOutAtomic },
        });
        const received = verdict.claims.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
        expect(verdict.claims.filter(({ logIndex }) => logIndex >= 100)).toEqual([]);
        expect(eventsOf(verdict) === 'delivered').toBe(received >= owed);
        if (free.includes(owed)) expect(received).toBe(owed);
      }),
    );
  });
});

describe('evaluate with a delivery without a transaction hash of the settle chain', () => {
  const delivery: Delivery = { kind: 'misnamed' };

  it('reports a problem and settles nothing, whatever amount the provider reports', () => {
    const verdict = evaluate('delivered', { delivery, route: { amountOutAtomic: owed } });
    expect(verdict).toMatchObject({ changes: [], claims: [], proof: null, isOver: false });
    expect(verdict.problem).toContain('not a transaction hash of the settle chain');
  });

  it('fails the order a day after the deadline', () => {
    const verdict = evaluate('delivered', { delivery, nowMs: deadlineMs + 24 * hourMs + 1 });
    expect(verdict).toMatchObject({ changes: [{ event: 'paymentRejected' }], isOver: true });
    expect(verdict.changes[0]!.change.detail).toMatch(/^DELIVERY_NOT_FOUND: /);
  });

  it('settles after the provider reports the correct transaction', () => {
    expect(eventsOf(evaluate('delivered', { delivery: deliveries['paid']! }))).toBe('delivered');
  });
});

describe('evaluate with a delivery on a chain without a node', () => {
  const delivery: Delivery = { kind: 'unread' };
  it.each<[bigint, string]>([
    [owed, 'delivered'],
    [owed + 1n, 'delivered'],
    [owed - 1n, 'deliveredShort'],
    [0n, 'deliveredShort'],
  ])('turns an amount of %s that the provider reports into %s', (amountOutAtomic, event) => {
    const { changes, proof, claims } = evaluate('delivered', { delivery, route: { amountOutAtomic } });
    expect(changes[0]).toMatchObject({ event, change: { amount: amountOutAtomic, settleTx: '0xout' } });
    expect([proof, claims]).toEqual(['provider', []]);
  });

  it('settles nothing without a reported amount, and fails nothing for a day', () => {
    const route = { amountOutAtomic: null };
    const verdict = evaluate('delivered', { delivery, route });
    expect(verdict).toMatchObject({ changes: [], proof: null, isOver: false, problem: expect.any(String) });
    const later = evaluate('delivered', { delivery, route, nowMs: deadlineMs + 24 * hourMs + 1 });
    expect(later).toMatchObject({ changes: [{ event: 'paymentRejected' }], isOver: true });
  });

  it('settles also without a transaction', () => {
    const { changes } = evaluate('delivered', { delivery, route: { deliveryTxs: [] } });
    expect(changes).toEqual([{ event: 'delivered', change: { amount: owed } }]);
  });
});

it.each<[RouteState, Partial<RouteStatus>, string]>([
  [
    'refunded',
    { depositedAtomic: 500n, refundedAtomic: 490n, refundReason: 'less arrived than was needed' },
    'DEPOSIT_REFUNDED: less arrived than was needed; deposited 500; refunded 490',
  ],
  ['refunded', { depositedAtomic: null }, 'DEPOSIT_REFUNDED: the route could not be completed'],
  ['failed', { depositedAtomic: 5n }, 'ROUTE_FAILED: the route provider could not complete it; deposited 5'],
])('evaluate returns the reason when a deposit was %s', (state, route, detail) => {
  expect(evaluate(state, { route }).changes).toEqual([{ event: 'paymentRejected', change: { detail } }]);
});

it('evaluate returns the deposit that was seen', () => {
  const changesOf = (depositTxs: string[]) =>
    evaluate('seen', { status: 'expired', route: { depositTxs } }).changes;
  expect(changesOf(['0xin', '0xmore'])).toEqual([{ event: 'paymentSeen', change: { detail: '0xin' } }]);
  expect(changesOf([])).toEqual([{ event: 'paymentSeen', change: {} }]);
});

it.each<[OrderStatus, string]>([
  ['waiting_payment', ''],
  ['expired', ''],
  ['settling', 'reportRejected'],
])(
  'evaluate changes an order that is %s only after a report when the route failed without a deposit',
  (status, events) => {
    const route = { depositTxs: [], depositedAtomic: null };
    const verdict = evaluate('failed', { status, route });
    expect([eventsOf(verdict), verdict.isOver]).toEqual([events, true]);
  },
);

describe('evaluate after a final state', () => {
  it.each<[OrderStatus, RouteState, RouteState, string]>([
    ['settled', 'delivered', 'delivered', ''],
    ['settled', 'delivered', 'refunded', ''],
    ['failed', 'refunded', 'refunded', ''],
    ['failed', 'refunded', 'failed', ''],
    ['failed', 'refunded', 'processing', 'paymentSeen'],
    ['failed', 'refunded', 'delivered', 'paymentSeen delivered'],
    ['failed', 'delivered', 'delivered', ''],
    ['expired', 'failed', 'failed', ''],
  ])(
    'handles for a %s order that ended with a %s deposit the later state %s with the events "%s"',
    (status, endedIn, state, events) => {
      const verdict = evaluate(state, { status, endedIn, delivery: deliveries['paid']! });
      expect(eventsOf(verdict)).toBe(events);
    },
  );
});
