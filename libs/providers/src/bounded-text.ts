/** A reply with more bytes than anything that is asked for. */
export class ReplyTooLarge extends Error {}

/**
 * The body as text. Counts decompressed bytes, so a small gzip that unfolds to gigabytes is cut off as well. Rejects
 * when the signal aborts: a body of which the rest was given up is never taken for a whole one.
 */
export async function boundedText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      // A cancelled reader says that it is done.
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks).toString('utf8');
      size += value.byteLength;
      if (size > maxBytes) throw new ReplyTooLarge();
      chunks.push(value);
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
