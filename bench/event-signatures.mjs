// What signing and verifying an event costs, by the scheme in use and by Ed25519: node bench/event-signatures.mjs
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { developmentIdentity } = require('@tollbridge/rpc');

const times = 20_000;
const rounds = 5;
const body = Buffer.from(JSON.stringify({ id: 'x'.repeat(36), data: 'x'.repeat(1_150) }));
const event = { subject: 'events.pay-orders.order-settled.v1', fields: '', body };

/** Microseconds of processor time of one call, the least of several rounds. */
function cost(work) {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at++) work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / times);
  }
  return Number(least.toFixed(1));
}

const publisher = developmentIdentity('pay-orders');
const receiver = developmentIdentity('merchant');
const signature = publisher.signEvent('merchant', event);
if (receiver.rejectionOf(signature, 'pay-orders', event) !== undefined) throw new Error('not verified');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signed = sign(null, body, privateKey);

console.log(
  JSON.stringify({
    hmacSignUs: cost(() => publisher.signEvent('merchant', event)),
    hmacVerifyUs: cost(() => receiver.rejectionOf(signature, 'pay-orders', event)),
    ed25519SignUs: cost(() => sign(null, body, privateKey)),
    ed25519VerifyUs: cost(() => verify(null, body, publicKey, signed)),
  }),
);
