import { isLoopback } from './loopback';
import type { ServerKind } from './server-kinds';
import { acceptsUrl, type Setting } from './setting';
import { caFileVariable } from './tls-settings';
import { UnusableValue } from './unusable-value';

type Options = Pick<Setting<string>, 'description' | 'example' | 'default'>;

const tlsParameters = ['sslrootcert', 'sslcert', 'sslkey', 'ssl', 'uselibpqcompat', 'sslnegotiation'];

/** Setting with the NATS servers of one cluster, separated by commas. `tls://` or NATS_CA_FILE enables TLS. */
export function natsUrl(options: Options): Setting<string> {
  return serverUrl('nats', ['nats', 'tls'], options, (url) => url.replace(/^nats:/, 'tls:'));
}

/** Setting with a Redis server. `rediss://` or REDIS_CA_FILE enables TLS. */
export function redisUrl(options: Options): Setting<string> {
  return serverUrl('redis', ['redis', 'rediss'], options, (url) => url.replace(/^redis:/, 'rediss:'));
}

/** Setting with a PostgreSQL database. TLS: `sslmode=verify-full`, or DATABASE_CA_FILE without `sslmode=disable`. */
export function databaseUrl(options: Options): Setting<string> {
  const encrypt = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}sslmode=verify-full`;
  const setting = serverUrl('database', ['postgres', 'postgresql'], options, encrypt);
  return {
    ...setting,
    read(value, env) {
      for (const { searchParams } of urlsIn(readUrls(value, ['postgres', 'postgresql'])))
        requireKnownTls(searchParams);
      return setting.read(value, env);
    },
  };
}

/** Whether the URL requests TLS, or a CA file for its kind of server enables it. */
export function isTlsUrl(url: URL, caFile?: string): boolean {
  if (['tls:', 'rediss:'].includes(url.protocol) || isVerified(url)) return true;
  return !!caFile && url.searchParams.get('sslmode') !== 'disable';
}

const isVerified = ({ searchParams }: URL): boolean => searchParams.get('sslmode') === 'verify-full';

/** Rejects weaker modes of PostgreSQL, which accept any server, or any certificate of a trusted CA. */
function requireKnownTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (mode !== 'verify-full' && mode !== 'disable')
    throw new UnusableValue('must have sslmode=verify-full, or no sslmode and DATABASE_CA_FILE beside it');
  const unused = tlsParameters.find((name) => parameters.has(name));
  if (unused)
    throw new UnusableValue(
      `must not have ${unused}: set DATABASE_CA_FILE, DATABASE_CERT_FILE and DATABASE_KEY_FILE`,
    );
}

/** @param encrypt adds TLS to the URL when a CA file is set, for code that receives only the URL */
function serverUrl(
  kind: ServerKind,
  protocols: readonly string[],
  options: Options,
  encrypt: (url: string) => string,
): Setting<string> {
  return {
    ...options,
    accepts: acceptsUrl(protocols),
    isSecret: true,
    read(value, env = {}) {
      const caFile = env[caFileVariable(kind)];
      const urls = readUrls(value, protocols).split(',');
      const isMissing = (url: string): boolean => !isTlsUrl(new URL(url)) && isTlsUrl(new URL(url), caFile);
      return urls.map((url) => (isMissing(url) ? encrypt(url) : url)).join(',');
    },
    plaintextKindOf: (value) =>
      urlsIn(value).some((url) => !isTlsUrl(url) && !isLoopback(url.hostname)) ? kind : undefined,
  };
}

const urlsIn = (value: string): URL[] => (value === '' ? [] : value.split(',').map((item) => new URL(item)));

/** Validates one or several URLs, separated by commas: each needs a given protocol and a host. @throws UnusableValue */
export function readUrls(value: string, protocols: readonly string[]): string {
  for (const item of value.split(',')) {
    const { protocol, host } = URL.canParse(item) ? new URL(item) : { protocol: '', host: '' };
    if (!host || !protocols.includes(protocol.slice(0, -1)))
      throw new UnusableValue(`must be a URL with ${protocols.join(' or ')}, and a host`);
  }
  return value;
}
