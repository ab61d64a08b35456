import { ManualClock } from '@tollbridge/testing';
import { isHeld, Prices, type Price, type PricedToken, type PriceSource } from '.';

const usdc: PricedToken = { chain: 'eip155:8453', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };
const ether: PricedToken = { chain: 'eip155:8453', address: null };
const bitcoin: PricedToken = { chain: 'btc', address: null };
const minuteMs = 60_000;

type Found = { token: PricedToken; price: Price }[];

/** A source that replies when the test requests it. */
class ScriptedSource implements PriceSource {
  asked: { tokens: readonly PricedToken[]; answer(found: Found): void; fail(): void }[] = [];
  constructor(readonly name: string) {}

  read(tokens: readonly PricedToken[]): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.asked.push({ tokens, answer: resolve, fail: () => reject(new Error(`${this.name} is down`)) });
    });
  }
}

let clock: ManualClock;
let first: ScriptedSource;
let second: ScriptedSource;
let failures: string[];
let prices: Prices;

beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 10, 20));
  first = new ScriptedSource('first');
  second = new ScriptedSource('second');
  failures = [];
  prices = new Prices({
    sources: [first, second],
    tokens: [usdc, ether, bitcoin],
    now: () => clock.now(),
    onFailure: (source) => failures.push(source),
  });
});

const priced = (token: PricedToken, usd: string, ageMs = 0) => ({
  token,
  price: { usd, atMs: clock.now() - ageMs },
});
const settled = () => new Promise((resolve) => setImmediate(resolve));
const all = () => [priced(usdc, '1'), priced(ether, '3000'), priced(bitcoin, '96500')];

/** Runs one read with these replies of both sources. */
async function read(ofFirst: Found, ofSecond: Found = []): Promise<void> {
  const done = prices.refresh();
  first.asked.at(-1)!.answer(ofFirst);
  await settled();
  second.asked.at(-1)?.answer(ofSecond);
  await done;
}

it('returns immediately and reads prices for the next caller', async () => {
  expect(prices.of(usdc)).toBeUndefined();
  expect(first.asked).toHaveLength(1);
  first.asked[0]!.answer(all());
  await settled();
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
  expect(prices.of(bitcoin)).toMatchObject({ usd: '96500' });
});

it('reads once for a thousand callers, and again only after 30 seconds', async () => {
  for (let caller = 0; caller < 1_000; caller += 1) prices.of(usdc);
  const refreshed = Promise.all(Array.from({ length: 1_000 }, () => prices.refresh()));
  expect(first.asked).toHaveLength(1);
  first.asked[0]!.answer(all());
  await refreshed;
  clock.advance(29_999);
  prices.of(usdc);
  expect(first.asked).toHaveLength(1);
  clock.advance(1);
  for (let caller = 0; caller < 1_000; caller += 1) prices.of(usdc);
  expect(first.asked).toHaveLength(2);
});

it('reads only missing tokens from the second source', async () => {
  await read([priced(usdc, '1')], [priced(ether, '3000')]);
  expect(second.asked.map(({ tokens }) => tokens)).toEqual([[ether, bitcoin]]);
  expect(prices.of(ether)).toMatchObject({ usd: '3000' });
  expect(prices.of(bitcoin)).toBeUndefined();
  await read(all());
  expect(second.asked).toHaveLength(1);
});

it('does not replace a price of the first source by one of the second', async () => {
  await read([priced(usdc, '1')], [priced(usdc, '5'), priced(ether, '3000')]);
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
});

it('reads the second source for all tokens when the first is down, and reports it', async () => {
  const done = prices.refresh();
  first.asked[0]!.fail();
  await settled();
  expect(second.asked[0]!.tokens).toEqual([usdc, ether, bitcoin]);
  second.asked[0]!.answer(all());
  await done;
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
  expect(failures).toEqual(['first']);
});

it('retries 2 seconds after a source failed', async () => {
  const done = prices.refresh();
  first.asked[0]!.fail();
  await settled();
  second.asked[0]!.answer([]);
  await done;
  clock.advance(1_999);
  prices.of(usdc);
  expect(first.asked).toHaveLength(1);
  clock.advance(1);
  prices.of(usdc);
  expect(first.asked).toHaveLength(2);
});

it('keeps the last prices while all sources are down, until they are too old', async () => {
  await read(all());
  clock.advance(minuteMs);
  const done = prices.refresh();
  first.asked.at(-1)!.fail();
  await settled();
  second.asked.at(-1)!.fail();
  await expect(done).resolves.toBeUndefined();
  expect(failures).toEqual(['first', 'second']);
  clock.advance(9 * minuteMs);
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
  clock.advance(1);
  expect(prices.of(usdc)).toBeUndefined();
});

it.each([
  ['returns a price that is 10 minutes old', 10 * minuteMs, '1'],
  ['returns no price that is 10 minutes and a millisecond old', 10 * minuteMs + 1, undefined],
])('%s', async (_case, ageMs, usd) => {
  await read([priced(usdc, '1', ageMs)]);
  expect(prices.of(usdc)?.usd).toBe(usd);
});

it('reads tokens from the second source if the first returns an outdated price', async () => {
  await read([priced(usdc, '1', 11 * minuteMs)], [priced(usdc, '0.99')]);
  expect(second.asked[0]!.tokens).toEqual([usdc, ether, bitcoin]);
  expect(prices.of(usdc)).toMatchObject({ usd: '0.99' });
});

it.each([
  ['a year ahead', 365 * 24 * 60 * minuteMs],
  ['without end', Infinity],
])('expires a price from a clock that is %s', async (_case, aheadMs) => {
  await read([priced(usdc, '1', -aheadMs)]);
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
  clock.advance(10 * minuteMs + 1);
  expect(prices.of(usdc)).toBeUndefined();
});

it('ignores a price without a time', async () => {
  await read([{ token: usdc, price: { usd: '1', atMs: NaN } }]);
  expect(prices.of(usdc)).toBeUndefined();
});

it('finds a token by its address in any letter case', async () => {
  await read([priced({ ...usdc, address: usdc.address!.toLowerCase() }, '1')]);
  expect(prices.of(usdc)).toMatchObject({ usd: '1' });
  expect(prices.of({ ...usdc, address: usdc.address!.toLowerCase() })).toMatchObject({ usd: '1' });
});

it('returns no price without sources', async () => {
  const none = new Prices({ sources: [], tokens: [usdc], now: () => clock.now() });
  await none.refresh();
  expect(none.of(usdc)).toBeUndefined();
});

describe('a price that moves above the bound', () => {
  const bounded = () =>
    (prices = new Prices({
      sources: [first, second],
      tokens: [usdc, ether, bitcoin],
      maxMoveBps: 1_000,
      now: () => clock.now(),
      onFailure: (source) => failures.push(source),
    }));
  const others = () => [priced(usdc, '1'), priced(bitcoin, '96500')];
  const readEther = (usd: string, ofSecond: Found = []) => read([...others(), priced(ether, usd)], ofSecond);

  beforeEach(async () => {
    bounded();
    await readEther('3000');
    clock.advance(minuteMs);
  });

  it('stays held until the second source confirms it', async () => {
    await readEther('3301');
    expect(second.asked.at(-1)!.tokens).toEqual([ether]);
    expect(prices.of(ether)).toMatchObject({ usd: '3301', source: 'first', agreed: { usd: '3000' } });
    expect(isHeld(prices.of(ether)!)).toBe(true);
    expect(isHeld(prices.of(bitcoin)!)).toBe(false);
    await readEther('3320', [priced(ether, '3310')]);
    expect(prices.of(ether)).toMatchObject({ usd: '3320', agreed: { usd: '3320' } });
  });

  it('stays held when the second source contradicts it or is down', async () => {
    await readEther('3400', [priced(ether, '3000')]);
    expect(isHeld(prices.of(ether)!)).toBe(true);
    clock.advance(minuteMs);
    const done = prices.refresh();
    first.asked.at(-1)!.answer([...others(), priced(ether, '3400')]);
    await settled();
    second.asked.at(-1)!.fail();
    await done;
    expect(isHeld(prices.of(ether)!)).toBe(true);
    expect(failures).toEqual(['second']);
  });

  it('becomes agreed again when it returns to the bound', async () => {
    await readEther('2600');
    expect(isHeld(prices.of(ether)!)).toBe(true);
    await readEther('2700');
    expect(prices.of(ether)).toMatchObject({ usd: '2700', agreed: { usd: '2700' } });
  });

  it('becomes agreed after a day without prices', async () => {
    clock.advance(24 * 60 * minuteMs);
    await readEther('6000');
    expect(isHeld(prices.of(ether)!)).toBe(false);
  });
});
