import { SuiRejection } from './sui-rejection';

export interface PageArgs {
  first?: number | null;
  after?: string | null;
}

export interface Connection<Node> {
  nodes: Node[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

const defaultSize = 20;
export const maxPageSize = 50;

/** @throws SuiRejection above the maximum page size */
export function pageSizeOf({ first }: PageArgs): number {
  const size = first ?? defaultSize;
  if (size < 0 || size > maxPageSize)
    throw new SuiRejection(`Page size is too large: ${size} > ${maxPageSize}`);
  return size;
}

/** @param found the page, plus one item if more exist @param cursorOf returns the cursor after an item */
export function connection<Item, Node>(
  found: readonly Item[],
  size: number,
  { cursorOf, nodeOf }: { cursorOf(item: Item): string; nodeOf(item: Item): Node },
): Connection<Node> {
  const items = found.slice(0, size);
  const [first, last] = [items[0], items.at(-1)];
  return {
    nodes: items.map(nodeOf),
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: false,
      startCursor: first === undefined ? null : encode(cursorOf(first)),
      endCursor: last === undefined ? null : encode(cursorOf(last)),
    },
  };
}

/** Returns a page of a list in memory. */
export function slice<Item, Node>(
  items: readonly Item[],
  args: PageArgs,
  nodeOf: (item: Item) => Node,
): Connection<Node> {
  const from = args.after === null || args.after === undefined ? 0 : Number(decodeCursor(args.after)) + 1;
  if (!Number.isSafeInteger(from)) throw new SuiRejection('Invalid cursor');
  const indexed = items.map((item, at) => ({ item, at })).slice(from);
  return connection(indexed, pageSizeOf(args), {
    cursorOf: ({ at }) => String(at),
    nodeOf: ({ item }) => nodeOf(item),
  });
}

const encode = (text: string): string => Buffer.from(text).toString('base64');
export const decodeCursor = (cursor: string): string => Buffer.from(cursor, 'base64').toString();
