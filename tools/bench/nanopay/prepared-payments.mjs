// Prepares `ton-nanopay` payments that are signed before the measurement, in the header of an official client.
import { randomBytes, sign } from 'node:crypto';
import { digestOfTerms } from './payment-digest.mjs';
import { paths } from './resource.mjs';

const scheme = 'ton-nanopay';
// All processes use one clock, but seconds are rounded.
const earlierSeconds = 1;

/** Returns the payment requirements of a seller: the decoded header of the 402 reply. */
export async function askTerms(url) {
  const reply = await fetch(url + paths.paid);
  await reply.arrayBuffer();
  if (reply.status !== 402) throw new Error(`${url} required no payment but returned ${reply.status}`);
  return JSON.parse(Buffer.from(reply.headers.get('payment-required'), 'base64').toString());
}

/**
 * Prepares requests for the paid route of `url`, each with a separate payment. The buyers take turns.
 * @param {{ url: string, buyers: ReturnType<typeof import('./buyers.mjs').makeBuyers>, withStateInit?: boolean }}
 * options
 */
export async function prepareNanopayRequests(count, { url, buyers, withStateInit = false }) {
  const { resource, extensions, accepts } = await askTerms(url);
  const accepted = accepts.find((entry) => entry.scheme === scheme);
  if (!accepted) throw new Error(`${url} does not accept ${scheme}`);
  const payTo = accepted.payTo ?? accepted.to;
  const { verifyingContract } = accepted.extra;
  const digestOf = digestOfTerms({
    network: accepted.network,
    asset: accepted.asset,
    payTo,
    verifyingContract,
    method: 'GET',
    url: resource.url,
  });
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const validAfter = String(nowSeconds - earlierSeconds);
  const validBefore = String(nowSeconds - earlierSeconds + accepted.maxTimeoutSeconds);
  const { amount, asset } = accepted;
  const nonces = randomBytes(32 * count).toString('hex');
  return Array.from({ length: count }, (_, index) => {
    const buyer = buyers[index % buyers.length];
    const nonce = nonces.slice(64 * index, 64 * (index + 1));
    const digest = digestOf({ from: buyer.address, amount, validAfter, validBefore, nonce });
    const authorization = {
      from: buyer.address,
      to: payTo,
      amount,
      asset,
      nonce,
      validAfter,
      validBefore,
      flags: 1,
      publicKey: buyer.publicKey,
      ...(withStateInit && { stateInit: buyer.stateInit() }),
    };
    const signature = sign(null, digest, buyer.privateKey).toString('base64');
    const payload = { authorization, signature, signatureKind: 'raw' };
    return paidRequest({ x402Version: 2, payload, resource, accepted, ...(extensions && { extensions }) });
  });
}

/** @param {object} payment a PaymentPayload */
export const paidRequest = (payment) => ({
  path: paths.paid,
  headers: { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') },
});
