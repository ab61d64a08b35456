import { BlockList, isIP, isIPv4 } from 'node:net';

/** Purpose of an address. Only a `public` address can belong to a server on the internet. */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'carrier-grade NAT'
  | 'multicast'
  | 'tunnel'
  | 'reserved';

type Range = [network: string, prefix: number];

/**
 * Address ranges from IANA's special-purpose registries, plus metadata addresses of cloud providers. The
 * first matching kind applies.
 */
const ipv4Ranges: [AddressKind, Range[]][] = [
  ['loopback', [['127.0.0.0', 8]]],
  [
    'metadata',
    [
      // In this order: AWS, Google, Azure and others; Amazon ECS tasks; Alibaba; Oracle; the Azure host, a
      // public address.
      ['169.254.169.254', 32],
      ['169.254.170.2', 32],
      ['100.100.100.200', 32],
      ['192.0.0.192', 32],
      ['168.63.129.16', 32],
    ],
  ],
  ['link-local', [['169.254.0.0', 16]]],
  [
    'private',
    [
      ['10.0.0.0', 8],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
    ],
  ],
  ['carrier-grade NAT', [['100.64.0.0', 10]]],
  ['multicast', [['224.0.0.0', 4]]],
  ['tunnel', [['192.88.99.0', 24]]],
  [
    'reserved',
    [
      ['0.0.0.0', 8],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['240.0.0.0', 4],
    ],
  ],
];

const ipv6Ranges: [AddressKind, Range[]][] = [
  ['loopback', [['::1', 128]]],
  // Metadata addresses of Amazon and Google, within the unique local addresses.
  [
    'metadata',
    [
      ['fd00:ec2::254', 128],
      ['fd00:ec2::23', 128],
      ['fd20:ce::254', 128],
    ],
  ],
  ['link-local', [['fe80::', 10]]],
  [
    'private',
    [
      ['fc00::', 7],
      // Site-local addresses: deprecated, but some networks still route them.
      ['fec0::', 10],
    ],
  ],
  ['multicast', [['ff00::', 8]]],
  // Addresses that contain an IPv4 address for a relay: 6to4, Teredo, IPv4-compatible, translated, local NAT64.
  [
    'tunnel',
    [
      ['2002::', 16],
      ['2001::', 32],
      ['::ffff:0:0:0', 96],
      ['64:ff9b:1::', 48],
    ],
  ],
  [
    'reserved',
    [
      ['2001::', 23],
      ['2001:db8::', 32],
      ['3fff::', 20],
    ],
  ],
];

const ipv4Kinds = listsOf(ipv4Ranges, 'ipv4');
const ipv6Kinds = listsOf(ipv6Ranges, 'ipv6');
// IANA has allocated no other range for global unicast.
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

function listsOf(ranges: [AddressKind, Range[]][], family: 'ipv4' | 'ipv6'): [AddressKind, BlockList][] {
  return ranges.map(([kind, networks]) => {
    const list = new BlockList();
    for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
    return [kind, list];
  });
}

/** @param address from a resolver or a URL, without brackets */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return kindIn(ipv4Kinds, address, 'ipv4') ?? 'public';
  // Not an IP address, or an IPv6 address with a zone (fe80::1%eth0).
  if (isIP(address) !== 6 || address.includes('%')) return 'reserved';
  const groups = groupsOf(address);
  const inside = ipv4Inside(groups);
  if (inside !== undefined) return addressKind(inside);
  const kind = kindIn(ipv6Kinds, address, 'ipv6');
  if (kind) return kind;
  if (!globalUnicast.check(address, 'ipv6')) return 'reserved';
  // An ISATAP address ends with an IPv4 address.
  return (groups[4]! & 0xfdff) === 0 && groups[5] === 0x5efe ? 'tunnel' : 'public';
}

function kindIn(
  kinds: [AddressKind, BlockList][],
  address: string,
  family: 'ipv4' | 'ipv6',
): AddressKind | undefined {
  return kinds.find(([, list]) => list.check(address, family))?.[0];
}

/**
 * Returns the IPv4 address that the system connects to instead: mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96), which
 * machines without IPv4 use. The IPv4-compatible form (::/96) counts too, because some systems supported it.
 */
function ipv4Inside(groups: number[]): string | undefined {
  const [high, low] = groups.slice(6) as [number, number];
  const ipv4 = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const front = groups.slice(0, 6).map((group) => group.toString(16));
  if (['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'].includes(front.join(':'))) return ipv4;
  const isCompatible = front.every((group) => group === '0') && (high !== 0 || low > 1);
  return isCompatible ? ipv4 : undefined;
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes an address with hexadecimal groups only, and at most one `::`.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [front = '', back] = text.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [left, right] = [read(front), read(back ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}
