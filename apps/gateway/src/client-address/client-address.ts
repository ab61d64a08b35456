import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net';

/** @returns the proxies of a list such as `10.0.0.0/8,::1`; undefined when the list is invalid */
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

/** The address of a direct client stays the same as long as its connection lasts. */
const directClients = new WeakMap<Socket, string>();

/**
 * The client's address: the nearest address that is not a trusted proxy. Each proxy appends the address of its peer, so
 * the list is read from its end. Clients can forge all entries to the left of the returned address.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: BlockList,
): string {
  const cached = directClients.get(socket);
  if (cached !== undefined) return cached;
  let address = normalize(socket.remoteAddress ?? '');
  if (!isIn(proxies, address)) {
    const direct = groupIpv6(address);
    directClients.set(socket, direct);
    return direct;
  }
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  for (let hop = forwarded.pop(); hop !== undefined; hop = forwarded.pop()) {
    const next = normalize(hop);
    // A trusted proxy cannot have written this entry.
    if (isIP(next) === 0) break;
    address = next;
    if (!isIn(proxies, address)) break;
  }
  return groupIpv6(address);
}

/** The network of an address from `clientAddress`, for logs: /24 for IPv4; IPv6 addresses are /64 networks already. */
export function networkOf(address: string): string {
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : address;
}

/** Whether a socket's `remoteAddress` is a trusted proxy. */
export const isProxy = (proxies: BlockList, remoteAddress: string): boolean =>
  isIn(proxies, normalize(remoteAddress));

function isIn(proxies: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Removes the port and the brackets, and converts an IPv4-mapped IPv6 address to IPv4. */
function normalize(text: string): string {
  const given = text.trim();
  const [, bracketed = given] = /^\[([^\]]*)\](?::\d+)?$/.exec(given) ?? [];
  const [, withoutPort = bracketed] = /^([\d.]+):\d+$/.exec(bracketed) ?? [];
  const [, mapped = withoutPort] = /^::ffff:([\d.]+)$/i.exec(withoutPort) ?? [];
  return mapped.toLowerCase();
}

/** Returns the /64 network of an IPv6 address, because one subscriber usually has a whole /64. */
function groupIpv6(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
