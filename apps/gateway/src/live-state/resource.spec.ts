import { orderStatuses, paymentStatuses, type FollowedPayment } from '@tollbridge/contracts';
import { aPayment, anOrder } from '../pages/testing/payment.builder';
import { isFinalOrder, isFinalPayment, stateOfOrder, stateOfPayment } from './resource';

const end = '2026-11-20T12:30:00.000Z';
const endMs = Date.parse(end);
const laterMs = endMs + 11 * 60_000;

describe('isFinalOrder', () => {
  const finalAt = (method: 'Direct' | 'CrossChain', nowMs: number) =>
    orderStatuses.filter((status) => isFinalOrder({ status, method, expires_at: end }, nowMs));

  it('returns true for settled and expired direct orders, and for failed ones after their expiry', () => {
    expect(finalAt('Direct', endMs)).toEqual(['settled', 'expired']);
    expect(finalAt('Direct', laterMs)).toEqual(['settled', 'failed', 'expired']);
  });

  it('returns true for cross-chain orders only when settled, because a deposit may arrive late', () => {
    expect(finalAt('CrossChain', laterMs)).toEqual(['settled']);
  });
});

describe('isFinalPayment', () => {
  const order = (method: 'Direct' | 'CrossChain') =>
    ({ method, expires_at: end }) as Parameters<typeof isFinalPayment>[0]['order'];
  const finalAs = (id: string, method: 'Direct' | 'CrossChain', nowMs: number) =>
    paymentStatuses.filter((status) =>
      isFinalPayment({ status, payment_id: 'payment', order: order(method) }, id, nowMs),
    );

  it('depends on the order for the id of a payment', () => {
    expect(finalAs('payment', 'Direct', endMs)).toEqual(['completed', 'expired']);
    expect(finalAs('payment', 'Direct', laterMs)).toEqual(['completed', 'failed', 'expired']);
    expect(finalAs('payment', 'CrossChain', laterMs)).toEqual(['completed']);
  });

  it('returns true for the id of a request only when completed, because a payer may start another payment', () => {
    expect(finalAs('request', 'Direct', laterMs)).toEqual(['completed']);
  });
});

const orderState = (changes: Parameters<typeof anOrder>[0]) =>
  stateOfOrder(JSON.stringify(anOrder(changes)), endMs);
const paymentState = (changes: Partial<FollowedPayment>) => {
  const payment = { ...aPayment(), payment_id: 'p', ...changes };
  return stateOfPayment(payment, JSON.stringify(payment), 'p', endMs);
};
const requestWith = (changes: Partial<FollowedPayment['payment_request']>) => ({
  payment_request: { ...aPayment().payment_request, expires_at: null, ...changes },
});
const paid = {
  ...requestWith({ status: 'processing' }),
  version: 3,
  pay_tx: '0xabc',
  instructions: null,
} as const;

describe('the id of a state', () => {
  it('contains the version of an order, and its confirmations while these are incomplete', () => {
    expect(orderState({ status: 'waiting_payment', version: 1, confirmations: 0 }).id).toBe('1');
    expect(orderState({ version: 2, confirmations: 0 }).id).toBe('2');
    expect(orderState({ version: 2, confirmations: 2, required_confirmations: 5 }).id).toBe('2.2');
    expect(orderState({ version: 2, confirmations: 5, required_confirmations: 5 }).id).toBe('2');
    expect(orderState({ status: 'settled', version: 3, confirmations: 5 }).id).toBe('3');
    expect(orderState({ method: 'CrossChain', version: 2, confirmations: 2 }).id).toBe('2');
  });

  it('contains the payment with the version of its order, and its confirmations', () => {
    expect(paymentState({ ...requestWith({}), version: 0 }).id).toBe('p.0');
    expect(paymentState(paid).id).toBe('p.3');
    expect(paymentState({ ...paid, confirmations: 2 }).id).toBe('p.3.2');
  });

  it.each(['canceled', 'expired'] as const)('differs when the request is %s', (status) => {
    expect(paymentState({ ...requestWith({ status }), version: 1 }).id).toBe(`p.1.${status}`);
  });

  it('stays undefined without a version', () => {
    const [order, payment] = [anOrder(), aPayment()].map((it) => ({
      ...it,
      version: undefined,
    }));
    expect(stateOfOrder(JSON.stringify(order), endMs).id).toBeUndefined();
    expect(stateOfPayment(payment as never, '{}', 'p', endMs).id).toBeUndefined();
  });
});

describe('the time of the next read', () => {
  const blockMs = 2_000;

  it('comes one block later while the chain confirms a payment', () => {
    const confirming = { confirmations: 2, required_confirmations: 5 };
    expect(orderState(confirming).readAgainAtMs).toBe(endMs + blockMs);
    expect(paymentState({ ...paid, ...confirming }).readAgainAtMs).toBe(endMs + blockMs);
    // Here pay-orders did not answer.
    expect(paymentState(paid).readAgainAtMs).toBe(endMs + blockMs);
  });

  it('stays undefined for a waiting order, a hash that no chain shows, and an ended payment', () => {
    expect(orderState({ confirmations: 0 }).readAgainAtMs).toBeUndefined();
    expect(orderState({ status: 'settled', confirmations: 5 }).readAgainAtMs).toBeUndefined();
    const submitted = { ...paid, instructions: aPayment().instructions };
    expect(paymentState(submitted).readAgainAtMs).toBeUndefined();
    expect(paymentState({ ...paid, status: 'completed' }).readAgainAtMs).toBeUndefined();
  });

  it('equals the expiry of an open request', () => {
    const expires_at = new Date(endMs + 60_000).toISOString();
    expect(paymentState(requestWith({ status: 'pending', expires_at })).readAgainAtMs).toBe(endMs + 60_000);
    expect(paymentState(requestWith({ status: 'canceled', expires_at })).readAgainAtMs).toBeUndefined();
    expect(paymentState(requestWith({ status: 'pending' })).readAgainAtMs).toBeUndefined();
  });

  it('comes one second later while the clock of the service is behind', () => {
    const past = requestWith({ status: 'pending', expires_at: end });
    expect(paymentState(past).readAgainAtMs).toBe(endMs + 1_000);
  });
});
