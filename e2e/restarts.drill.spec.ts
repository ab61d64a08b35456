import { eventually } from '@tollbridge/testing';
import { JsonRpcProvider, Wallet } from 'ethers';
import { randomUUID } from 'node:crypto';
import { Harness, startTimeoutMs } from './harness';
import { Api } from './http';
import { Payer } from './payer';
import { createOrder, eachReply, post, type RepeatHarness } from './repeat.cases';
import { heldBy, recipient, Treasury } from './services/payout-treasury';
import { Swapper } from './swapper';

// One environment for all cases that kill and restart single processes.
const it = {} as RepeatHarness;
let api: Api;

beforeAll(async () => {
  it.harness = await Harness.start();
  it.gateway = it.harness.gateway;
  api = await Api.at(it.gateway);
  it.payer = await Payer.in(api);
  it.swapper = await Swapper.in(api);
}, startTimeoutMs);

afterAll(async () => {
  it.payer?.close();
  it.swapper?.close();
  await it.harness?.remove();
});

eachReply(
  it,
  'replays a reply in the style %s of %s to %s byte for byte after kill -9 of service and gateway',
  async (first, call, service) => {
    const repeated = { ...first, isReplayed: true };
    await killed(service);
    expect(await eventually(() => post(it, call), { timeoutMs: 10_000 })).toEqual(repeated);
    await killed('gateway');
    expect(await post(it, call)).toEqual(repeated);
  },
);

test('creates one order for 50 concurrent equal calls while processes are killed', async () => {
  const call = { path: createOrder, body: it.payer.terms(), key: randomUUID() };
  const before = await orderIds();
  const texts = new Set<string>();
  const answered = async (): Promise<void> => {
    // Retries an unanswered call with the same key, as a client does.
    for (;;) {
      const reply = await post(it, call).catch(() => undefined);
      if (reply?.status === 200) return void texts.add(reply.text);
      expect([undefined, 409, 503, 504]).toContain(reply?.status);
      await new Promise((wait) => setTimeout(wait, 100));
    }
  };
  const calls = Array.from({ length: 50 }, answered);
  await killed('pay-orders');
  await Promise.all(calls);
  expect(texts.size).toBe(1);
  const { order_id: id } = JSON.parse([...texts][0]!);
  expect((await orderIds()).filter((found) => !before.includes(found))).toEqual([id]);
});

test('pays every recipient of a payout once if the service is killed while it sends', async () => {
  const sandbox = (await api.get('/sandbox')).body;
  const [chain] = sandbox.chains;
  const provider = new JsonRpcProvider(chain.rpcUrl, chain.chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
  });
  const { privateKey } = sandbox.accounts.find(({ role }: any) => role === 'second_payer');
  const treasury = new Treasury({ api, secrets: [] }, new Wallet(privateKey, provider));
  try {
    await treasury.open();
    await treasury.allow();
    const recipients = Array.from({ length: 160 }, () => ({ ...recipient(), amount: 5 }));
    const id = await treasury.submit({ recipients });
    expect((await treasury.approve(id, await treasury.sign(id))).status).toBe(200);
    for (let kills = 0; kills < 2; kills++) {
      await killed('service-api');
      expect((await treasury.read(id)).payoutId).toBe(id);
    }
    await eventually(async () => expect((await treasury.read(id)).state).toBe('completed'), {
      timeoutMs: 120_000,
      everyMs: 250,
    });
    for (const { address } of recipients) expect(await heldBy(sandbox, provider, address)).toBe(5_000_000n);
  } finally {
    provider.destroy();
  }
}, 240_000);

async function orderIds(): Promise<string[]> {
  const { address } = it.payer;
  const reply = await fetch(`${it.gateway}/api/v1/pay/orders?limit=100&payer=${address}`);
  const { orders } = (await reply.json()) as { orders: { order_id: string }[] };
  return orders.map((order) => order.order_id);
}

/** Kills a process, and waits until its replacement runs. */
async function killed(victim: string): Promise<void> {
  const { harness } = it;
  const before = harness.state.pids[victim]!;
  process.kill(before, 'SIGKILL');
  const isBack = async (): Promise<void> => {
    expect(harness.state.pids[victim]).not.toBe(before);
    const { management } = harness.state.urls;
    expect((await fetch(`${management[victim]}/health/ready`)).status).toBe(200);
    expect((await fetch(`${harness.gateway}/health/ready`)).status).toBe(200);
  };
  await eventually(isBack, { timeoutMs: 30_000, everyMs: 50 });
}
