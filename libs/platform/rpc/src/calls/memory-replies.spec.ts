import { callContext } from './call-context';
import { DomainError } from '../errors/domain-error';
import { Text } from '../declarations/fields';
import { callHandler, type Handler, type Outcome } from './call-handler';
import { Handles } from '../declarations/handlers';
import { idempotencyKeyOf } from './idempotency';
import { MemoryReplies } from './memory-replies';
import { feature, operation } from '../declarations/operation';

const hourMs = 3_600_000;
const leaseMs = 15_000;

class Sale {
  @Text('What is sold')
  good: string;
}

const shopApi = feature('shop', 'sales', 'Sales', {
  sell: operation('POST /sales', { summary: 'Sell', auth: 'public', input: Sale, output: Sale }),
});

let serve: () => Promise<Sale>;

@Handles(shopApi)
class Sales {
  sell(): Promise<Sale> {
    return serve();
  }
}

let nowMs: number;
let calls: number;
let asked: number;
let replies: MemoryReplies;

beforeEach(() => {
  nowMs = 1_000_000;
  calls = 0;
  asked = 0;
  replies = new MemoryReplies(() => nowMs);
  serve = async () => ({ good: `tea ${++calls}` });
});

const ask = (text: string, good = 'tea'): Promise<Outcome> => {
  const handlers = new Sales() as unknown as Record<string, Handler>;
  const requestId = `request-${++asked}`;
  const context = { ...callContext({ requestId }), idempotencyKey: idempotencyKeyOf('key:1', text) };
  return callHandler(handlers['sell']!.bind(handlers), {
    json: Buffer.from(JSON.stringify({ good })),
    context,
    replies,
  });
};
const shown = (outcome: Outcome): string =>
  outcome.stored
    ? Buffer.from(outcome.stored.reply.bytes).toString()
    : outcome.ok
      ? 'OK'
      : outcome.error.code;

describe('MemoryReplies', () => {
  it('replays the first reply byte for byte with its original time', async () => {
    const first = await ask('a');
    nowMs += hourMs;
    const second = await ask('a');
    expect([shown(first), shown(second), calls]).toEqual(['{"good":"tea 1"}', '{"good":"tea 1"}', 1]);
    expect(second.stored).toEqual({ reply: first.stored!.reply, isReplayed: true });
  });

  it('calls the handler once for 50 equal concurrent calls', async () => {
    const outcomes = (await Promise.all(Array.from({ length: 50 }, () => ask('a')))).map(shown);
    expect(calls).toBe(1);
    expect(new Set(outcomes)).toEqual(new Set(['{"good":"tea 1"}', 'IDEMPOTENCY_IN_PROGRESS']));
  });

  it('rejects another input, separates keys, and replays failures with the id of the first request', async () => {
    serve = () => Promise.reject(new DomainError('CONFLICT', `No ${++calls}.`));
    expect([shown(await ask('a')), shown(await ask('a')), calls]).toEqual([
      ...Array(2).fill('{"code":"CONFLICT","message":"No 1.","requestId":"request-1"}'),
      1,
    ]);
    expect(shown(await ask('a', 'coffee'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(shown(await ask('b'))).toBe('{"code":"CONFLICT","message":"No 2.","requestId":"request-4"}');
  });

  it('calls the handler again after a temporary failure, and after an expired lease', async () => {
    serve = () => Promise.reject(new DomainError('SERVICE_UNAVAILABLE'));
    expect(shown(await ask('a'))).toBe('SERVICE_UNAVAILABLE');
    let answer!: (sale: Sale) => void;
    serve = () => new Promise((resolve) => (answer = resolve));
    const slow = ask('a');
    await new Promise(setImmediate);
    nowMs += leaseMs - 1;
    expect(shown(await ask('a'))).toBe('IDEMPOTENCY_IN_PROGRESS');
    nowMs += 1;
    serve = async () => ({ good: 'fast' });
    expect(shown(await ask('a'))).toBe('{"good":"fast"}');
    answer({ good: 'slow' });
    expect(shown(await slow)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(shown(await ask('a'))).toBe('{"good":"fast"}');
  });

  it('removes replies after 24 hours, but not running calls', async () => {
    await ask('a');
    let answer!: (sale: Sale) => void;
    serve = () => new Promise((resolve) => (answer = resolve));
    nowMs += 24 * hourMs - 1;
    const late = ask('b');
    await new Promise(setImmediate);
    nowMs += 1;
    expect(shown(await ask('b'))).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(replies.size).toBe(1);
    answer({ good: 'late' });
    expect(shown(await late)).toBe('{"good":"late"}');
  });

  it.each([
    ['too many keys', { maxEntries: 2, maxBytes: 1_000 }],
    ['too many bytes', { maxEntries: 100, maxBytes: 20 }],
  ])('rejects calls with %s until stored replies expire', async (_case, limits) => {
    replies = new MemoryReplies(() => nowMs, limits);
    await ask('a');
    await ask('b');
    expect(shown(await ask('c'))).toBe('SERVICE_UNAVAILABLE');
    expect(shown(await ask('a'))).toBe('{"good":"tea 1"}');
    expect(calls).toBe(2);
    nowMs += 24 * hourMs;
    expect(shown(await ask('c'))).toBe('{"good":"tea 3"}');
    expect(replies.size).toBe(1);
  });
});
