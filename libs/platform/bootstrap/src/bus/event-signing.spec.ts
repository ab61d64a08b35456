import { Metrics, type Logger } from '@tollbridge/observability';
import { developmentIdentity } from '@tollbridge/rpc';
import { eventVerifierOf, peerOptionsOf } from './event-signing';

describe('eventVerifierOf', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('logs one line a second for unsigned events of one app', () => {
    const warn = jest.fn();
    const verifier = eventVerifierOf(
      developmentIdentity('merchant'),
      { oldReleaseUntilMs: 0, eventReceivers: [] },
      new Metrics('merchant'),
      { warn } as unknown as Logger,
    );
    for (let count = 0; count < 1_000; count++)
      expect(() => verifier.verify('pay-orders', { subject: 'events.x', data: Buffer.from('{}') })).toThrow(
        'its signature is unsigned',
      );
    jest.advanceTimersByTime(1_000);
    expect(warn.mock.calls).toEqual([
      [{ source: 'pay-orders', reason: 'unsigned', count: 1_000 }, 'event rejected'],
    ]);
  });
});

describe('peerOptionsOf', () => {
  it('skips empty names of receivers', () => {
    const { eventReceivers } = peerOptionsOf('pay-orders', { PAY_ORDERS_EVENT_RECEIVERS: 'analytics, ,' });
    expect(eventReceivers).toEqual(['analytics']);
  });
});
