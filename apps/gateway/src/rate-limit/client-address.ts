import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net';

/** Whose forwarded addresses are believed: `10.0.0.0/8,::1`. Undefined for a list that is none. */
export function readProxies(text: string): BlockList | undefined {
  const proxies = new BlockList();
  for (const item of text.split(',').filter((part) => part !== '')) {
    const [address = '', bits, ...more] = item.trim().split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (version === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > most) return undefined;
    proxies.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return proxies;
}

/** What is called by a stranger stays so for as long as the connection lasts. */
const strangers = new WeakMap<Socket, string>();

/**
 * Where a request comes from: the nearest address that is not one of our own proxies. Each proxy appends the address
 * that it was called from, so the list is read from its end; what stands before the first stranger is his own claim.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: BlockList,
): string {
  const known = strangers.get(socket);
  if (known !== undefined) return known;
  let address = plain(socket.remoteAddress ?? '');
  if (!isOf(proxies, address)) {
    const stranger = grouped(address);
    strangers.set(socket, stranger);
    return stranger;
  }
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  for (let hop = forwarded.pop(); hop !== undefined; hop = forwarded.pop()) {
    const next = plain(hop);
    // What a trusted proxy cannot have written ends the trust.
    if (isIP(next) === 0) break;
    address = next;
    if (!isOf(proxies, address)) break;
  }
  return grouped(address);
}

/** What is recorded of an address, as `clientAddress` answers it: enough to see where many come from. */
export function networkOf(address: string): string {
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : address;
}

/** @param remoteAddress of a socket, as Node.js names it */
export const isProxy = (proxies: BlockList, remoteAddress: string): boolean =>
  isOf(proxies, plain(remoteAddress));

function isOf(proxies: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Without port and brackets, and an IPv4 address that IPv6 carries as itself. */
function plain(text: string): string {
  const given = text.trim();
  const [, bracketed = given] = /^\[([^\]]*)\](?::\d+)?$/.exec(given) ?? [];
  const [, withoutPort = bracketed] = /^([\d.]+):\d+$/.exec(bracketed) ?? [];
  const [, mapped = withoutPort] = /^::ffff:([\d.]+)$/i.exec(withoutPort) ?? [];
  return mapped.toLowerCase();
}

/** A household has 2^64 addresses of IPv6, so they are counted by their first half. */
function grouped(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
