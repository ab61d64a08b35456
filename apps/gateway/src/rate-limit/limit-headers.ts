import type { FastifyReply } from 'fastify';
import { quotaOf, type Rate } from './rate';
import type { Taken } from './shared-counts';

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** Seconds for `Retry-After`, at least 1. */
export const secondsOf = (milliseconds: number): number => Math.max(1, seconds(milliseconds));

/**
 * Sets `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers. "100 a minute, burst 200" becomes
 * `"free";q=100;w=60`: 100 at once, and another 100 within 60 seconds. `r` is the remainder, `t` the time until `q`.
 */
export function sendLimit(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  const { requests, windowMs } = quotaOf(rate);
  sendLimitHeaders(
    reply,
    policy,
    [requests, seconds(windowMs)],
    [taken.remaining, seconds(taken.untilFullMs)],
  );
}

export function sendLimitHeaders(
  reply: FastifyReply,
  policy: string,
  [quota, windowSeconds]: readonly [number, number],
  [remaining, resetSeconds]: readonly [number, number],
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}
