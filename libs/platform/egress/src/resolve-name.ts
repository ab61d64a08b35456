import { Resolver } from 'node:dns/promises';
import { EgressError } from './egress-error';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

// A name server that does not answer is asked a second time, for a little longer.
const queryTimeoutMs = 2_000;
const tries = 2;
// More is unusual, and each may need a connection attempt of its own.
const maxAddresses = 16;

/**
 * All addresses of a name, by asking the name servers directly. Not `dns.lookup`: it waits in one of the four threads
 * that files and the database's name are read by, so a few names with silent servers would block the whole process.
 * It also would complete short names by the domain of the cluster.
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
