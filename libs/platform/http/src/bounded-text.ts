import type { HttpReply } from './http-sender';

/** A reply with more bytes than anything that is asked for. */
export class ReplyTooLarge extends Error {}

/**
 * The body as text. Counts decompressed bytes, so a small gzip that unfolds to gigabytes is cut off as well. Rejects
 * when the signal aborts: a body of which the rest was given up is never taken for a whole one.
 */
export async function boundedText(
  { body }: Pick<HttpReply, 'body'>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Whatever is thrown in between ends the body too.
  for await (const chunk of body ?? []) {
    signal.throwIfAborted();
    size += chunk.byteLength;
    if (size > maxBytes) throw new ReplyTooLarge();
    chunks.push(chunk);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}
