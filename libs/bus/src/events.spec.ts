import { Text } from './fields';
import { events, eventPrefix, streamOf } from './events';

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
});
