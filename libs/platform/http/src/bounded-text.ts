import type { HttpReply } from './http-sender';

/** Thrown for a reply with more bytes than allowed. */
export class ReplyTooLarge extends Error {}

/**
 * Reads the body as text. The limit applies to decompressed bytes, so a small gzip of gigabytes is cut off
 * too. Rejects when the signal aborts, so that a partial body is never returned.
 */
export async function boundedText(
  { body }: Pick<HttpReply, 'body'>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // An error inside the loop ends the body too.
  for await (const chunk of body ?? []) {
    signal.throwIfAborted();
    size += chunk.byteLength;
    if (size > maxBytes) throw new ReplyTooLarge();
    chunks.push(chunk);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}
