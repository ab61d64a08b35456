import { orderStatuses, paymentStatuses } from '@tollbridge/contracts';
import { isFinalOrder, isFinalPayment, liveOrder, livePayment } from './resource';

const end = '2026-11-20T12:30:00.000Z';
const endMs = Date.parse(end);
const laterMs = endMs + 11 * 60_000;

describe('isFinalOrder', () => {
  const finalAt = (method: 'Direct' | 'CrossChain', nowMs: number) =>
    orderStatuses.filter((status) => isFinalOrder({ status, method, expires_at: end }, nowMs));

  it('is true for settled and expired direct orders, and for failed ones after their end', () => {
    expect(finalAt('Direct', endMs)).toEqual(['settled', 'expired']);
    expect(finalAt('Direct', laterMs)).toEqual(['settled', 'failed', 'expired']);
  });

  it('is true across chains only when settled: a deposit may arrive late', () => {
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

  it('follows the order for the id of a payment', () => {
    expect(finalAs('payment', 'Direct', endMs)).toEqual(['completed', 'expired']);
    expect(finalAs('payment', 'Direct', laterMs)).toEqual(['completed', 'failed', 'expired']);
    expect(finalAs('payment', 'CrossChain', laterMs)).toEqual(['completed']);
  });

  it('is true for the id of a request only when completed: a payer may start another payment', () => {
    expect(finalAs('request', 'Direct', laterMs)).toEqual(['completed']);
  });
});

describe('ids of states', () => {
  it('are the version of an order, and the payment with the version of its order', () => {
    const order = JSON.stringify({ status: 'settling', method: 'Direct', version: 2, expires_at: end });
    expect(liveOrder.toState(order, 'order', endMs)).toEqual({ id: '2', json: order, isFinal: false });
    const payment = JSON.stringify({
      status: 'executing',
      payment_id: 'p',
      version: 0,
      order: { method: 'Direct', expires_at: end },
    });
    expect(livePayment.toState(payment, 'p', endMs)).toEqual({ id: 'p.0', json: payment, isFinal: false });
  });

  it('are undefined without a version', () => {
    const order = JSON.stringify({ status: 'settling', method: 'Direct', expires_at: end });
    expect(liveOrder.toState(order, 'order', endMs).id).toBeUndefined();
    expect(livePayment.toState(order, 'order', endMs).id).toBeUndefined();
  });
});
