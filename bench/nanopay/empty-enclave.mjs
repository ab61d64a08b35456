// An enclave without a ledger and a record: what a guard and the bus could do at most, whatever stands behind them.
import { createRequire } from 'node:module';
import { connect } from 'nats';
import { connectOptions } from '../nats-options.mjs';

const load = createRequire(import.meta.url);
const { decodeFrame, digestOf, encodeOutcomes, paymentsSubject, receiptDigest } = load('@tollbridge/nanopay');
const { checkOne } = load('../../apps/tee/dist/verification/check-one.js');
const { EnclaveKey } = load('../../apps/tee/dist/enclave/enclave-key.js');

const { natsUrl, hasSignatures } = JSON.parse(process.argv[2]);
const key = new EnclaveKey(Buffer.alloc(32, 1));
const [previousHead, unsigned] = [Buffer.alloc(32), Buffer.alloc(64)];
let payments = 0;

function outcomeOf({ payment, publicKey, signature, amountAtomic }) {
  const digest = digestOf(payment);
  const place = { seq: BigInt(++payments), unixMs: BigInt(Date.now()), previousHead };
  const settled = { status: 'captured', digest, amountAtomic, ...place };
  if (!hasSignatures) return { ...settled, signature: unsigned };
  if (checkOne(Buffer.concat([digest, publicKey, signature]), false) !== 1) throw new Error('wrongly signed');
  return {
    ...settled,
    signature: key.sign(receiptDigest({ type: 'charge', digest, amountAtomic, ...place })),
  };
}

const connection = await connect(connectOptions(natsUrl));
connection.subscribe(paymentsSubject, {
  callback: (_error, message) => message.respond(encodeOutcomes(decodeFrame(message.data).map(outcomeOf))),
});
await connection.flush();
process.on('message', () => process.send({ payments }));
for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());
process.send({});
