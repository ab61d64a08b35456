import { eventDecoder, InvalidEventError } from './event-decoding';
import { events } from './events';
import { Amount, ListOf, Text } from '../declarations/fields';
import { anEventEnvelope } from '../testing/event-envelope.builder';

class Line {
  @Text('What')
  name: string;
}

class OrderPlaced {
  @Text('Which order')
  order: string;
  @Amount('How much', { max: 1_000n })
  amount: string;
  @ListOf(() => Line, 'What was ordered', { maxItems: 3, optional: true })
  lines?: Line[];
}

const { 'order-placed': placed } = events('shop', {
  'order-placed': { version: 1, summary: 'An order was placed', data: OrderPlaced },
});
const decode = eventDecoder([placed]);
const valid = anEventEnvelope({
  type: 'order-placed',
  aggregateId: 'o1',
  data: { order: 'o1', amount: '1000', lines: [{ name: 'tea' }] },
});
const read = (event: object, subject = placed.subject) => decode(JSON.stringify(event), subject);

function errorsOf(event: object): Record<string, string> {
  try {
    read(event);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEventError);
    return Object.fromEntries(
      (error as InvalidEventError).errors.map(({ field, message }) => [field, message]),
    );
  }
  throw new Error('the event was accepted');
}

describe('eventDecoder', () => {
  it('returns a valid event unchanged', () => {
    expect(read(valid)).toEqual(valid);
    expect(decode(JSON.stringify(valid), '')).toEqual(valid);
  });

  it('drops undeclared fields, also nested ones', () => {
    const newer = { ...valid.data, more: 1, lines: [{ name: 'tea', price: '7' }] };
    expect(read({ ...valid, data: newer })).toEqual(valid);
  });

  it('returns undefined for an undeclared type or version', () => {
    expect(read({ ...valid, type: 'order-moved' }, 'events.shop.order-moved.v1')).toBeUndefined();
    expect(read({ ...valid, version: 2 }, 'events.shop.order-placed.v2')).toBeUndefined();
  });

  it('lists every invalid field of the data', () => {
    const data = { amount: '1001', lines: [{ name: 5 }] };
    expect(errorsOf({ ...valid, data })).toEqual({
      order: 'is missing',
      amount: 'must be at most 1000',
      'lines[0].name': 'must be a string',
    });
    expect(() => read({ ...valid, data })).toThrow(
      'Invalid order-placed event: order is missing; amount must be at most 1000; lines[0].name must be a string',
    );
  });

  it.each([
    ['id', 'no uuid', 'must be a uuid in lower case'],
    ['version', '1', 'must be an integer'],
    ['aggregateId', 7, 'must be a string'],
    ['aggregateVersion', -1, 'must be 0 or more'],
    ['occurredAt', '2026-02-30T12:00:00Z', 'must be a time in UTC, such as 2026-01-31T12:00:00Z'],
    ['traceparent', {}, 'must be a string'],
  ])('rejects an envelope with the %s %j', (field, value, message) => {
    expect(errorsOf({ ...valid, [field]: value })).toEqual({ [field]: message });
  });

  it.each([null, [1], 'text', 7])('rejects %j as the data', (data) => {
    expect(errorsOf({ ...valid, data })).toEqual({ body: 'must be an object' });
  });

  it('rejects an event that does not match its subject', () => {
    expect(() => read(valid, 'events.shop.order-moved.v1')).toThrow('the event does not match its subject');
  });

  it('rejects an oversized event without parsing it, and limits the length of the reason', () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => decode(JSON.stringify({ ...valid, more: 'x'.repeat(70_000) }), placed.subject)).toThrow(
      'Invalid oversized event: event must have at most 65536 characters',
    );
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    const lines = Array.from({ length: 3 }, () => ({ name: '' }));
    const many = eventDecoder([placed], () =>
      Array.from({ length: 5_000 }, () => ({ field: 'order', message: 'is wrong' })),
    );
    expect(() => many(JSON.stringify({ ...valid, data: { ...valid.data, lines: [] } }), '')).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{2000}$/) }),
    );
    expect(errorsOf({ ...valid, data: { ...valid.data, lines } })).toHaveProperty(['lines[2].name']);
  });

  it('calls the check of a consumer only for events with valid fields', () => {
    const check = jest.fn(() => [{ field: 'order', message: 'is unknown' }]);
    const checking = eventDecoder([placed], check);
    expect(() => checking(JSON.stringify({ ...valid, data: {} }), '')).toThrow('amount is missing');
    expect(check).not.toHaveBeenCalled();
    expect(() => checking(JSON.stringify(valid), '')).toThrow('Invalid order-placed event: order is unknown');
    expect(check).toHaveBeenCalledWith(valid);
  });
});
