import type { BlockRef } from '@tollbridge/chain-port';
import { fieldsOf, UnreadableReply, type Fields } from '@tollbridge/http';
import { canonicalMoveType } from '@tollbridge/onchain/sui';
import {
  readAddress,
  readBoolean,
  readBytes,
  readDigest,
  readList,
  readSignedAtomic,
  readText,
  readTimeMs,
  readUint53,
} from './wire-fields';

// https://docs.sui.io/references/sui-api/sui-graphql/reference: a checkpoint is a block, its sequence number the height.

/** Fields of a checkpoint, for queries. */
export const checkpointFields = 'sequenceNumber digest timestamp previousCheckpointDigest';
/** Fields of an event with its place, for queries. */
export const eventFields = `sequenceNumber contents { type { repr } bcs }
  transaction { digest effects { status checkpoint { ${checkpointFields} } } }`;
export const pageInfoFields = 'pageInfo { hasNextPage endCursor }';
/** The largest page that public nodes allow. */
export const pageSize = 50;

// The genesis checkpoint has no checkpoint before it.
const noDigest = '1'.repeat(32);
const noSender = `0x${'0'.repeat(64)}`;
const maxTypeLength = 4_000;

export function readCheckpoint(value: unknown, name: string): BlockRef {
  const fields = fieldsOf(value, name);
  const previous = fields['previousCheckpointDigest'];
  return {
    height: readUint53(fields['sequenceNumber'], `${name}.sequenceNumber`),
    hash: readDigest(fields['digest'], `${name}.digest`),
    parentHash:
      previous === null || previous === undefined
        ? noDigest
        : readDigest(previous, `${name}.previousCheckpointDigest`),
    timeMs: readTimeMs(fields['timestamp'], `${name}.timestamp`),
  };
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

export function readPage<Item>(
  value: unknown,
  name: string,
  readItem: (item: unknown, name: string) => Item,
): Page<Item> {
  const { nodes, pageInfo } = fieldsOf(value, name);
  const { hasNextPage, endCursor } = fieldsOf(pageInfo, `${name}.pageInfo`);
  const hasMore = readBoolean(hasNextPage, `${name}.hasNextPage`);
  return {
    items: readList(nodes, `${name}.nodes`).map((item) => readItem(item, `${name}.nodes[]`)),
    nextCursor: hasMore ? readText(endCursor, `${name}.endCursor`) : null,
  };
}

/** An event of a type that a query asked for, with the checkpoint that includes it. */
export interface PlacedEvent {
  /** Canonical. */
  readonly type: string;
  readonly contents: Uint8Array;
  readonly txHash: string;
  readonly checkpoint: BlockRef;
}

export function readPlacedEvent(value: unknown, name: string): PlacedEvent {
  const event = fieldsOf(value, name);
  const contents = fieldsOf(event['contents'], `${name}.contents`);
  const { digest, effects } = fieldsOf(event['transaction'], `${name}.transaction`);
  const { status, checkpoint } = fieldsOf(effects, `${name}.effects`);
  if (status !== 'SUCCESS') throw new UnreadableReply(`${name} is of a transaction that did not succeed`);
  return {
    type: readType(contents['type'], name),
    contents: readBytes(contents['bcs'], `${name}.bcs`),
    txHash: readDigest(digest, `${name}.digest`),
    checkpoint: readCheckpoint(checkpoint, `${name}.checkpoint`),
  };
}

/** The type of an event of any package. */
export const readEventType = (value: unknown, name: string): string =>
  readAnyType(fieldsOf(fieldsOf(value, name)['contents'], `${name}.contents`)['type'], name);

/**
 * The type of what strangers made: it may be longer or deeper than any type of ours, which says nothing about the node.
 * Canonical, or a text that equals no canonical type.
 */
function readAnyType(value: unknown, name: string): string {
  const { repr } = fieldsOf(value, `${name}.type`);
  if (typeof repr !== 'string') throw new UnreadableReply(`${name} has no type`);
  try {
    return canonicalMoveType(repr.slice(0, maxTypeLength));
  } catch {
    return 'another type';
  }
}

/** `{ repr }` of a type, canonical. */
export function readType(value: unknown, name: string): string {
  const text = readText(fieldsOf(value, `${name}.type`)['repr'], `${name}.repr`);
  try {
    return canonicalMoveType(text);
  } catch {
    throw new UnreadableReply(`${name} has no type`);
  }
}

/** What an account gained (or lost, negative) of a coin in a transaction, its gas included. */
export interface BalanceChange {
  /** Null for coins that were frozen, or shared with all accounts. */
  readonly owner: string | null;
  /** Canonical. */
  readonly coinType: string;
  readonly amountAtomic: bigint;
}

export function readBalanceChange(value: unknown, name: string): BalanceChange {
  const { owner, coinType, amount } = fieldsOf(value, name);
  return {
    owner:
      owner === null || owner === undefined
        ? null
        : readAddress(fieldsOf(owner, `${name}.owner`)['address'], `${name}.owner`),
    coinType: readAnyType(coinType, name),
    amountAtomic: readSignedAtomic(amount, `${name}.amount`),
  };
}

export interface SuiTransaction {
  readonly txHash: string;
  readonly sender: string;
  readonly succeeded: boolean;
  /** Null while no checkpoint includes it. */
  readonly checkpoint: BlockRef | null;
  readonly eventTypes: Page<string>;
  readonly balanceChanges: Page<BalanceChange>;
}

// Without contents: those of strangers' events may have megabytes.
export const eventTypeFields = 'contents { type { repr } }';
export const balanceChangeFields = 'owner { address } coinType { repr } amount';
export const transactionFields = `digest sender { address } effects { status checkpoint { ${checkpointFields} }
  events(first: ${pageSize}) { ${pageInfoFields} nodes { ${eventTypeFields} } }
  balanceChanges(first: ${pageSize}) { ${pageInfoFields} nodes { ${balanceChangeFields} } } }`;

/** Null where the node has none. @throws UnreadableReply for another transaction than the wanted one */
export function readTransaction(value: unknown, name: string, txHash: string): SuiTransaction | null {
  if (value === null || value === undefined) return null;
  const fields = fieldsOf(value, name);
  if (fields['digest'] !== txHash) throw new UnreadableReply(`${name} is another transaction`);
  // A transaction without effects has not been executed here.
  if (fields['effects'] === null || fields['effects'] === undefined) return null;
  const effects = fieldsOf(fields['effects'], `${name}.effects`);
  return {
    txHash,
    sender: readSender(fields, name),
    succeeded: readStatus(effects['status'], name),
    checkpoint: readOwnCheckpoint(effects['checkpoint'], `${name}.checkpoint`),
    eventTypes: readPage(effects['events'], `${name}.events`, readEventType),
    balanceChanges: readPage(effects['balanceChanges'], `${name}.balanceChanges`, readBalanceChange),
  };
}

const readOwnCheckpoint = (value: unknown, name: string): BlockRef | null =>
  value === null || value === undefined ? null : readCheckpoint(value, name);

/** Transactions of the network itself have no sender. */
function readSender({ sender }: Fields, name: string): string {
  if (sender === null || sender === undefined) return noSender;
  return readAddress(fieldsOf(sender, `${name}.sender`)['address'], `${name}.sender`);
}

function readStatus(value: unknown, name: string): boolean {
  if (value !== 'SUCCESS' && value !== 'FAILURE') throw new UnreadableReply(`${name} has no status`);
  return value === 'SUCCESS';
}
