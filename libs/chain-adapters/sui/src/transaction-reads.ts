import type { BlockRef } from '@tollbridge/chain-port';
import { ProviderError, readFields, readList } from '@tollbridge/http';
import type { SuiNode } from './sui-node';
import { headField } from './checkpoint-reads';
import {
  balanceChangeFields,
  eventTypeFields,
  pageInfoFields,
  pageSize,
  readBalanceChange,
  readCheckpoint,
  readEventType,
  readPage,
  readTransaction,
  transactionFields,
  type Page,
  type SuiTransaction,
} from './wire';

// More than Sui allows in one transaction. This bound stops reading from a node that sends pages endlessly.
const maxPages = 50;

/** Reads the head, and transactions by their digests in the same order, with null for missing ones. */
export async function readTransactions(
  node: SuiNode,
  digests: readonly string[],
): Promise<{ head: BlockRef; transactions: (SuiTransaction | null)[] }> {
  const { head, transactions } = await readFirstPages(node, digests);
  const whole: (SuiTransaction | null)[] = [];
  for (const transaction of transactions) whole.push(transaction && (await readRest(node, transaction)));
  return { head, transactions: whole };
}

interface FirstPages {
  /** The lowest head, if several requests were needed. */
  head: BlockRef;
  transactions: (SuiTransaction | null)[];
}

/**
 * Halves the list while a request fails, because types in transactions of third parties may exceed the reply limits of
 * nodes.
 */
async function readFirstPages(node: SuiNode, digests: readonly string[]): Promise<FirstPages> {
  try {
    return await readFirstPagesAtOnce(node, digests);
  } catch (error) {
    const isAboutList =
      error instanceof ProviderError && (error.kind === 'badReply' || error.status !== undefined);
    if (!isAboutList || digests.length < 2) throw error;
    const middle = Math.ceil(digests.length / 2);
    const one = await readFirstPages(node, digests.slice(0, middle));
    const other = await readFirstPages(node, digests.slice(middle));
    const head = one.head.height < other.head.height ? one.head : other.head;
    return { head, transactions: [...one.transactions, ...other.transactions] };
  }
}

function readFirstPagesAtOnce(node: SuiNode, digests: readonly string[]): Promise<FirstPages> {
  const body = `${headField} multiGetTransactions(keys: $digests) { ${transactionFields} }`;
  return node.ask({ declared: '$digests: [String!]!', body }, { digests }, (data) => {
    const found = readList(data['multiGetTransactions'], 'multiGetTransactions');
    const transactions = digests.map((digest, at) => readTransaction(found[at], 'transaction', digest));
    return { head: readCheckpoint(data['checkpoint'], 'checkpoint'), transactions };
  });
}

/** Reads the pages after the first ones. */
async function readRest(node: SuiNode, transaction: SuiTransaction): Promise<SuiTransaction> {
  const { txHash } = transaction;
  const eventTypes = await allPages(transaction.eventTypes, (cursor) =>
    readPart(node, { txHash, cursor, field: 'events', nodes: eventTypeFields }, readEventType),
  );
  const balanceChanges = await allPages(transaction.balanceChanges, (cursor) =>
    readPart(
      node,
      { txHash, cursor, field: 'balanceChanges', nodes: balanceChangeFields },
      readBalanceChange,
    ),
  );
  return { ...transaction, eventTypes, balanceChanges };
}

function readPart<Item>(
  node: SuiNode,
  { txHash, cursor, field, nodes }: { txHash: string; cursor: string; field: string; nodes: string },
  readItem: (value: unknown, name: string) => Item,
): Promise<Page<Item>> {
  const list = `${field}(first: ${pageSize}, after: $cursor) { ${pageInfoFields} nodes { ${nodes} } }`;
  return node.ask(
    {
      declared: '$digest: String!, $cursor: String',
      body: `transaction(digest: $digest) { effects { ${list} } }`,
    },
    { digest: txHash, cursor },
    ({ transaction }) => {
      const { effects } = readFields(transaction, 'transaction');
      return readPage(readFields(effects, 'effects')[field], field, readItem);
    },
  );
}

async function allPages<Item>(
  first: Page<Item>,
  next: (cursor: string) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const items = [...first.items];
  let cursor = first.nextCursor;
  for (let page = 1; cursor !== null && page < maxPages; page++) {
    const more = await next(cursor);
    items.push(...more.items);
    cursor = more.nextCursor;
  }
  return { items, nextCursor: cursor };
}
