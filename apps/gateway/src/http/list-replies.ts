import type { BusClient, BusReply, CallContext, Operation } from '@tollbridge/bus';

// Twice the longest list that is read whole (1,000 items, 100 a page): a service that repeats itself ends here.
const maxPages = 20;
const [opening, separator, closing] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Whether the caller asks for one page of a list, and not for all of it. */
export const namesLimit = (input: Buffer): boolean =>
  Object.hasOwn(JSON.parse(input.toString()) as object, 'limit');

/**
 * Reads a list page by page: the bus carries no message above 1 MB. The items are joined as bytes, unread. A list that is
 * longer than it may be keeps the cursor of the page after the last that was read.
 */
export async function readWholeList(
  bus: Pick<BusClient, 'callBytes'>,
  operation: Operation,
  input: Buffer,
  context: CallContext,
): Promise<BusReply> {
  const query = JSON.parse(input.toString()) as object;
  const first = await bus.callBytes(operation, input, context);
  if (first.nextCursor === undefined) return first;
  const parts = [itemsOf(first)];
  let nextCursor: string | undefined = first.nextCursor;
  for (let pages = 1; nextCursor !== undefined && pages < maxPages; pages++) {
    const json = Buffer.from(JSON.stringify({ ...query, cursor: nextCursor }));
    const page = await bus.callBytes(operation, json, context);
    const items = itemsOf(page);
    if (items.length > 0) parts.push(separator, items);
    nextCursor = page.nextCursor;
  }
  return { bytes: Buffer.concat([opening, ...parts, closing]), nextCursor };
}

/** What stands between the brackets of a JSON array. */
const itemsOf = ({ bytes }: BusReply): Uint8Array => bytes.subarray(1, bytes.length - 1);

/** RFC 8288: the same request, from the cursor on. */
export function nextLink(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const fields = new URLSearchParams(query);
  fields.set('cursor', cursor);
  return `<${path}?${fields.toString()}>; rel="next"`;
}
