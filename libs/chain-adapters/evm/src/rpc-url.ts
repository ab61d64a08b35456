/** The URL of an endpoint. Parts that may be a key are separated from the printable parts. */
export interface RpcUrl {
  href: string;
  headers: Record<string, string>;
  /** `#1 https://host/…`. It is numbered, because two keys of one provider have the same host. */
  label: string;
  /** Redacts every part of the URL that may be a key, because nodes quote keys in their errors. */
  withoutSecrets(text: string): string;
}

// Shorter path segments are route names (`v2`, `rpc`, `mainnet`). Keys of providers are longer.
const minKeySegmentLength = 8;
// Redacting one or two letters would make every text unreadable and hide nothing.
const minSecretLength = 3;

/** Throws an error that identifies the URL only by its position. */
export function parseRpcUrl(text: string, position: number): RpcUrl {
  const url = tryParse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError(`RPC URL number ${position} is not an http(s) URL`);
  }
  const secrets = secretsOf(url);
  const headers: Record<string, string> = {};
  if (url.username || url.password) {
    // fetch rejects URLs that contain a user and password.
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
    // The error of `new URL` contains its input, and thus the key.
    return null;
  }
}
