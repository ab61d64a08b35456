import { eventually } from '@tollbridge/testing';

/**
 * The first reply that is not 503. A service waits two seconds for the merchant app before it spends on behalf of a
 * key; without an answer it does nothing and replies 503.
 */
export function unlessBusy<R extends { status: number }>(call: () => Promise<R>): Promise<R> {
  return eventually(async () => {
    const reply = await call();
    expect(reply.status).not.toBe(503);
    return reply;
  });
}
