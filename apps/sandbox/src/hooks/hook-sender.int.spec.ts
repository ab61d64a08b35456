import { eventually, ManualClock, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { HookSender } from './hook-sender';

const clock = new ManualClock();
let receiver: HttpServer;
let sender: HookSender;

const senderOf = (timeoutMs: number) => new HookSender({ clock, timeoutMs, firstPauseMs: 10 });

beforeEach(async () => {
  receiver = await startHttpServer(() => ({ status: 200 }));
  sender = senderOf(10_000);
});
afterEach(async () => {
  await sender.stop();
  await receiver.close();
});

const hook = (body: string, url = receiver.url) => ({
  url,
  contentType: 'text/plain',
  body,
  headersAt: (nowMs: number) => ({ 'x-at': String(nowMs) }),
});
const bodies = (): string[] => receiver.requests.map(({ body }) => body);
const until = (check: () => void): Promise<void> => eventually(check);

it('sends webhooks in the order of their due times, and not earlier', async () => {
  const nowMs = clock.now();
  sender.send(hook('late'), nowMs + 60_000);
  for (const body of ['one', 'two', 'three']) sender.send(hook(body));
  await until(() => expect(bodies()).toEqual(['one', 'two', 'three']));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(bodies()).toHaveLength(3);
  clock.advance(60_000);
  await until(() => expect(bodies().at(-1)).toBe('late'));
});

it('retries a rejected webhook with a new timestamp before later webhooks', async () => {
  const statuses = [500, 404];
  receiver.answer = () => {
    clock.advance(1_000);
    return { status: statuses.shift() ?? 204 };
  };
  sender.send(hook('first'));
  sender.send(hook('second'));
  await until(() => expect(sender.counts.delivered).toBe(2));
  expect(bodies()).toEqual(['first', 'first', 'first', 'second']);
  expect(new Set(receiver.requests.map(({ headers }) => headers['x-at'])).size).toBe(4);
});

it('stops after four attempts, also without a response or after a redirect, and continues with the next webhook', async () => {
  receiver.answer = ({ body }) =>
    body === 'silent'
      ? { silent: true }
      : body === 'away'
        ? { status: 302, headers: { location: `${receiver.url}/other` } }
        : { status: 200 };
  sender = senderOf(300);
  // Counts attempts when they start, because some arrive late on a slow machine.
  const attempts: string[] = [];
  const headersOf = (body: string) => () => {
    attempts.push(body);
    return {};
  };
  for (const body of ['silent', 'away', 'well']) sender.send({ ...hook(body), headersAt: headersOf(body) });
  await until(() => expect(sender.counts).toEqual({ delivered: 1, givenUp: 2, dropped: 0 }));
  const failed = [...Array(4).fill('silent'), ...Array(4).fill('away')];
  expect(attempts.filter((body) => body !== 'well')).toEqual(failed);
  expect(new Set(bodies())).toEqual(new Set(['silent', 'away', 'well']));
  expect(receiver.requests.every(({ path }) => path === '/')).toBe(true);
});

it('queues at most a thousand webhooks', async () => {
  const later = clock.now() + 60_000;
  for (let count = 0; count < 1_005; count++) sender.send(hook(String(count)), later);
  expect(sender.counts.dropped).toBe(5);
});

it('sends nothing after a stop, and stops without delay', async () => {
  receiver.answer = () => ({ silent: true });
  sender.send(hook('one'));
  sender.send(hook('two'));
  await until(() => expect(bodies()).toEqual(['one']));
  // If the stop waited for the request, it would take the request's time-out of 10 s.
  const startedMs = performance.now();
  await sender.stop();
  expect(performance.now() - startedMs).toBeLessThan(9_000);
  sender.send(hook('three'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(bodies()).toEqual(['one']);
});
