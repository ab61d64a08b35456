import type { DomainError } from '@tollbridge/rpc';
import { BodyRoom, type BodySender } from './body-room';

const anonymous = (name: string): BodySender => ({ name, isAnonymous: true });
const keyed = (name: string): BodySender => ({ name, isAnonymous: false });

/** How many times a sender can take an amount, and by which code it is refused then. */
function fill(room: BodyRoom, senders: Iterable<BodySender>, amount = 1): [number, string] {
  let taken = 0;
  for (const sender of senders) {
    try {
      room.take(sender, amount);
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

it('gives an anonymous address a quarter, and a key half', () => {
  const room = new BodyRoom(100);
  expect(
    fill(
      room,
      endless(() => anonymous('address')),
    ),
  ).toEqual([25, 'RATE_LIMIT_EXCEEDED']);
  expect(
    fill(
      room,
      endless(() => keyed('key')),
    ),
  ).toEqual([50, 'RATE_LIMIT_EXCEEDED']);
  expect(
    fill(
      room,
      endless(() => keyed('other')),
    ),
  ).toEqual([25, 'SERVICE_UNAVAILABLE']);
});

it('leaves half to clients with a key, however many anonymous addresses there are', () => {
  const room = new BodyRoom(100);
  expect(
    fill(
      room,
      endless((at) => anonymous(`address-${at}`)),
    ),
  ).toEqual([50, 'SERVICE_UNAVAILABLE']);
  expect(
    fill(
      room,
      endless((at) => keyed(`key-${at}`)),
    ),
  ).toEqual([50, 'SERVICE_UNAVAILABLE']);
});

it('refuses an amount that does not fit, and takes a smaller one', () => {
  const room = new BodyRoom(100);
  expect(fill(room, [keyed('key')], 50)).toEqual([1, 'OK']);
  expect(fill(room, [keyed('a'), keyed('b')], 30)).toEqual([1, 'SERVICE_UNAVAILABLE']);
  expect(fill(room, [keyed('c')], 20)).toEqual([1, 'OK']);
  expect(room.used).toBe(100);
});

it('gets back what was not needed, and the rest once', () => {
  const room = new BodyRoom(100);
  const taken = room.take(anonymous('address'), 20);
  taken.shrinkTo(5);
  taken.shrinkTo(8);
  expect(room.used).toBe(5);
  room.take(anonymous('address'), 20);
  taken.giveBack();
  taken.shrinkTo(0);
  expect(room.used).toBe(20);
});

it('gets back what was taken, once', () => {
  const room = new BodyRoom(8);
  const taken = room.take(anonymous('address'), 2);
  expect(() => room.take(anonymous('address'), 1)).toThrow();
  taken.giveBack();
  taken.giveBack();
  expect(room.used).toBe(0);
  expect(
    fill(
      room,
      endless(() => anonymous('address')),
    ),
  ).toEqual([2, 'RATE_LIMIT_EXCEEDED']);
});
