import { isLoopback } from './loopback';
import type { ServerKind } from './server-kinds';
import { acceptsUrl, type Setting } from './setting';
import { caFileVariable } from './tls-settings';
import { UnusableValue } from './unusable-value';

type Options = Pick<Setting<string>, 'description' | 'example' | 'default'>;

const tlsParameters = ['sslrootcert', 'sslcert', 'sslkey', 'ssl', 'uselibpqcompat', 'sslnegotiation'];

/** NATS servers of one cluster, separated by commas. TLS: `tls://`, or NATS_CA_FILE. */
export function natsUrl(options: Options): Setting<string> {
  return serverUrl('nats', ['nats', 'tls'], options, (url) => url.replace(/^nats:/, 'tls:'));
}

/** A Redis server. TLS: `rediss://`, or REDIS_CA_FILE. */
export function redisUrl(options: Options): Setting<string> {
  return serverUrl('redis', ['redis', 'rediss'], options, (url) => url.replace(/^redis:/, 'rediss:'));
}

/** A PostgreSQL database. TLS: `sslmode=verify-full`, or DATABASE_CA_FILE without `sslmode=disable`. */
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

/** Whether a URL asks for TLS, or the CA file of its kind of server does. */
export function isTlsUrl(url: URL, caFile?: string): boolean {
  if (['tls:', 'rediss:'].includes(url.protocol) || isVerified(url)) return true;
  return !!caFile && url.searchParams.get('sslmode') !== 'disable';
}

const isVerified = ({ searchParams }: URL): boolean => searchParams.get('sslmode') === 'verify-full';

/** Weaker modes of PostgreSQL accept any server, or the certificate of any other server. */
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

/** @param encrypt makes the URL ask for TLS: a CA file does, also for code that is not given the file */
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

/** One or several URLs of the given protocols, separated by commas, each with a host. @throws UnusableValue */
export function readUrls(value: string, protocols: readonly string[]): string {
  for (const item of value.split(',')) {
    const { protocol, host } = URL.canParse(item) ? new URL(item) : { protocol: '', host: '' };
    if (!host || !protocols.includes(protocol.slice(0, -1)))
      throw new UnusableValue(`must be a URL with ${protocols.join(' or ')}, and a host`);
  }
  return value;
}
