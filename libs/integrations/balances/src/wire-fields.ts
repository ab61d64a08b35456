import { UnreadableReply } from '@tollbridge/http';

/** Verifies that the reply belongs to the request: caches and gateways mix them up. */
export function requireSame(actual: unknown, asked: string | true, path: string): void {
  if (actual !== asked) throw new UnreadableReply(`${path} is not what was asked for`);
}

/** The rest of an amount; never negative. */
export function atomicDifference(received: bigint, spent: bigint, path: string): bigint {
  if (spent > received) throw new UnreadableReply(`${path} is more than was received`);
  return received - spent;
}
