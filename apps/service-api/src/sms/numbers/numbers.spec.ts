import { ProviderError } from '@tollbridge/http';
import { Activations } from './activations';
import { awaitCode } from './await-code';
import { phoneOf, textOf } from './checked-json';
import { NumberKind } from './number-kinds';
import { priceText } from './price';
import { receivedCode } from './received-code';
import { sameMoment } from './same-moment';
import type { ActivationState } from './virtual-numbers';

it.each<[unknown, string | undefined]>([
  [0.55, '0.55'],
  ['12.50', '12.5'],
  [10, '10'],
  [0, '0'],
  [1e-7, '0.000001'],
  ['0.1234561', '0.123457'],
  [-1, undefined],
  [NaN, undefined],
  ['1e3', undefined],
  [null, undefined],
])('priceText reads %j as %s', (given, price) => {
  expect(priceText(given)).toBe(price);
});

it.each<[unknown, unknown, string | undefined]>([
  ['1234', undefined, '1234'],
  [['9', '482913'], ['old', 'Your code is 482913'], '482913'],
  [482913, undefined, '482913'],
  [null, 'Telegram code 77120', '77120'],
  ['', '', undefined],
  [null, null, undefined],
  [{}, [], undefined],
  ['hello there', undefined, 'hello there'],
])('receivedCode reads %j and %j as %j', (code, text, expected) => {
  expect(receivedCode(code, text)).toBe(expected);
});

it('receivedCode returns printable text of limited length', () => {
  expect(receivedCode('a b'.repeat(10_000))!.length).toBeLessThanOrEqual(1_600);
  expect(receivedCode('no\u0000pe \ud800')).toMatch(/^no pe$/);
});

describe('sameMoment', () => {
  const asked = Date.UTC(2026, 10, 22, 1, 0, 0);
  const [second, hour] = [1_000, 3_600_000];
  it.each([
    [0, true],
    [30 * second, true],
    [3 * hour + 5 * second, true],
    [-5.5 * hour + 5 * second, true],
    [-30 * second, true],
    [129 * second, true],
    [140 * second, false],
    [3 * hour + 8 * 60 * second, false],
    [-70 * second, false],
    [NaN, false],
  ])('accepts a difference of %s ms: %s', (awayMs, can) => {
    expect(sameMoment(asked + awayMs, asked)).toBe(can);
  });
});

it.each<[unknown, string | undefined]>([
  ['447400123456', '+447400123456'],
  ['+447400123456', '+447400123456'],
  [447400123456, '+447400123456'],
  ['44 7400', undefined],
  ['', undefined],
  [null, undefined],
])('phoneOf reads %j as %s', (given, phone) => expect(phoneOf(given)).toBe(phone));

it('textOf accepts only short plain ids', () => {
  expect([textOf(12), textOf('ab-1'), textOf('a/b'), textOf('x'.repeat(65)), textOf({})]).toEqual([
    '12',
    'ab-1',
    undefined,
    undefined,
    undefined,
  ]);
});

it('NumberKind does not assign the number of a concurrent purchase', async () => {
  const listed = { activationId: '7', number: '+447400123456', service: 'tg', country: 'GB', rentedAtMs: 0 };
  const activations = { all: async () => [{ ...listed, state: { status: 'waiting' } }] };
  // The client stores it between the two queries, in either order.
  let asked = 0;
  const repository = {
    ownedIds: async () => new Set(asked++ > 0 ? ['7'] : []),
    countUnknown: async () => (asked++ > 0 ? 0 : 1),
  };
  const kind = new NumberKind({} as never, activations as never, repository as never, { now: () => 0 });
  const known = { provider: null, providerId: null, askedAtMs: 0 };
  expect(await kind.find('p-1', { service: 'tg', country: 'GB' }, known)).toBeUndefined();
});

it('Activations rejects a call immediately when the queue is too long', async () => {
  const numbers = { active: async () => undefined, state: async () => ({ status: 'waiting' }) };
  const activations = new Activations(numbers as never, 60_000);
  const gone = new AbortController();
  const asks = Array.from({ length: 1_000 }, () => activations.state('1', gone.signal));
  const outcomes = asks.map((ask) => ask.then(String, (error: unknown) => error instanceof ProviderError));
  await new Promise((resolve) => setTimeout(resolve, 50));
  gone.abort();
  // One turn every 50 ms: about 300 in 15 s.
  const isRejected = await Promise.all(outcomes);
  expect(isRejected.filter((it) => it === true).length).toBeGreaterThan(600);
});

describe('awaitCode', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const pause = (_id: string, ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it.each([
    [597, { status: 'received', code: '482913' }],
    [601, { status: 'nothing' }],
  ])('waits 600 seconds for a code that arrives after %d seconds', async (seconds, expected) => {
    const startedMs = performance.now();
    const state = async (): Promise<ActivationState> =>
      performance.now() - startedMs < seconds * 1_000
        ? { status: 'waiting' }
        : { status: 'received', code: '482913' };
    const { signal } = new AbortController();
    const awaited = awaitCode({ state }, '7', {
      untilMs: startedMs + 600_000,
      pollEveryMs: 3_000,
      signal,
      arrivals: { pause },
    });
    await jest.advanceTimersByTimeAsync(605_000);
    expect(await awaited).toEqual(expected);
  });
});
