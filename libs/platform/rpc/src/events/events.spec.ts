import { Text } from '../declarations/fields';
import { events, eventPrefix, readEventSubject, streamOf, subjectOf, subjectPattern } from './events';

class Sold {
  @Text('What')
  good: string;
}

describe('events', () => {
  it('builds the subject from the app, type and version', () => {
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

  it('uses the prefix and the stream of the app', () => {
    expect(eventPrefix('pay-orders')).toBe('events.pay-orders');
    expect(streamOf('pay-orders')).toBe('PAY_ORDERS');
  });

  describe('with isPerAggregate', () => {
    const declared = events('tx-engine', {
      'good-moved': { version: 1, summary: 'Moved', data: Sold, isPerAggregate: true },
      'good-sold': { version: 2, summary: 'Sold', data: Sold },
    });
    const [moved, sold] = [declared['good-moved'], declared['good-sold']];

    it('appends the aggregate id to the subject, and matches all aggregates with one pattern', () => {
      expect(subjectOf(moved, 'a-1')).toBe('events.tx-engine.good-moved.v1.a-1');
      expect(subjectPattern(moved)).toBe('events.tx-engine.good-moved.v1.*');
      expect(subjectOf(sold, 'a-1')).toBe('events.tx-engine.good-sold.v2');
      expect(subjectPattern(sold)).toBe('events.tx-engine.good-sold.v2');
    });

    it('reads the type and the aggregate id from the subject', () => {
      const of = { app: 'tx-engine', type: 'good-moved', version: 1 };
      expect(readEventSubject(subjectOf(moved, 'a-1'))).toEqual({ ...of, aggregateId: 'a-1' });
      expect(readEventSubject(subjectOf(sold, 'a-1'))).toEqual({ ...of, type: 'good-sold', version: 2 });
    });

    it.each(['', '*', '>', 'a.b', 'a b', 'a\nb', '$JS'])(
      'rejects an id with a special meaning in subjects: %j',
      (id) => {
        expect(() => subjectOf(moved, id)).toThrow('one part of a subject');
        expect(readEventSubject(`${moved.subject}.${id}`)).toBeUndefined();
      },
    );
  });
});
