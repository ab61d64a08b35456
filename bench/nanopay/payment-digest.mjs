// The bytes of a payment of `ton-nanopay` and their digest, written for the bench alone: what the load signs must not come
// from the code that is measured.
import { createHash } from 'node:crypto';

const prefix = Buffer.concat([
  Buffer.from('ffff', 'hex'),
  Buffer.from('ton-nanopay/v1'),
  Buffer.from([0x01]),
]);
const bindsResource = 0x01;

const networkIds = { 'ton-mainnet': -239, 'tvm:-239': -239, 'tvm:-3': -3 };
const usdt = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';

/** 36 bytes: workchain and hash. */
function addressBytes(raw) {
  const [workchain, hash] = raw.split(':');
  const bytes = Buffer.alloc(36);
  bytes.writeInt32BE(Number(workchain), 0);
  bytes.write(hash, 4, 'hex');
  return bytes;
}

/** Without a body to bind. */
export const resourceHash = (method, url) => createHash('sha256').update(`${method}\n${url}\n`).digest();

/**
 * Answers a function that gives the digest of each payment of the same terms: the first 94 bytes, the seller and the
 * resource are the same in all of them.
 */
export function digestOfTerms({ network, asset, payTo, verifyingContract, method, url }) {
  const networkId = networkIds[network];
  if (networkId === undefined) throw new Error(`no TON network: ${network}`);
  const template = Buffer.alloc(262);
  prefix.copy(template, 0);
  template[17] = bindsResource;
  template.writeInt32BE(networkId, 18);
  addressBytes(verifyingContract).copy(template, 22);
  addressBytes(asset === 'USDT' ? usdt : asset).copy(template, 58);
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
    return createHash('sha256').update(bytes).digest();
  };
}
