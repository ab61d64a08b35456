/** Returns why `fetch` failed. Its own message is only "fetch failed"; the cause contains the reason. */
export function fetchFailure(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  // The Fetch standard blocks some ports. No request was sent.
  if (cause?.message === 'bad port') return 'fetch blocks this port: use another port';
  return cause?.code || cause?.message || message || String(error);
}
