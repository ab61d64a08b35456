import type { FastifyReply } from 'fastify';
import type { Rate, Taken } from './shared-counts';

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/**
 * `RateLimit-Policy` and `RateLimit` as draft-ietf-httpapi-ratelimit-headers has them. A bucket of 200 that fills by 100 a
 * minute allows 200 within 120 seconds: `"free";q=200;w=120`. `r` is what is left at once, `t` when it is whole again.
 */
export function sendLimit(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  const windowSeconds = seconds((60_000 * rate.burst) / rate.perMinute);
  sendLimitHeaders(reply, policy, [rate.burst, windowSeconds], [taken.remaining, seconds(taken.untilFullMs)]);
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
