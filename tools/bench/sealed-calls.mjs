// Measures the cost of encrypting the bodies of a call and of its reply, whole and field by field: node
// tools/bench/sealed-calls.mjs
import { createRequire } from 'node:module';
import { processorCost } from './processor-cost.mjs';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { developmentIdentity } = require('@tollbridge/rpc');

const gateway = developmentIdentity('gateway');
const serviceApi = developmentIdentity('service-api');
const context = {
  subject: 'op.service-api.cards.get-card',
  reply: '_INBOX.gateway.kJ2b0qZ8hY4tG6sW1x5aPq.4711',
};

/** Returns the microseconds to seal and to open a body of the given length. @param {number} length */
function costOf(length) {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(length - 11) }));
  const sealed = gateway.seal('sealed-call', 'service-api', context, body);
  return {
    bytes: body.length,
    sealUs: processorCost(() => gateway.seal('sealed-call', 'service-api', context, body)),
    openUs: processorCost(() => serviceApi.open('sealed-call', 'gateway', context, sealed)),
  };
}

/** Returns the time to parse and to write a body, which field encryption adds on both sides. @param {number} length */
function jsonCostOf(length) {
  const fields = Array.from({ length: length / 50 }, (_, at) => [`field${at}`, 'x'.repeat(34)]);
  const json = JSON.stringify(Object.fromEntries(fields));
  return { bytes: json.length, parseAndWriteUs: processorCost(() => JSON.stringify(JSON.parse(json))) };
}

for (const length of [100, 1_000, 10_000]) console.log(JSON.stringify(costOf(length)));
for (const length of [1_000, 10_000]) console.log(JSON.stringify(jsonCostOf(length)));
