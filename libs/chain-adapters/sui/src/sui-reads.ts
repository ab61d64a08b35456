import type { BlockRef } from '@tollbridge/chain-port';
import { fieldsOf, ProviderError, UnreadableReply } from '@tollbridge/http';
import { BcsReader, canonicalMoveType, type SuiCoin } from '@tollbridge/onchain/sui';
import type { SuiNode } from './sui-node';
import {
  balanceChangeFields,
  checkpointFields,
  eventFields,
  eventTypeFields,
  pageInfoFields,
  pageSize,
  readBalanceChange,
  readCheckpoint,
  readEventType,
  readPage,
  readPlacedEvent,
  readTransaction,
  readType,
  transactionFields,
  type Page,
  type PlacedEvent,
  type SuiTransaction,
} from './wire';
import { readAddress, readAtomic, readBytes, readDigest, readList, readUint53 } from './wire-fields';

// More than Sui allows in one transaction: a node that sends page after page is not followed for ever.
const maxPages = 50;
// Nodes keep the index of events for a limited time, and answer nothing about the time before it.
const rangeField = `serviceConfig { availableRange(type: "Query", field: "events") { first { sequenceNumber } } }`;
const headField = `checkpoint { ${checkpointFields} }`;

/** The newest checkpoint of a node. */
export const readHead = (node: SuiNode): Promise<BlockRef> =>
  node.ask({ body: headField }, {}, ({ checkpoint }) => readCheckpoint(checkpoint, 'checkpoint'));

/** The head, and checkpoints by height: null where the node has none. Public nodes take 50 heights at once. */
export function readCheckpoints(
  node: SuiNode,
  heights: readonly number[],
): Promise<{ head: BlockRef; checkpoints: (BlockRef | null)[] }> {
  const body = `${headField} multiGetCheckpoints(keys: $heights) { ${checkpointFields} }`;
  return node.ask({ declared: '$heights: [UInt53!]!', body }, { heights }, (data) => {
    const found = readList(data['multiGetCheckpoints'], 'multiGetCheckpoints');
    const checkpoints = heights.map((height, at) => {
      if (found[at] === null || found[at] === undefined) return null;
      const checkpoint = readCheckpoint(found[at], 'multiGetCheckpoints[]');
      if (checkpoint.height !== height) throw new UnreadableReply('another checkpoint than the wanted one');
      return checkpoint;
    });
    return { head: readCheckpoint(data['checkpoint'], 'checkpoint'), checkpoints };
  });
}

/**
 * The head, and of each type the first page of events in checkpoints above a height, in the order of the chain. One request,
 * which a node answers as of its head: the pages are complete from `firstHeight` up to it.
 */
export function readEvents(
  node: SuiNode,
  types: readonly string[],
  above: number,
): Promise<{ head: BlockRef; firstHeight: number; pages: Page<PlacedEvent>[] }> {
  const filter = above < 0 ? '' : ', afterCheckpoint: $above';
  const declared = types.map((_type, at) => `, $t${at}: String!`).join('');
  const pages = types.map(
    (_type, at) => `e${at}: events(first: ${pageSize}, filter: { type: $t${at}${filter} }) { ...Page }`,
  );
  const variables = Object.fromEntries(types.map((type, at) => [`t${at}`, type]));
  return node.ask(
    {
      declared: above < 0 ? declared.slice(2) : `$above: UInt53!${declared}`,
      body: `${headField} ${rangeField} ${pages.join(' ')}`,
      fragments: eventPage,
    },
    above < 0 ? variables : { ...variables, above },
    (data) => ({
      head: readCheckpoint(data['checkpoint'], 'checkpoint'),
      firstHeight: readFirstHeight(data['serviceConfig']),
      pages: types.map((type, at) => readEventPage(data[`e${at}`], type, above)),
    }),
  );
}

function readFirstHeight(value: unknown): number {
  const { availableRange } = fieldsOf(value, 'serviceConfig');
  const { first } = fieldsOf(availableRange, 'availableRange');
  return readUint53(fieldsOf(first, 'availableRange.first')['sequenceNumber'], 'availableRange.first');
}

/**
 * The page of events of a type after a cursor, and the head up to which it is complete: a URL may hide nodes whose heads
 * differ, so this one may be lower than that of the page before.
 */
export function readMoreEvents(
  node: SuiNode,
  { type, above, cursor }: { type: string; above: number; cursor: string | null },
): Promise<{ head: BlockRef; page: Page<PlacedEvent> }> {
  const filter = above < 0 ? '' : ', afterCheckpoint: $above';
  return node.ask(
    {
      declared: `$type: String!, $cursor: String${above < 0 ? '' : ', $above: UInt53!'}`,
      body: `${headField} events(first: ${pageSize}, after: $cursor, filter: { type: $type${filter} }) { ...Page }`,
      fragments: eventPage,
    },
    { type, cursor, ...(above < 0 ? {} : { above }) },
    ({ checkpoint, events }) => ({
      head: readCheckpoint(checkpoint, 'checkpoint'),
      page: readEventPage(events, type, above),
    }),
  );
}

const eventPage = `fragment Page on EventConnection { ${pageInfoFields} nodes { ${eventFields} } }`;

function readEventPage(value: unknown, type: string, above: number): Page<PlacedEvent> {
  const page = readPage(value, 'events', readPlacedEvent);
  for (const [at, event] of page.items.entries()) {
    if (event.type !== type) throw new UnreadableReply('an event of another type');
    const before = page.items[at - 1]?.checkpoint.height ?? above + 1;
    if (event.checkpoint.height < before)
      throw new UnreadableReply('events are not in the order of the chain');
  }
  if (page.nextCursor !== null && page.items.length === 0) throw new UnreadableReply('a page without events');
  return page;
}

/** The head, and transactions by their digests, in their order: null where the node has none. */
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
  /** The lowest one, where several requests were needed. */
  head: BlockRef;
  transactions: (SuiTransaction | null)[];
}

/** Halves the list while its reply is unreadable: strangers can make transactions whose types have megabytes. */
async function readFirstPages(node: SuiNode, digests: readonly string[]): Promise<FirstPages> {
  try {
    return await readFirstPagesAtOnce(node, digests);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'badReply' || digests.length < 2) throw error;
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
      const { effects } = fieldsOf(transaction, 'transaction');
      return readPage(fieldsOf(effects, 'effects')[field], field, readItem);
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

/** @param coinType canonical */
export function readBalance(node: SuiNode, owner: string, coinType: string): Promise<bigint> {
  const body = 'address(address: $owner) { balance(coinType: $coinType) { coinType { repr } totalBalance } }';
  return node.ask(
    { declared: '$owner: SuiAddress!, $coinType: String!', body },
    { owner, coinType },
    (data) => {
      const { balance } = fieldsOf(data['address'], 'address');
      const fields = fieldsOf(balance, 'balance');
      if (readType(fields['coinType'], 'balance') !== coinType) throw new UnreadableReply('another coin');
      return readAtomic(fields['totalBalance'], 'totalBalance');
    },
  );
}

/** MIST for a unit of gas. */
export const readGasPrice = (node: SuiNode): Promise<bigint> =>
  node.ask({ body: 'epoch { referenceGasPrice }' }, {}, ({ epoch }) =>
    readAtomic(fieldsOf(epoch, 'epoch')['referenceGasPrice'], 'referenceGasPrice'),
  );

// 250 coins, the most that `chooseSuiCoins` takes.
const maxCoinPages = 5;

/**
 * Coins of an account that its transactions can name by version, from the 250 largest ones. Coins that are sequenced by
 * consensus (`ConsensusAddressOwner`) are left out.
 * @param coinType canonical
 */
export async function readCoins(node: SuiNode, owner: string, coinType: string): Promise<SuiCoin[]> {
  const type = canonicalMoveType(`0x2::coin::Coin<${coinType}>`);
  const body = `address(address: $owner) { objects(first: ${pageSize}, after: $cursor, filter: { type: $type }) {
    ${pageInfoFields} nodes { address version digest owner { __typename } contents { type { repr } bcs } } } }`;
  const coins: SuiCoin[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxCoinPages; page++) {
    const read: Page<SuiCoin | null> = await node.ask(
      { declared: '$owner: SuiAddress!, $type: String!, $cursor: String', body },
      { owner, type, cursor },
      ({ address }) =>
        readPage(fieldsOf(address, 'address')['objects'], 'objects', (item, name) =>
          readCoin(item, name, type),
        ),
    );
    coins.push(...read.items.filter((coin) => coin !== null));
    cursor = read.nextCursor;
    if (cursor === null) break;
  }
  return coins;
}

function readCoin(value: unknown, name: string, type: string): SuiCoin | null {
  const fields = fieldsOf(value, name);
  const contents = fieldsOf(fields['contents'], `${name}.contents`);
  if (readType(contents['type'], name) !== type) throw new UnreadableReply(`${name} is another object`);
  const objectId = readAddress(fields['address'], `${name}.address`);
  const coin = new BcsReader(readBytes(contents['bcs'], `${name}.bcs`));
  if (coin.address() !== objectId) throw new UnreadableReply(`${name} is another coin`);
  const balanceAtomic = coin.u64();
  coin.end();
  if (fieldsOf(fields['owner'], `${name}.owner`)['__typename'] !== 'AddressOwner') return null;
  return {
    objectId,
    version: BigInt(readUint53(fields['version'], `${name}.version`)),
    digest: readDigest(fields['digest'], `${name}.digest`),
    balanceAtomic,
  };
}
