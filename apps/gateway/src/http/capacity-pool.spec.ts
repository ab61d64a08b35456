import type { DomainError } from '@tollbridge/rpc';
import { CapacityPool, type BodySender } from './capacity-pool';

const anonymous = (name: string): BodySender => ({ name, isAnonymous: true });
const keyed = (name: string): BodySender => ({ name, isAnonymous: false });

/** The number of successful reservations, and the code of the first rejection. */
function fill(pool: CapacityPool, senders: Iterable<BodySender>, amount = 1): [number, string] {
  let taken = 0;
  for (const sender of senders) {
    try {
      pool.reserve(sender, amount);
      taken++;
    } catch (error) {
      return [taken, (error as DomainError).code];
    }
  }
  return [taken, 'OK'];
}
function* endless(senderAt: (at: number) => BodySender): Generator<BodySender> {
  for (let at = 0; ; at++) yield senderAt(at);
}

it('limits an anonymous address to a quarter, and a merchant to half', () => {
  const pool = new CapacityPool(100);
  expect(
    fill(
      pool,
      endless(() => anonymous('address')),
    ),
  ).toEqual([25, 'RATE_LIMIT_EXCEEDED']);
  expect(
    fill(
      pool,
      endless(() => keyed('key')),
    ),
  ).toEqual([50, 'RATE_LIMIT_EXCEEDED']);
  expect(
    fill(
      pool,
      endless(() => keyed('other')),
    ),
  ).toEqual([25, 'SERVICE_UNAVAILABLE']);
});

it('reserves half for authenticated clients', () => {
  const pool = new CapacityPool(100);
  expect(
    fill(
      pool,
      endless((at) => anonymous(`address-${at}`)),
    ),
  ).toEqual([50, 'SERVICE_UNAVAILABLE']);
  expect(
    fill(
      pool,
      endless((at) => keyed(`key-${at}`)),
    ),
  ).toEqual([50, 'SERVICE_UNAVAILABLE']);
});

it('rejects an amount that does not fit, and accepts a smaller one', () => {
  const pool = new CapacityPool(100);
  expect(fill(pool, [keyed('key')], 50)).toEqual([1, 'OK']);
  expect(fill(pool, [keyed('a'), keyed('b')], 30)).toEqual([1, 'SERVICE_UNAVAILABLE']);
  expect(fill(pool, [keyed('c')], 20)).toEqual([1, 'OK']);
  expect(pool.used).toBe(100);
});

it('releases the unneeded units, and the rest once', () => {
  const pool = new CapacityPool(100);
  const reservation = pool.reserve(anonymous('address'), 20);
  reservation.shrinkTo(5);
  reservation.shrinkTo(8);
  expect(pool.used).toBe(5);
  pool.reserve(anonymous('address'), 20);
  reservation.release();
  reservation.shrinkTo(0);
  expect(pool.used).toBe(20);
});

it('releases a reservation once', () => {
  const pool = new CapacityPool(8);
  const reservation = pool.reserve(anonymous('address'), 2);
  expect(() => pool.reserve(anonymous('address'), 1)).toThrow();
  reservation.release();
  reservation.release();
  expect(pool.used).toBe(0);
  expect(
    fill(
      pool,
      endless(() => anonymous('address')),
    ),
  ).toEqual([2, 'RATE_LIMIT_EXCEEDED']);
});
