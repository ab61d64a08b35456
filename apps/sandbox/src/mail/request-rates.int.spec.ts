import { AgentMailClient } from 'agentmail';
import Mailjs from '@cemalgnlts/mailjs';
import { eventually, ManualClock } from '@tollbridge/testing';
import { Resend } from 'resend';
import { agentmailKey } from '../agentmail/agentmail.simulator';
import { resendKey } from '../resend/resend.simulator';
import { providerRates, RequestRate } from '../simulators/request-rate';
import { startMailHarness, type MailHarness } from '../testing/mail-harness';

let harness: MailHarness;
const clock = new ManualClock();

beforeAll(async () => {
  harness = await startMailHarness({ ...providerRates, agentmail: 3 }, clock);
});
afterAll(() => harness?.close());

/** Advances the clock until the earlier requests do not count any more. */
const rest = (): void => clock.advance(1_000);
const atOnce = <T>(count: number, ask: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, ask));
beforeEach(rest);

it('limits mail.tm to eight requests a second with 429, and the SDK retries', async () => {
  const replies = await atOnce(12, () => fetch(`${harness.mailtm}/domains`));
  const rejected = replies.filter(({ status }) => status === 429);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(8);
  expect(rejected).toHaveLength(4);
  expect(rejected[0]!.headers.get('retry-after')).toBe('1');
  const mailjs: Mailjs = Object.assign(new Mailjs(), { baseUrl: harness.mailtm } as object);
  const before = harness.requests();
  const listed = mailjs.getDomains();
  // A request is counted and limited in the same turn of the event loop.
  await eventually(() => expect(harness.requests()).toBe(before + 1));
  rest();
  expect((await listed).data).toHaveLength(2);
  expect(harness.requests()).toBe(before + 2);
});

it('limits Resend to five requests a second with headers, and the SDK reports rate_limit_exceeded', async () => {
  const resend = new Resend(resendKey, { baseUrl: harness.resend });
  const id = '6b2f1f0a-0b5e-4f0a-9d0a-0b7c6a3a2d11';
  const replies = await atOnce(7, () => resend.emails.get(id));
  const names = replies.map(({ error }) => error?.name).sort();
  expect(names).toEqual([...Array(5).fill('not_found'), 'rate_limit_exceeded', 'rate_limit_exceeded']);
  rest();
  const headers = { authorization: `Bearer ${resendKey}`, 'user-agent': 'test' };
  const reply = await fetch(`${harness.resend}/emails/${id}`, { headers });
  const limits = ['limit', 'remaining', 'reset'].map((name) => reply.headers.get(`ratelimit-${name}`));
  expect(limits).toEqual(['5', '4', '1']);
});

it('limits AgentMail when a rate is set, and the SDK reports 429', async () => {
  const client = new AgentMailClient({ apiKey: agentmailKey, baseUrl: harness.agentmail, maxRetries: 0 });
  const list = () =>
    client.inboxes.list().then(
      () => 200,
      (error: unknown) => (error as { statusCode: number }).statusCode,
    );
  expect((await atOnce(4, list)).sort()).toEqual([200, 200, 200, 429]);
});

it('counts the accepted requests of the last second per caller', () => {
  const clock = new ManualClock(0);
  const rate = new RequestRate(clock, 2);
  const allowed = (caller: string) => rate.take(caller)!.isAllowed;
  expect([allowed('a'), allowed('a'), allowed('a'), allowed('b')]).toEqual([true, true, false, true]);
  clock.advance(999);
  expect(rate.take('a')).toEqual({ isAllowed: false, limit: 2, remaining: 0, resetMs: 1 });
  clock.advance(1);
  expect([allowed('a'), allowed('a'), allowed('a')]).toEqual([true, true, false]);
  expect(new RequestRate(clock, undefined).take('a')).toBeUndefined();
});
