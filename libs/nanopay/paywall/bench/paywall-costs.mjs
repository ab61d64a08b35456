// Measures the cost of the paywall alone, without a server. Run it after `npm run build`:
// node libs/nanopay/paywall/bench/paywall-costs.mjs
import { randomBytes } from 'node:crypto';
import nanopay from '@tollbridge/nanopay-protocol';
import paywalls from '@tollbridge/paywall';
import x402 from '@tollbridge/paywall/x402';

const { mainnet, Paywall, usdt } = paywalls;

const deployment = {
  network: mainnet,
  verifyingContract: `0:${'11'.repeat(32)}`,
  asset: usdt,
  teeEndpoint: 'https://pay.example.com',
};
// Captures every payment immediately, so that the work of the ledger service is not measured.
const settled = {
  status: 'captured',
  seq: 1n,
  unixMs: 1n,
  previousHead: Buffer.alloc(32),
  signature: Buffer.alloc(64),
};
const transport = {
  send: async (items) =>
    items.map(({ payment, amountAtomic }) => ({
      ...settled,
      digest: nanopay.digestOf(payment),
      amountAtomic,
    })),
};
const paywall = new Paywall({
  baseUrl: 'https://api.example.com',
  to: `0:${'22'.repeat(32)}`,
  deployment,
  transport,
});
const route = paywall.route({ amount: '1000' });
const ask = (payment, url = '/premium-data') => route.decide({ method: 'GET', url, payment });

const required = JSON.parse(Buffer.from(ask().answer.headers['PAYMENT-REQUIRED'], 'base64'));
const client = new x402.TonNanopayClient({ seed: randomBytes(32) });
async function signed() {
  const [accepted] = required.accepts;
  await client.schemeHooks.onBeforePaymentCreation({
    paymentRequired: required,
    selectedRequirements: accepted,
  });
  const { payload } = await client.createPaymentPayload(2, accepted);
  const document = {
    x402Version: 2,
    accepted,
    payload,
    resource: required.resource,
    extensions: required.extensions,
  };
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

function median(name, count, act) {
  for (let at = 0; at < count / 4; at++) act(at);
  const timesMs = [];
  for (let at = 0; at < count; at++) {
    const startMs = performance.now();
    act(at);
    timesMs.push(performance.now() - startMs);
  }
  timesMs.sort((one, other) => one - other);
  const micros = (share) => (timesMs[Math.floor(count * share)] * 1_000).toFixed(1).padStart(8);
  process.stdout.write(`${name.padEnd(44)}${micros(0.5)} us p50${micros(0.99)} us p99\n`);
}

const malformed = {
  'too long': 'A'.repeat(20_000),
  'no base64': '!'.repeat(1_500),
  'no JSON': Buffer.from('{"x402Version":2,'.repeat(80)).toString('base64'),
  'too deep': Buffer.from('['.repeat(4_000)).toString('base64'),
  'a long text': Buffer.from(`{"a":"${'x'.repeat(8_000)}`).toString('base64'),
  backslashes: Buffer.from(`{"a":"${'\\'.repeat(8_000)}`).toString('base64'),
  'many quotes': Buffer.from(`{"a":"${'\\"'.repeat(4_000)}`).toString('base64'),
  'wide JSON of no payment': Buffer.from(JSON.stringify(Array(2_500).fill(1))).toString('base64'),
};
median('402, a URL known before', 100_000, () => ask());
median('402, a new URL each time', 20_000, (at) => ask(undefined, `/premium-data?at=${at}`));
for (const [name, header] of Object.entries(malformed)) median(`400, ${name}`, 10_000, () => ask(header));

const headers = await Promise.all(Array.from({ length: 20_000 }, signed));
for (const inTurn of [1, 64]) {
  const startMs = performance.now();
  for (let at = 0; at < headers.length; at += inTurn)
    await Promise.all(headers.slice(at, at + inTurn).map((header) => ask(header)));
  const micros = ((performance.now() - startMs) * 1_000) / headers.length;
  process.stdout.write(
    `paid, ${String(inTurn).padEnd(2)} at once${' '.repeat(28)}${micros.toFixed(1).padStart(8)} us each\n`,
  );
}
