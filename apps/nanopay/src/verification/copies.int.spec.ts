import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { asset, contract, seller } from '@tollbridge/app-tee/testing';
import {
  base64Json,
  decodeOutcomes,
  encodeFrame,
  paymentBytes,
  type PaymentTerms,
} from '@tollbridge/nanopay-protocol';
import { aChargeItem } from '@tollbridge/nanopay-protocol/testing';
import { LocalProgram } from '@tollbridge/testing';
import {
  authorizationOf,
  NanopayHarness,
  publicUrl,
  requirementsOf,
  signatureOf,
  termsOf,
  url,
} from '../testing/nanopay-harness';

// Only one of a thousand concurrent copies of an authorisation is granted. Two gateways and two sellers, each in its
// own process, use different transports to the ledger service.

// A copy that is decided after the payment has expired would be rejected as expired instead of as a duplicate.
const maxTimeoutS = 590;
const root = resolve(__dirname, '../../../..');
const { origin, pathname } = new URL(url);

let harness: NanopayHarness;
const programs: LocalProgram[] = [];

async function program(args: string[], ready: RegExp, env?: NodeJS.ProcessEnv): Promise<string> {
  const started = await LocalProgram.start(process.execPath, args, ready, { ...process.env, ...env });
  programs.push(started);
  return started.announced;
}

const startGateway = (): Promise<string> =>
  program([join(root, 'apps/gateway/dist/main.js')], /"url":"(http[^"]+)","msg":"listening"/, {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    TOLLBRIDGE_ENV: 'sandbox',
    PORT: '0',
    GATEWAY_NATS_URL: harness.tee.nats.url,
    GATEWAY_REDIS_URL: process.env['TEST_REDIS_URL'],
    GATEWAY_REDIS_TIMEOUT_MS: '5000',
    GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
    GATEWAY_PUBLIC_URL: publicUrl,
    SANDBOX_EXPOSED: 'on',
  });

const startSeller = (way: { natsUrl: string } | { gateway: string }): Promise<string> => {
  // A thousand concurrent copies take seconds on a busy machine. A time-out would be an unknown outcome, which this
  // test does not cover.
  const times = { budgetMs: 40_000, messageTimeoutMs: 20_000, maxTimeoutS };
  const sells = { baseUrl: origin, path: pathname, to: seller, verifyingContract: contract, asset, ...times };
  const file = join(__dirname, '../testing/seller-process.mjs');
  return program([file, JSON.stringify({ ...sells, ...way })], /listening on (\S+)\./);
};

beforeAll(async () => {
  harness = await NanopayHarness.start();
});
afterAll(async () => {
  await Promise.all(programs.map((each) => each.stop('SIGKILL')));
  await harness?.close();
});

/** One payment, in every form that a client can present. */
async function payment() {
  const buyer = await harness.funded(1_000_000n);
  const validBeforeS = BigInt(Math.floor(Date.now() / 1000) + maxTimeoutS);
  const terms: PaymentTerms = termsOf(buyer.address, { validBeforeS });
  const { publicKey } = buyer.key;
  const signature = signatureOf(buyer, terms);
  const authorization = authorizationOf(buyer, terms);
  const signed = { signature: signature.toString('hex') };
  const requirements = requirementsOf({ maxTimeoutSeconds: maxTimeoutS });
  const payload = { authorization: { ...authorization, flags: 1 }, ...signed };
  const paymentPayload = { x402Version: 2, accepted: requirements, resource: { url }, payload };
  return {
    buyer,
    header: base64Json(paymentPayload),
    body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirements }),
    fields: { ...authorization, ...signed, resource: url },
    item: () => aChargeItem({ payment: paymentBytes(terms), signature, publicKey }),
  };
}

type Presented = Awaited<ReturnType<typeof payment>>;

const unknown = 'unknown';

/** Repeats a call while its outcome is unknown, like a client. A busy machine may exceed the time-outs. */
async function knownOutcome(call: () => Promise<string[]>): Promise<string[]> {
  for (let tries = 0; tries < 20; tries++) {
    const outcomes = await call();
    if (!outcomes.includes(unknown)) return outcomes;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The outcome is still unknown.');
}

/** `granted`, or the reason of the rejection. */
const atSeller = (sellerUrl: string, { header }: Presented): Promise<string[]> =>
  knownOutcome(async () => {
    const reply = await fetch(sellerUrl + pathname, { headers: { 'payment-signature': header } });
    const { code } = (await reply.json()) as { code?: string };
    if (reply.status === 503) return [unknown];
    return [reply.status === 200 ? 'granted' : `${reply.status} ${code}`];
  });

function byVerify(gateway: string, { fields }: Presented): Promise<string[]> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  return knownOutcome(async () => {
    const reply = await fetch(`${gateway}/verify`, { method: 'POST', headers, body: JSON.stringify(fields) });
    const { success, error } = (await reply.json()) as { success: boolean; error?: string };
    if (reply.status === 503) return [unknown];
    return [reply.status === 200 && success ? 'granted' : `402 ${error}`];
  });
}

async function settleWithoutKey(gateway: string, { body }: Presented): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${gateway}/settle`, { method: 'POST', headers, body });
  const { success, errorReason } = (await reply.json()) as { success?: boolean; errorReason?: string };
  return success ? 'granted' : `${reply.status} ${errorReason}`;
}

const perFrame = 100;

function byFrame(gateway: string, { item }: Presented): Promise<string[]> {
  const frame = encodeFrame(Array.from({ length: perFrame }, item));
  const headers = { 'content-type': 'application/octet-stream' };
  return knownOutcome(async () => {
    const reply = await fetch(`${gateway}/payments`, {
      method: 'POST',
      headers,
      body: new Uint8Array(frame),
    });
    if (reply.status === 503) return [unknown];
    const outcomes = decodeOutcomes(Buffer.from(await reply.arrayBuffer()))!;
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') return `402 ${outcome.reason}`;
      return outcome.status === 'captured' ? 'granted' : outcome.status;
    });
  });
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const countsOf = (replies: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of replies) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
};

let gateways: string[];
let sellers: string[];
beforeAll(async () => {
  gateways = await Promise.all([startGateway(), startGateway()]);
  sellers = await Promise.all([
    startSeller({ natsUrl: harness.tee.nats.url }),
    startSeller({ gateway: gateways[1]! }),
  ]);
});

it('nanopay grants one of 1,000 copies at two gateways and two sellers and rejects all others as duplicates', async () => {
  const presented = await payment();
  const replies = await Promise.all([
    ...sellers.flatMap((sellerUrl) => times(200, () => atSeller(sellerUrl, presented))),
    ...gateways.flatMap((gateway) => times(200, () => byVerify(gateway, presented))),
    ...gateways.map((gateway) => byFrame(gateway, presented)),
  ]);
  expect(countsOf(replies.flat())).toEqual({ granted: 1, '402 duplicate_settlement': 999 });
  expect(await harness.tee.balanceOf(presented.buyer.address)).toMatchObject({
    spent: '1000',
    reserved: '0',
  });
});

it.each<[string, (settle: () => Promise<string>) => Promise<string>[]]>([
  ['before', (settle) => [settle()]],
  ['while', (settle) => times(20, settle)],
])(
  'two sellers serve a payment once when its buyer settles it without a key %s it is presented',
  async (when, settleBy) => {
    const presented = await payment();
    const settlements = settleBy(() => settleWithoutKey(gateways[0]!, presented));
    if (when === 'before') expect(await Promise.all(settlements)).toEqual(['granted']);
    const served = await Promise.all(
      sellers.flatMap((sellerUrl) => times(50, () => atSeller(sellerUrl, presented))),
    );
    expect(countsOf(served.flat())).toEqual({ granted: 1, '402 duplicate_settlement': 99 });
    const settled = countsOf(await Promise.all(settlements));
    expect(settled['granted'] ?? 0).toBeLessThanOrEqual(1);
    expect(await harness.tee.balanceOf(presented.buyer.address)).toMatchObject({
      spent: '1000',
      reserved: '0',
    });
  },
);
