import type { BlockRef } from '@tollbridge/chain-port';
import {
  UnreadableReply,
  isAbsent,
  readBoolean,
  readCount,
  readFields,
  readList,
  readOptional,
} from '@tollbridge/http';
import { canonicalMoveType } from '@tollbridge/onchain/sui';
import {
  readAddress,
  readBytes,
  readDigest,
  readShortText,
  readSignedAtomic,
  readTimeMs,
} from './wire-fields';

// https://docs.sui.io/references/sui-api/sui-graphql/reference: a checkpoint is a block, and its sequence number is the
// height.

/** Fields of a checkpoint, for queries. */
export const checkpointFields = 'sequenceNumber digest timestamp previousCheckpointDigest';
/** Fields of an event with its position, for queries. */
export const eventFields = `sequenceNumber contents { type { repr } bcs }
  transaction { digest effects { status checkpoint { ${checkpointFields} } } }`;
export const pageInfoFields = 'pageInfo { hasNextPage endCursor }';
/** The largest page that public nodes allow. */
export const pageSize = 50;

// Digest that replaces the checkpoint before genesis.
const noDigest = '1'.repeat(32);
const noSender = `0x${'0'.repeat(64)}`;
const maxTypeLength = 4_000;

export function readCheckpoint(value: unknown, name: string): BlockRef {
  const fields = readFields(value, name);
  return {
    height: readCount(fields['sequenceNumber'], `${name}.sequenceNumber`),
    hash: readDigest(fields['digest'], `${name}.digest`),
    parentHash:
      readOptional(fields['previousCheckpointDigest'], `${name}.previousCheckpointDigest`, readDigest) ??
      noDigest,
    timeMs: readTimeMs(fields['timestamp'], `${name}.timestamp`),
  };
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

export function readPage<Item>(
  value: unknown,
  name: string,
  readItem: (item: unknown, name: string) => Item,
): Page<Item> {
  const { nodes, pageInfo } = readFields(value, name);
  const { hasNextPage, endCursor } = readFields(pageInfo, `${name}.pageInfo`);
  const hasMore = readBoolean(hasNextPage, `${name}.hasNextPage`);
  return {
    items: readList(nodes, `${name}.nodes`).map((item) => readItem(item, `${name}.nodes[]`)),
    nextCursor: hasMore ? readShortText(endCursor, `${name}.endCursor`) : null,
  };
}

/** An event of a requested type, with the checkpoint that includes it. */
export interface PlacedEvent {
  /** Canonical. */
  readonly type: string;
  readonly contents: Uint8Array;
  readonly txHash: string;
  readonly checkpoint: BlockRef;
}

export function readPlacedEvent(value: unknown, name: string): PlacedEvent {
  const event = readFields(value, name);
  const contents = readFields(event['contents'], `${name}.contents`);
  const { digest, effects } = readFields(event['transaction'], `${name}.transaction`);
  const { status, checkpoint } = readFields(effects, `${name}.effects`);
  if (status !== 'SUCCESS')
    throw new UnreadableReply(`${name} belongs to a transaction that did not succeed`);
  return {
    type: readType(contents['type'], name),
    contents: readBytes(contents['bcs'], `${name}.bcs`),
    txHash: readDigest(digest, `${name}.digest`),
    checkpoint: readCheckpoint(checkpoint, `${name}.checkpoint`),
  };
}

/** Parses the type of an event of any package. */
export const readEventType = (value: unknown, name: string): string =>
  readAnyType(readFields(readFields(value, name)['contents'], `${name}.contents`)['type'], name);

/**
 * Parses the type of an object that a third party made. It may be longer or deeper than our types, which is not an
 * error of the node. Returns the canonical text, or a text that equals no canonical type.
 */
function readAnyType(value: unknown, name: string): string {
  const { repr } = readFields(value, `${name}.type`);
  if (typeof repr !== 'string') throw new UnreadableReply(`${name} has no type`);
  try {
    return canonicalMoveType(repr.slice(0, maxTypeLength));
  } catch {
    return 'another type';
  }
}

/** Parses `{ repr }` of a type and returns its canonical text. */
export function readType(value: unknown, name: string): string {
  const text = readShortText(readFields(value, `${name}.type`)['repr'], `${name}.repr`);
  try {
    return canonicalMoveType(text);
  } catch {
    throw new UnreadableReply(`${name} has no type`);
  }
}

/** An account's gain or loss (negative) of a coin in a transaction, including gas. */
export interface BalanceChange {
  /** Null for frozen or shared coins. */
  readonly owner: string | null;
  /** Canonical. */
  readonly coinType: string;
  readonly amountAtomic: bigint;
}

export function readBalanceChange(value: unknown, name: string): BalanceChange {
  const { owner, coinType, amount } = readFields(value, name);
  return {
    owner: readOptional(owner, `${name}.owner`, readOwner),
    coinType: readAnyType(coinType, name),
    amountAtomic: readSignedAtomic(amount, `${name}.amount`),
  };
}

export interface SuiTransaction {
  readonly txHash: string;
  readonly sender: string;
  readonly succeeded: boolean;
  /** Null while no checkpoint includes the transaction. */
  readonly checkpoint: BlockRef | null;
  readonly eventTypes: Page<string>;
  readonly balanceChanges: Page<BalanceChange>;
}

// Without contents, because those of third-party events may have megabytes.
export const eventTypeFields = 'contents { type { repr } }';
export const balanceChangeFields = 'owner { address } coinType { repr } amount';
export const transactionFields = `digest sender { address } effects { status checkpoint { ${checkpointFields} }
  events(first: ${pageSize}) { ${pageInfoFields} nodes { ${eventTypeFields} } }
  balanceChanges(first: ${pageSize}) { ${pageInfoFields} nodes { ${balanceChangeFields} } } }`;

/** Returns null if the node does not have the transaction. @throws UnreadableReply for another transaction */
export function readTransaction(value: unknown, name: string, txHash: string): SuiTransaction | null {
  if (isAbsent(value)) return null;
  const fields = readFields(value, name);
  if (fields['digest'] !== txHash) throw new UnreadableReply(`${name} is not the requested transaction`);
  // Without effects, this node has not executed the transaction.
  if (isAbsent(fields['effects'])) return null;
  const effects = readFields(fields['effects'], `${name}.effects`);
  return {
    txHash,
    // Transactions of the network itself have no sender.
    sender: readOptional(fields['sender'], `${name}.sender`, readOwner) ?? noSender,
    succeeded: readStatus(effects['status'], name),
    checkpoint: readOptional(effects['checkpoint'], `${name}.checkpoint`, readCheckpoint),
    eventTypes: readPage(effects['events'], `${name}.events`, readEventType),
    balanceChanges: readPage(effects['balanceChanges'], `${name}.balanceChanges`, readBalanceChange),
  };
}

const readOwner = (value: unknown, name: string): string =>
  readAddress(readFields(value, name)['address'], name);

function readStatus(value: unknown, name: string): boolean {
  if (value !== 'SUCCESS' && value !== 'FAILURE') throw new UnreadableReply(`${name} has no status`);
  return value === 'SUCCESS';
}
