import type { Environment } from '@tollbridge/config';
import { problemOfUrl, type Reach } from '@tollbridge/egress';

/** The sandbox's receivers are on the machine that it runs on; elsewhere nothing leads inside. */
export const reachIn = (environment: Environment): Reach =>
  environment === 'sandbox' ? 'public-or-loopback' : 'public';

/** Why a `webhookUrl` cannot be posted to, as `must …`; undefined when nothing speaks against it. */
export function webhookUrlError(url: string, environment: Environment): string | undefined {
  return problemOfUrl(url, reachIn(environment));
}
