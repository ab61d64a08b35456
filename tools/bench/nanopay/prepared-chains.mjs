// Prepares payments with hash-chain links, in the header that a buyer sends.
import { randomBytes, sign } from 'node:crypto';
import { addressBytes, linkNonce, scopeBytes, sha256 } from './payment-digest.mjs';
import { askTerms, paidRequest } from './prepared-payments.mjs';

// The links of one chain must arrive in order, so there are more chains than requests in progress.
const chainCount = 256;
const grantType = 0x03;
const flag = 0b1000;
const lifeSeconds = 3_600;

/**
 * Prepares requests for the paid route of `url`, each with a link of the next chain. The chains are new each time,
 * because it is unknown which links of earlier chains were sent.
 */
export async function prepareChainRequests(count, { url, buyers }) {
  const { resource, accepts } = await askTerms(url);
  const accepted = accepts.find(({ scheme }) => scheme === 'ton-nanopay');
  const length = Math.ceil(count / chainCount);
  const chains = buyers.slice(0, chainCount).map((buyer) => makeChain(buyer, accepted, length));
  return Array.from({ length: count }, (_, index) => {
    const payload = chains[index % chainCount](Math.floor(index / chainCount) + 1);
    return paidRequest({ x402Version: 2, payload, resource, accepted });
  });
}

/** Returns the payload of each link of a new chain. */
function makeChain(buyer, accepted, length) {
  const { amount, asset, payTo, maxTimeoutSeconds } = accepted;
  const links = [randomBytes(32)];
  while (links.length <= length) links.push(sha256(links.at(-1)));
  links.reverse();
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const [validAfter, nonce] = [nowSeconds - 1, randomBytes(32)];
  const tail = Buffer.alloc(16 + 4);
  tail.writeBigUInt64BE(BigInt(amount), 8);
  tail.writeUInt32BE(length, 16);
  const times = Buffer.alloc(16);
  times.writeBigUInt64BE(BigInt(validAfter), 0);
  times.writeBigUInt64BE(BigInt(validAfter + lifeSeconds), 8);
  const head = scopeBytes({ ...accepted, verifyingContract: accepted.extra.verifyingContract }, grantType, 0);
  addressBytes(buyer.address).copy(head, 94);
  const grant = sha256(Buffer.concat([head, addressBytes(payTo), tail, links[0], times, nonce]));
  const signature = sign(null, grant, buyer.privateKey).toString('base64');
  const chain = {
    unit: amount,
    length: String(length),
    anchor: links[0].toString('hex'),
    nonce: nonce.toString('hex'),
    validAfter: String(validAfter),
    validBefore: String(validAfter + lifeSeconds),
  };
  const authorization = {
    from: buyer.address,
    to: payTo,
    amount,
    asset,
    flags: flag,
    publicKey: buyer.publicKey,
    validAfter: String(validAfter),
    validBefore: String(validAfter + maxTimeoutSeconds),
  };
  return (index) => ({
    authorization: {
      ...authorization,
      nonce: linkNonce(grant, index).toString('hex'),
      chain: { ...chain, index: String(index), link: links[index].toString('hex') },
    },
    signature,
    signatureKind: 'raw',
  });
}
