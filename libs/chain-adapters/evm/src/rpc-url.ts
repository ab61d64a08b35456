/** The URL of an endpoint. Parts that may be a key are separate from the printable parts. */
export interface RpcUrl {
  href: string;
  headers: Record<string, string>;
  /** `#1 https://host/…`: numbered, because two keys of one provider share a host. */
  label: string;
  /** The same text with every part of the URL that may be a key blotted out: nodes quote keys in their errors. */
  withoutSecrets(text: string): string;
}

// Shorter path segments are route names (`v2`, `rpc`, `mainnet`); no provider's key is that short.
const minKeySegmentLength = 8;
// Blotting out one or two letters would make every text unreadable and hide nothing.
const minSecretLength = 3;

/** Throws an error that names the URL by its position only. */
export function parseRpcUrl(text: string, position: number): RpcUrl {
  const url = tryParse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError(`RPC URL number ${position} is not an http(s) URL`);
  }
  const secrets = secretsOf(url);
  const headers: Record<string, string> = {};
  if (url.username || url.password) {
    // fetch rejects URLs with user and password.
    const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
    const encoded = Buffer.from(credentials).toString('base64');
    headers['authorization'] = `Basic ${encoded}`;
    secrets.push(encoded);
    url.username = '';
    url.password = '';
  }
  url.hash = '';
  const hasHiddenPart = url.pathname !== '/' || url.search !== '';
  const label = `#${position} ${url.protocol}//${url.host}${hasHiddenPart ? '/…' : ''}`;
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return {
    href: url.href,
    headers,
    label,
    withoutSecrets: (shown) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '…'), shown),
  };
}

function secretsOf(url: URL): string[] {
  const segments = url.pathname.split('/').filter((segment) => segment.length >= minKeySegmentLength);
  const parts = [...segments, url.username, url.password, ...url.searchParams.values()];
  if (url.search.length > 1) parts.push(url.search.slice(1));
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= minSecretLength);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function tryParse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    // The error of `new URL` carries its input, and with it the key.
    return null;
  }
}
