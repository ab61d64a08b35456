import { UnreadableReply } from '@tollbridge/http';

/** Verifies that the reply belongs to the request, because caches and gateways may mix up replies. */
export function requireSame(actual: unknown, asked: string | true, path: string): void {
  if (actual !== asked) throw new UnreadableReply(`${path} does not match the request`);
}

/** Returns the rest of an amount. It is never negative. */
export function atomicDifference(received: bigint, spent: bigint, path: string): bigint {
  if (spent > received) throw new UnreadableReply(`${path} is more than was received`);
  return received - spent;
}
