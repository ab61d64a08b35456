import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';
import type { AdmissionRule } from '../routes/admission-rule';
import { secondsOf, sendLimit } from './limit-headers';
import type { Rate } from './rate';
import { SharedCounts } from './shared-counts';

/** The bucket of a request, and the policy name in the `RateLimit` headers. */
export interface Limit {
  policy: string;
  bucket: string;
  rate: Rate;
}

@Injectable()
export class RateLimiter {
  constructor(@Inject(SharedCounts) private readonly counts: Pick<SharedCounts, 'take'>) {}

  /**
   * Counts a request and sets its `RateLimit` headers. While Redis is unavailable, only expensive routes fail.
   * @throws DomainError RATE_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE for an expensive route that cannot be counted
   */
  async count(
    { isCostly }: AdmissionRule,
    reply: FastifyReply,
    { policy, bucket, rate }: Limit,
  ): Promise<void> {
    const taken = await this.counts.take(bucket, rate);
    if (taken) sendLimit(reply, policy, rate, taken);
    else if (isCostly)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Requests cannot be counted at present, so this one is not served. Retry after retryAfter seconds.',
      );
    if (taken && !taken.isAllowed)
      throw new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: secondsOf(taken.waitMs) });
  }
}
