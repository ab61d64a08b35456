import {
  providerRates,
  resendKey,
  startMailSimulators,
  type RunningMailSimulators,
} from '@tollbridge/app-sandbox';
import { freshDatabase, startHttpServer, type FreshDatabase } from '@tollbridge/testing';
import { Mailtm } from './disposable/mailtm.adapter';
import { Resend } from './sending/resend.adapter';
import { migrateSandbox } from '@tollbridge/app-sandbox';

let fresh: FreshDatabase;
let simulators: RunningMailSimulators;

beforeAll(async () => {
  fresh = await freshDatabase('sandbox', migrateSandbox);
  simulators = await startMailSimulators(fresh, providerRates);
});
afterAll(async () => {
  await simulators?.close();
  await fresh?.drop();
});

it('keeps the rate limit of mail.tm, also when another process uses it', async () => {
  const options = { baseUrl: simulators.mailtm, requestsPerSecond: 8 };
  const [one, other] = [new Mailtm(options), new Mailtm(options)];
  const ask = (mailtm: Mailtm, count: number) => Array.from({ length: count }, () => mailtm.domains());
  expect((await Promise.all(ask(one, 20))).map((list) => list.length)).toEqual(Array(20).fill(2));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  // The first process uses the whole rate limit, so the first requests of the other process are rejected.
  await Promise.all(ask(one, 8));
  expect((await Promise.all(ask(other, 4))).map((list) => list.length)).toEqual(Array(4).fill(2));
});

it('keeps the rate limit of Resend', async () => {
  const resend = new Resend({ baseUrl: simulators.resend, apiKey: resendKey });
  const mail = { from: 'shop@tollbridge.test', to: 'inbox@tollbridge.test', subject: 'x', text: 'x' };
  const begunMs = performance.now();
  const sent = await Promise.all(Array.from({ length: 12 }, () => resend.send(mail, undefined)));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(12);
  expect(performance.now() - begunMs).toBeGreaterThan(2_000);
});

it('retries after a short retry-after, three times at most', async () => {
  const server = await startHttpServer(() => ({ status: 429, headers: { 'retry-after': '1' } }));
  try {
    const resend = new Resend({ baseUrl: server.url, apiKey: 're_x' });
    const mail = { from: 'a@b.test', to: 'a@b.test', subject: 'x', text: 'x' };
    await expect(resend.send(mail, undefined)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(server.requests).toHaveLength(3);
  } finally {
    await server.close();
  }
});
