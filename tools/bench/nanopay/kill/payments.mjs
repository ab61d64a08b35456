// Payments that buyers have signed, in the formats of paywalls and facilitators.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { maxTimeoutSeconds, paths, priceAtomic } from '../resource.mjs';
import { asset, contract, seller } from './deployment.mjs';

const load = createRequire(import.meta.url);
const { base64Json, confirmationIdOf, digestOf, paymentBytes, resourceHash, signingKey, w5Account } = load(
  '@tollbridge/nanopay-protocol',
);

const resourceUrl = `https://api.example.com${paths.paid}`;
const network = 'tvm:-239';

export function makeBuyer() {
  const key = signingKey(randomBytes(32));
  return { key, address: w5Account(key.publicKey) };
}

export function signedPayment({ key, address }) {
  const nowS = BigInt(Math.floor(Date.now() / 1000));
  const terms = {
    flags: 1,
    networkId: -239,
    verifyingContract: contract,
    asset,
    from: address,
    to: seller,
    amountAtomic: BigInt(priceAtomic),
    validAfterS: nowS - 5n,
    nonce: randomBytes(32),
    validBeforeS: nowS + BigInt(maxTimeoutSeconds) - 10n,
    resourceHash: resourceHash('GET', resourceUrl),
  };
  const digest = digestOf(paymentBytes(terms));
  const authorization = {
    from: address,
    to: seller,
    amount: priceAtomic,
    asset,
    nonce: terms.nonce.toString('hex'),
    flags: 1,
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    publicKey: key.publicKey.toString('hex'),
  };
  const signature = key.sign(digest).toString('hex');
  return { digest, confirmationId: confirmationIdOf(digest), authorization, signature };
}

const accepted = {
  scheme: 'ton-nanopay',
  network,
  amount: priceAtomic,
  asset,
  payTo: seller,
  maxTimeoutSeconds,
  extra: { verifyingContract: contract },
};

/** Returns the request to a facilitator. */
export const facilitationOf = ({ authorization, signature }) => ({
  x402Version: 2,
  paymentPayload: {
    x402Version: 2,
    accepted,
    resource: { url: resourceUrl },
    payload: { authorization, signature },
  },
  paymentRequirements: accepted,
});

/** Returns the value of the header `Payment-Signature`. */
export const headerOf = (payment) => base64Json(facilitationOf(payment).paymentPayload);

/** Returns the fields of a single authorization. */
export const fieldsOf = ({ authorization, signature }) => ({
  ...authorization,
  signature,
  resource: resourceUrl,
  verifyingContract: contract,
  network,
});
