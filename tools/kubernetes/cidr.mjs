import { BlockList, isIPv4 } from 'node:net';

/** @typedef {{ address: string, family: 'ipv4' | 'ipv6', prefix: number, addresses: BlockList }} Range */

/** @param {string} text such as `10.0.0.0/8` @returns {Range} */
export function readCidr(text) {
  const [address = '', prefixText] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const prefix = Number(prefixText ?? (family === 'ipv4' ? 32 : 128));
  const addresses = new BlockList();
  addresses.addSubnet(address, prefix, family);
  return { address, family, prefix, addresses };
}

/** @param {Range} outer @param {Range} inner */
export const contains = (outer, inner) =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  outer.addresses.check(inner.address, inner.family);

/** If two ranges overlap, one contains the other. @param {Range} one @param {Range} other */
export const overlaps = (one, other) => contains(one, other) || contains(other, one);

/**
 * Private networks of companies, machines and clouds (RFC 6890). Providers and webhook receivers have public addresses.
 */
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
