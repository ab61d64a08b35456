import { isIP } from 'node:net';
import { addressKind } from './address-kind';

/**
 * Allowed destinations: servers on the internet by https. A sandbox also allows http, any port, and the machine itself.
 */
export type Reach = 'public' | 'public-or-loopback';

// The standard port and the usual alternative. Servers on other ports seldom expect webhooks.
const publicPorts = ['', '8443'];
// Servers and proxies truncate or reject longer URLs.
const maxLength = 2_048;
// Names of local networks (RFC 6761, 6762, 8375, 9476, and those of clouds).
const localNames =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion|alt|svc|localdomain)$/;

/** Returns why a URL is rejected, as the predicate of a sentence (`must be a URL`); undefined for a valid URL. */
export function problemOfUrl(text: string, reach: Reach): string | undefined {
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  const isPublic = reach === 'public';
  if (url.protocol !== 'https:' && (isPublic || url.protocol !== 'http:'))
    return `must begin with ${isPublic ? 'https://' : 'https:// or http://'}`;
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (isPublic && !publicPorts.includes(url.port)) return 'must have the port 443 or 8443';
  const problem = problemOfHost(hostOf(url), reach);
  return problem && `must not lead to ${problem}`;
}

/** Returns the host of a URL, without brackets, and without the trailing dot of a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}

/** Whether requests may be sent to an address. */
export function mayReach(address: string, reach: Reach): boolean {
  const kind = addressKind(address);
  return kind === 'public' || (kind === 'loopback' && reach === 'public-or-loopback');
}

/** Whether a name refers to this machine without a DNS query (RFC 6761). */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function problemOfHost(host: string, reach: Reach): string | undefined {
  if (isIP(host) !== 0) return mayReach(host, reach) ? undefined : `a ${addressKind(host)} address`;
  if (reach === 'public-or-loopback' && isLocalhost(host)) return undefined;
  // A name without a dot belongs to the local network.
  if (!host.includes('.') || localNames.test(host)) return 'a name of a local network';
  return undefined;
}
