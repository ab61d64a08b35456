import type { Logger } from '@tollbridge/observability';
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { isProxy, networkOf } from './client-address';

// Any caller can send the headers: one line an hour is enough to be seen, and too little to fill a log.
const everyMs = 60 * 60_000;

/**
 * Warns when forwarding headers come from an address that is no trusted proxy. If it is one, all callers behind it are
 * counted as one address.
 * @param now monotonic, in milliseconds
 * @returns what looks at each request
 */
export function forwardingWarning(
  logger: Pick<Logger, 'warn'>,
  proxies: BlockList,
  now: () => number = () => performance.now(),
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => void {
  let quietUntilMs = -Infinity;
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const { remoteAddress = '' } = socket;
    if (now() < quietUntilMs || isProxy(proxies, remoteAddress)) return;
    quietUntilMs = now() + everyMs;
    logger.warn(
      { network: networkOf(remoteAddress) },
      'forwarding headers from an address that is not in GATEWAY_TRUSTED_PROXIES: they are ignored, and all callers behind it share one rate limit. If it is your proxy, add it there.',
    );
  };
}
