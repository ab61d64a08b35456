import { eventually } from '@tollbridge/testing';

/**
 * Resolves with the first reply other than 503. A service waits two seconds for the merchant app before it spends for a
 * key. Without a response it does nothing and returns 503.
 */
export function unlessBusy<R extends { status: number }>(call: () => Promise<R>): Promise<R> {
  return eventually(async () => {
    const reply = await call();
    expect(reply.status).not.toBe(503);
    return reply;
  });
}
