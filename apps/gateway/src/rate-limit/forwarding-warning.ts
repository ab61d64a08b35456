import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { isProxy, networkOf } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';

// Any client can send these headers. One line an hour is enough for operators, and does not fill the log.
const everyMs = 60 * 60_000;

/**
 * Warns when forwarding headers come from an address that is not a trusted proxy. If it is a proxy, all clients behind
 * it are counted as one address.
 */
@Injectable()
export class ForwardingWarning {
  private quietUntilMs = -Infinity;

  constructor(
    @Inject(ServiceLogger) private readonly logger: Pick<Logger, 'warn'>,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
  ) {}

  /** @param nowMs a monotonic time */
  check(
    { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
    nowMs: () => number = () => performance.now(),
  ): void {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const { remoteAddress = '' } = socket;
    if (nowMs() < this.quietUntilMs || isProxy(this.proxies, remoteAddress)) return;
    this.quietUntilMs = nowMs() + everyMs;
    this.logger.warn(
      { network: networkOf(remoteAddress) },
      'forwarding headers from an address that is not in GATEWAY_TRUSTED_PROXIES ignored: all clients behind it share one rate limit. If it is your proxy, add it there.',
    );
  }
}
