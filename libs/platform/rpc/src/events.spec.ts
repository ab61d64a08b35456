import { Text } from './fields';
import { events, eventPrefix, readEventSubject, streamOf, subjectOf, subjectPattern } from './events';

class Sold {
  @Text({ description: 'What' })
  good: string;
}

describe('a declared event', () => {
  it('gets its subject from app, type and version', () => {
    const declared = events('pay-orders', {
      'good-sold': { version: 2, summary: 'Sold', data: Sold },
    });
    expect(declared['good-sold']).toEqual({
      app: 'pay-orders',
      type: 'good-sold',
      version: 2,
      summary: 'Sold',
      data: Sold,
      subject: 'events.pay-orders.good-sold.v2',
    });
  });

  it('lies under the prefix of its app, in the stream of its app', () => {
    expect(eventPrefix('pay-orders')).toBe('events.pay-orders');
    expect(streamOf('pay-orders')).toBe('PAY_ORDERS');
  });

  describe('whose aggregates have subjects of their own', () => {
    const declared = events('tx-engine', {
      'good-moved': { version: 1, summary: 'Moved', data: Sold, isPerAggregate: true },
      'good-sold': { version: 2, summary: 'Sold', data: Sold },
    });
    const [moved, sold] = [declared['good-moved'], declared['good-sold']];

    it('is published behind the id, and found by one pattern', () => {
      expect(subjectOf(moved, 'a-1')).toBe('events.tx-engine.good-moved.v1.a-1');
      expect(subjectPattern(moved)).toBe('events.tx-engine.good-moved.v1.*');
      expect(subjectOf(sold, 'a-1')).toBe('events.tx-engine.good-sold.v2');
      expect(subjectPattern(sold)).toBe('events.tx-engine.good-sold.v2');
    });

    it('is told apart by its subject', () => {
      const of = { app: 'tx-engine', type: 'good-moved', version: 1 };
      expect(readEventSubject(subjectOf(moved, 'a-1'))).toEqual({ ...of, aggregateId: 'a-1' });
      expect(readEventSubject(subjectOf(sold, 'a-1'))).toEqual({ ...of, type: 'good-sold', version: 2 });
    });

    it.each(['', '*', '>', 'a.b', 'a b', 'a\nb', '$JS'])(
      'takes no id that NATS would read otherwise: %j',
      (id) => {
        expect(() => subjectOf(moved, id)).toThrow('one part of a subject');
        expect(readEventSubject(`${moved.subject}.${id}`)).toBeUndefined();
      },
    );
  });
});
