import type { Environment } from '@tollbridge/config';
import { problemOfUrl, type Reach } from '@tollbridge/egress';

/** In the sandbox, receivers run on this machine. In other environments, internal addresses are rejected. */
export const reachIn = (environment: Environment): Reach =>
  environment === 'sandbox' ? 'public-or-loopback' : 'public';

/** The error of a `webhookUrl` as `must …`; undefined for a valid URL. */
export function webhookUrlError(url: string, environment: Environment): string | undefined {
  return problemOfUrl(url, reachIn(environment));
}
