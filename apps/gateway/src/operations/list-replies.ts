import type { BusClient, BusReply, CallContext, Operation, PageFacts } from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';

// Twice the longest list (1,000 items, 100 a page). It stops the loop when a service returns the same cursor forever.
const maxPages = 20;
const [opening, separator, closing] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Whether the client requests one page of a list instead of the whole list. */
export const namesLimit = (input: Buffer): boolean =>
  Object.hasOwn(JSON.parse(input.toString()) as object, 'limit');

/**
 * Reads a list page by page, because the bus limits messages to 1 MB. The items are joined as bytes, without parsing.
 * The reply to a list above the maximum contains the cursor of the next page.
 */
export async function readWholeList(
  bus: Pick<BusClient, 'callBytes'>,
  operation: Operation,
  input: Buffer,
  context: CallContext,
): Promise<BusReply> {
  const query = JSON.parse(input.toString()) as object;
  const first = await bus.callBytes(operation, input, context);
  const parts = [itemsOf(first)];
  let next = first.page?.next;
  if (next === undefined) return { bytes: first.bytes };
  for (let pages = 1; next !== undefined && pages < maxPages; pages++) {
    const json = Buffer.from(JSON.stringify({ ...query, cursor: next }));
    const page = await bus.callBytes(operation, json, context);
    const items = itemsOf(page);
    if (items.length > 0) parts.push(separator, items);
    next = page.page?.next;
  }
  return { bytes: Buffer.concat([opening, ...parts, closing]), page: { next, limit: undefined } };
}

/** The bytes between the brackets of a JSON array. */
const itemsOf = ({ bytes }: BusReply): Uint8Array => bytes.subarray(1, bytes.length - 1);

/**
 * Sets `Link` to the next page, and `X-Limit` to the limit that was used, which may be lower than the requested one.
 */
export function sendPage(reply: FastifyReply, url: string, page: PageFacts | undefined): void {
  if (page?.next !== undefined) reply.header('link', nextLink(url, page.next));
  if (page?.limit !== undefined) reply.header('x-limit', String(page.limit));
}

/** The same request with the cursor of the next page (RFC 8288). */
function nextLink(url: string, cursor: string): string {
  // A query may contain further question marks.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const fields = new URLSearchParams(url.slice(end + 1));
  fields.set('cursor', cursor);
  return `<${url.slice(0, end)}?${fields.toString()}>; rel="next"`;
}
