const withWork = new WeakSet<object>();

/** Records that the transaction of a client leaves an event to publish or a webhook to deliver after its commit. */
export function leaveWork(client: object): void {
  withWork.add(client);
}

/**
 * Returns whether the transaction of a client leaves such work, and forgets it. Most order events leave none. Waking
 * the jobs of the app would cost more than handling the event (bench row "create an order").
 */
export function takeWork(client: object): boolean {
  return withWork.delete(client);
}
