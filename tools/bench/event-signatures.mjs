// Measures the cost of signing and verifying an event, with the current scheme and with Ed25519: node
// tools/bench/event-signatures.mjs
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { processorCost } from './processor-cost.mjs';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { developmentIdentity } = require('@tollbridge/rpc');

const body = Buffer.from(JSON.stringify({ id: 'x'.repeat(36), data: 'x'.repeat(1_150) }));
const event = { subject: 'events.pay-orders.order-settled.v1', fields: '', body };

const publisher = developmentIdentity('pay-orders');
const receiver = developmentIdentity('merchant');
const signature = publisher.signEvent('merchant', event);
if (receiver.rejectionOf(signature, 'pay-orders', event) !== undefined) throw new Error('not verified');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signed = sign(null, body, privateKey);

console.log(
  JSON.stringify({
    hmacSignUs: processorCost(() => publisher.signEvent('merchant', event)),
    hmacVerifyUs: processorCost(() => receiver.rejectionOf(signature, 'pay-orders', event)),
    ed25519SignUs: processorCost(() => sign(null, body, privateKey)),
    ed25519VerifyUs: processorCost(() => verify(null, body, publicKey, signed)),
  }),
);
