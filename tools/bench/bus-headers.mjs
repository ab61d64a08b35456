// Measures the cost of a call's headers, with `nats` and with nats-headers.ts: node tools/bench/bus-headers.mjs
import { createRequire } from 'node:module';
import { processorCost } from './processor-cost.mjs';

const require = createRequire(import.meta.url);
const { headers: newHeaders, MsgHdrsImpl } = require('nats');

const fields = {
  'x-request-id': 'req_f03b44693b45dee387aab5b4',
  traceparent: '00-a8dd76ccc25e8a7b6ee017ce99c93c37-3fe7b2729cf79f05-00',
  'tb-principal': 'key:0192f000-0000-7000-8000-000000000001',
  'tb-caller': '127.0.0.1',
  'tb-signature': 'v1.gateway.abcdefgh.abcdefgh.m1k2n3o4p.abcdefghijklmnopqrstuv',
};
const write = () => {
  const headers = newHeaders();
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  return headers.encode();
};
const bytes = write();
const read = () => {
  const headers = MsgHdrsImpl.decode(bytes);
  return Object.keys(fields).every((name) => headers.get(name) !== '');
};
const costs = () => ({ writeUs: processorCost(write), readUs: processorCost(read) });

const published = costs();
require('reflect-metadata');
require('@tollbridge/rpc');
console.log(JSON.stringify({ published, now: costs() }));
