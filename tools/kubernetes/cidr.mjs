import { isIPv4 } from 'node:net';

/** @typedef {{ bits: 32 | 128, first: bigint, last: bigint, prefix: number }} Range */

/** @param {string} text such as `10.0.0.0/8` @returns {Range} */
export function readCidr(text) {
  const [address = '', prefixText] = text.split('/');
  const bits = isIPv4(address) ? 32 : 128;
  const prefix = Number(prefixText ?? bits);
  const size = 1n << BigInt(bits - prefix);
  const value = bits === 32 ? ofIpv4(address) : ofIpv6(address);
  const first = (value / size) * size;
  return { bits, first, last: first + size - 1n, prefix };
}

/** @param {string} address */
const ofIpv4 = (address) => address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);

/** @param {string} address */
function ofIpv6(address) {
  const [head = '', tail] = address.split('::');
  const words = (/** @type {string} */ part) => part.split(':').filter(Boolean);
  const before = words(head);
  const after = words(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((sum, word) => sum * 65_536n + BigInt(`0x${word}`), 0n);
}

/** @param {Range} outer @param {Range} inner */
export const contains = (outer, inner) =>
  outer.bits === inner.bits && outer.first <= inner.first && inner.last <= outer.last;

/** @param {Range} one @param {Range} other */
export const overlaps = (one, other) =>
  one.bits === other.bits && one.first <= other.last && other.first <= one.last;

/** Networks of a company, of a machine or of a cloud (RFC 6890), where no provider and no receiver of webhooks is. */
export const privateRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/16',
  '64:ff9b::/32',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];
