import { Resolver } from 'node:dns/promises';
import { EgressError } from './egress-error';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

// A query without an answer is repeated once, with a longer time-out.
const queryTimeoutMs = 2_000;
const tries = 2;
// More addresses are unusual, and each may need its own connection attempt.
const maxAddresses = 16;

/**
 * Resolves all addresses of a name by DNS queries. `dns.lookup` would block one of the four libuv threads, so that a
 * few silent name servers could block the whole process. It also completes short names with the domain of the cluster.
 */
export async function resolveName(host: string): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)].slice(0, maxAddresses);
  if (found.length === 0) throw new EgressError('unresolved', 'The name has no address at present.');
  return found;
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
