// Opens channels, and prepares requests that reveal their links, in the header that a buyer sends.
import { createHash, randomBytes, sign } from 'node:crypto';
import { Connections } from '../http-load.mjs';
import { addressBytes, channelHash, scopeBytes, sha256 } from './payment-digest.mjs';
import { askTerms, paidRequest } from './prepared-payments.mjs';
import { paths } from './resource.mjs';

const paymentType = 0x01;
const flags = 0b10010;
const lifeSeconds = 3_600;
const openInFlight = 32;

/**
 * Prepares requests for the paid route of `url`, in turn for each channel. Each buyer has one channel. The channels are
 * new each time, because it is unknown which links of earlier channels were sent.
 * @param {() => void} onOpened called for each channel when its first link is paid
 */
export async function prepareChannelRequests(count, { url, buyers }, onOpened) {
  const { resource, accepts } = await askTerms(url);
  const accepted = accepts.find(({ extra }) => extra?.channel);
  if (!accepted) throw new Error(`${url} does not offer channels`);
  const length = Math.ceil(count / buyers.length) + 1;
  const channels = buyers.map((buyer) => makeChannel(buyer, accepted, length));
  await openAll(
    url,
    channels.map(({ payload }) => paidRequest({ x402Version: 2, payload, resource, accepted })),
    onOpened,
  );
  return Array.from({ length: count }, (_, place) => {
    const { id, links } = channels[place % channels.length];
    const index = Math.floor(place / channels.length) + 2;
    const token = `ch1.${id}.${index}.${links[index].toString('base64url')}`;
    return { path: paths.paid, headers: { 'payment-signature': token } };
  });
}

async function openAll(url, requests, onOpened) {
  const connections = new Connections(url, openInFlight);
  const open = async () => {
    for (let request = requests.pop(); request; request = requests.pop()) {
      await connections.send(request);
      onOpened();
    }
  };
  try {
    await Promise.all(Array.from({ length: openInFlight }, open));
  } finally {
    connections.close();
  }
}

function makeChannel(buyer, accepted, length) {
  const { amount: unit, asset, payTo, maxTimeoutSeconds, extra } = accepted;
  const links = [randomBytes(32)];
  while (links.length <= length) links.push(sha256(links.at(-1)));
  links.reverse();
  const validAfter = Math.floor(Date.now() / 1_000) - 1;
  const [validBefore, end] = [validAfter + maxTimeoutSeconds, validAfter + lifeSeconds];
  const [anchor, nonce] = [links[0], randomBytes(32)];
  const amount = BigInt(unit) * BigInt(length);
  const terms = Buffer.alloc(32);
  terms.writeBigUInt64BE(amount, 8);
  terms.writeBigUInt64BE(BigInt(validAfter), 16);
  terms.writeBigUInt64BE(BigInt(validBefore), 24);
  const head = scopeBytes({ ...accepted, verifyingContract: extra.verifyingContract }, paymentType, flags);
  addressBytes(buyer.address).copy(head, 94);
  const hash = channelHash({ unit, length, anchor, end });
  const digest = sha256(Buffer.concat([head, addressBytes(payTo), terms, nonce, hash]));
  const authorization = {
    from: buyer.address,
    to: payTo,
    amount: amount.toString(),
    asset,
    flags,
    publicKey: buyer.publicKey,
    nonce: nonce.toString('hex'),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    channel: {
      unit,
      length: String(length),
      anchor: anchor.toString('hex'),
      end: String(end),
      index: '1',
      link: links[1].toString('hex'),
      owner: extra.channel.owner,
    },
  };
  const signature = sign(null, digest, buyer.privateKey).toString('base64');
  return { id: idOf(digest), links, payload: { authorization, signature, signatureKind: 'raw' } };
}

/** Returns the confirmation id of a payment. */
const idOf = (digest) =>
  createHash('sha256')
    .update(
      Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-nanopay/v1'), Buffer.of(0x10), digest]),
    )
    .digest('hex')
    .slice(0, 32);
