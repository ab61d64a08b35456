import { createClient, type Client } from '@tollbridge/sdk';
import { UsageError } from './exit-codes';
import { readStored, type Profile } from './profiles';
import type { Terminal } from './terminal';

export const localSandbox = 'http://127.0.0.1:3000';

/** The deployment and the key that a command uses. */
export interface Session extends Profile {
  /** Name of the profile; undefined without a login. */
  profile?: string;
  /** Source of the key. */
  keySource?: 'TOLLBRIDGE_API_KEY' | 'profile';
  wallet?: string;
}

/**
 * Returns the session of a command. Options override the environment, which overrides the profile. The key of a profile
 * is only sent to the profile's own address.
 * @param mayBeNew whether the profile may be missing, as for a login
 * @throws UsageError
 */
export function readSession(
  env: Terminal['env'],
  flags: ReadonlyMap<string, string[]>,
  { mayBeNew = false } = {},
): Session {
  const stored = readStored(env);
  const flag = (name: string): string | undefined => flags.get(name)?.[0];
  const name = flag('profile') ?? env['TOLLBRIDGE_PROFILE'] ?? stored.current;
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  const url = readUrl([
    ['--api-url', flag('api-url')],
    ['TOLLBRIDGE_URL', env['TOLLBRIDGE_URL']],
    [`The url of profile ${name}`, profile?.url],
  ]);
  if (!profile && !mayBeNew && (flag('profile') ?? env['TOLLBRIDGE_PROFILE']) !== undefined)
    throw new UsageError(`There is no profile ${name}.`, `Run: ${loginCommand(url)} --profile ${name}`);
  const givenKey = env['TOLLBRIDGE_API_KEY'];
  const ownKey = profile && trimmed(profile.url) === url ? profile.apiKey : undefined;
  const apiKey = givenKey || ownKey;
  const wallet = flag('as-wallet');
  return {
    url,
    ...(profile && { profile: name }),
    ...(apiKey && { apiKey, keySource: givenKey ? ('TOLLBRIDGE_API_KEY' as const) : ('profile' as const) }),
    ...(wallet !== undefined && { wallet }),
  };
}

/** Returns the first given address. @throws UsageError with the source of an invalid address */
function readUrl(candidates: readonly (readonly [source: string, url: string | undefined])[]): string {
  const [source, given = localSandbox] = candidates.find(([, url]) => url !== undefined) ?? ['The default'];
  const url = trimmed(given);
  // The same condition as in `createClient`.
  if (/^https?:\/\/[^?#\s]+$/i.test(url) && URL.canParse(url)) return url;
  throw new UsageError(
    `${source} must be an http or https address without a query.`,
    `For example: ${localSandbox}`,
  );
}

/**
 * Returns the command for a login. By default a local deployment counts as a sandbox, and the command uses its demo
 * key.
 */
export function loginCommand(url: string, isSandbox = isOnThisMachine(url)): string {
  const address = url === localSandbox ? '' : ` --api-url ${url}`;
  return `tollbridge login${isSandbox ? ' --sandbox' : ''}${address}`;
}

const isOnThisMachine = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

export function clientOf({ url, apiKey, wallet }: Session): Client {
  return createClient({
    baseUrl: url,
    apiKey,
    wallet,
    headers: { 'user-agent': 'tollbridge-cli' },
  });
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');
