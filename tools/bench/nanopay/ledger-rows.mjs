// The payment ledger alone: frames of payments on the bus, each verified, decided and durable before its reply.
import { randomBytes, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { connect, createInbox } from 'nats';
import { connectOptions } from '../nats-options.mjs';
import { measure } from '../measure.mjs';
import { deployment, joinLedger } from './our-seller.mjs';
import { priceAtomic } from './resource.mjs';

const load = createRequire(import.meta.url);
const perFrame = 128;
const likelyPerSecond = 12_000;

export const ledgerRow = 'enclave: verified and durable';

/** @param {ReturnType<typeof import('./buyers.mjs').makeBuyers>} buyers */
export const ledgerRows = (buyers, atEnd) => [
  {
    name: ledgerRow,
    of: ['raw Ed25519 verify, 2 threads'],
    // Number of payments in progress, in frames.
    loads: [{ inFlight: 8 * perFrame }],
    start: () => startRow(buyers, atEnd),
  },
];

async function startRow(buyers, atEnd) {
  const { natsUrl, leave } = await joinLedger(buyers);
  const connection = await connect(connectOptions(natsUrl));
  atEnd(async () => {
    await connection.close();
    await leave();
  });
  const { decodeOutcomes, paymentsSubject } = load('@tollbridge/nanopay-protocol');
  // The ledger service replies only to inboxes that contain its name.
  const toInbox = () => ({ timeout: 30_000, noMux: true, reply: createInbox('_INBOX.operator.tee') });
  return async ({ inFlight }, seconds) => {
    const frames = framesOf(Math.ceil((likelyPerSecond * seconds) / perFrame), buyers);
    const send = () => {
      const frame = frames.pop();
      return frame && connection.request(paymentsSubject, frame, toInbox()).then(demandCaptured);
    };
    const demandCaptured = ({ data }) => {
      const notCharged = decodeOutcomes(data).find(({ status }) => status !== 'captured');
      if (notCharged) throw new Error(`not charged: ${notCharged.status} ${notCharged.reason ?? ''}`);
    };
    const result = await measure(send, inFlight / perFrame, seconds);
    return { ...result, rate: result.rate * perFrame };
  };
}

/** Returns frames of payments that are signed before the measurement. */
function framesOf(count, buyers) {
  const { encodeFrame, paymentBytes, digestOf } = load('@tollbridge/nanopay-protocol');
  const { verifyingContract, asset } = deployment;
  // Another seller than in the other rows, because those rows count its payments.
  const to = `0:${'55'.repeat(32)}`;
  const nowS = BigInt(Math.floor(Date.now() / 1000));
  const item = (index) => {
    const buyer = buyers[index % buyers.length];
    const payment = paymentBytes({
      flags: 1,
      networkId: -239,
      verifyingContract,
      asset,
      from: buyer.address,
      to,
      amountAtomic: BigInt(priceAtomic),
      validAfterS: nowS - 1n,
      validBeforeS: nowS + 299n,
      nonce: randomBytes(32),
      resourceHash: Buffer.alloc(32, 1),
    });
    const signature = sign(null, digestOf(payment), buyer.privateKey);
    const terms = { kind: 'charge', callKey: randomBytes(16), amountAtomic: BigInt(priceAtomic), holdS: 1 };
    return { ...terms, payment, signature, publicKey: Buffer.from(buyer.publicKey, 'hex') };
  };
  return Array.from({ length: count }, (_, frame) =>
    encodeFrame(Array.from({ length: perFrame }, (_none, index) => item(frame * perFrame + index))),
  );
}
