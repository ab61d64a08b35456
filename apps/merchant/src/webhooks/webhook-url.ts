import type { Environment } from '@tollbridge/config';
import { problemOfUrl, type Reach } from '@tollbridge/egress';

/** Sandbox receivers run on this machine; elsewhere internal addresses are not reachable. */
export const reachIn = (environment: Environment): Reach =>
  environment === 'sandbox' ? 'public-or-loopback' : 'public';

/** Why a `webhookUrl` is invalid, as `must …`; undefined for a valid one. */
export function webhookUrlError(url: string, environment: Environment): string | undefined {
  return problemOfUrl(url, reachIn(environment));
}
