// Bytes and digest of a `ton-nanopay` payment, implemented for the benchmark alone: the measured code must not sign the
// load.
import { createHash } from 'node:crypto';

const prefix = Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-nanopay/v1')]);
const paymentType = 0x01;
const linkType = 0x11;
const channelType = 0x12;
const bindsResource = 0x01;

const networkIds = { 'ton-mainnet': -239, 'tvm:-239': -239, 'tvm:-3': -3 };
const usdt = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';

/** Returns 36 bytes: workchain and hash. */
export function addressBytes(raw) {
  const [workchain, hash] = raw.split(':');
  const bytes = Buffer.alloc(36);
  bytes.writeInt32BE(Number(workchain), 0);
  bytes.write(hash, 4, 'hex');
  return bytes;
}

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

/** Returns the hash of a resource without a body. */
export const resourceHash = (method, url) => sha256(`${method}\n${url}\n`);

/** Returns the prefix of every signed message. The signing account is omitted. */
export function scopeBytes({ network, asset, verifyingContract }, type, flags) {
  const networkId = networkIds[network];
  if (networkId === undefined) throw new Error(`no TON network: ${network}`);
  const bytes = Buffer.alloc(130);
  prefix.copy(bytes, 0);
  bytes[16] = type;
  bytes[17] = flags;
  bytes.writeInt32BE(networkId, 18);
  addressBytes(verifyingContract).copy(bytes, 22);
  addressBytes(asset === 'USDT' ? usdt : asset).copy(bytes, 58);
  return bytes;
}

/** Returns the nonce of the payment that reveals this link of a grant's hash chain. */
export function linkNonce(grant, index) {
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(index);
  return sha256(Buffer.concat([prefix, Buffer.of(linkType), grant, tail]));
}

/** Returns the signed bytes of a payment that opens a channel. */
export function channelHash({ unit, length, anchor, end }) {
  const [head, tail] = [Buffer.alloc(16 + 4), Buffer.alloc(8)];
  head.writeBigUInt64BE(BigInt(unit), 8);
  head.writeUInt32BE(length, 16);
  tail.writeBigUInt64BE(BigInt(end));
  return sha256(Buffer.concat([prefix, Buffer.of(channelType), head, anchor, tail]));
}

/**
 * Returns a function that computes the digest of each payment with the same terms. The first 94 bytes, the seller and
 * the resource are the same for all.
 */
export function digestOfTerms({ network, asset, payTo, verifyingContract, method, url }) {
  const template = Buffer.alloc(262);
  scopeBytes({ network, asset, verifyingContract }, paymentType, bindsResource).copy(template);
  addressBytes(payTo).copy(template, 130);
  resourceHash(method, url).copy(template, 230);
  return ({ from, amount, validAfter, validBefore, nonce }) => {
    const bytes = Buffer.from(template);
    addressBytes(from).copy(bytes, 94);
    const value = BigInt(amount);
    bytes.writeBigUInt64BE(value >> 64n, 166);
    bytes.writeBigUInt64BE(value & 0xffffffffffffffffn, 174);
    bytes.writeBigUInt64BE(BigInt(validAfter), 182);
    bytes.writeBigUInt64BE(BigInt(validBefore), 190);
    bytes.write(nonce, 198, 'hex');
    return sha256(bytes);
  };
}
