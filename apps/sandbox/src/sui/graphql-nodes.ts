import { coinBalance, coinTypeIn, type Owner, type SuiObject } from './objects';
import type { Checkpoint } from './sui-chain';
import { slice, type PageArgs } from './pages';
import type { StoredEvent, StoredTransaction } from './sui.repository';

// Values of GraphQL types. A field with arguments is a function that the executor calls.

export const epochNode = { epochId: 0, referenceGasPrice: '1000' };

export const checkpointNode = ({ height, digest, previousDigest, timeMs }: Checkpoint) => ({
  sequenceNumber: height,
  digest,
  previousCheckpointDigest: previousDigest,
  timestamp: new Date(timeMs).toISOString(),
});

export const typeNode = (type: string) => ({ repr: type });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The reads that the nodes of a request need. */
export interface NodeReads {
  address(id: string): object;
  transaction(digest: string): Promise<object | null>;
  /** Returns null for a checkpoint above the head. */
  checkpoint(height: number): Checkpoint | null;
  events(digest: string, args: PageArgs): Promise<object>;
}

export function objectNode(object: SuiObject, reads: NodeReads) {
  const move = moveObjectNode(object, reads);
  return { ...move, asMoveObject: move };
}

export function moveObjectNode(
  { id, version, digest, owner, type, contents, previousTransaction }: SuiObject,
  reads: NodeReads,
) {
  const isCoin = coinTypeIn(type) !== undefined;
  return {
    address: id,
    version: Number(version),
    digest,
    owner: ownerNode(owner, reads),
    contents: {
      type: typeNode(type),
      bcs: base64(contents),
      json: isCoin ? { id, balance: String(coinBalance({ contents })) } : { id },
    },
    // The genesis is not stored as a transaction.
    previousTransaction: async () =>
      (await reads.transaction(previousTransaction)) ?? { digest: previousTransaction },
  };
}

function ownerNode(owner: Owner, reads: NodeReads) {
  if (owner.kind === 'shared') return { __typename: 'Shared', initialSharedVersion: Number(owner.version) };
  const __typename = owner.kind === 'address' ? 'AddressOwner' : 'ObjectOwner';
  return { __typename, address: () => reads.address(owner.id) };
}

export function transactionNode(stored: StoredTransaction, reads: NodeReads) {
  const node: object = {
    digest: stored.digest,
    sender: () => reads.address(stored.outcome.sender),
    transactionBcs: base64(stored.data),
    signatures: stored.signatures.map((signatureBytes) => ({ signatureBytes })),
    effects: () => effectsNode(stored, node, reads),
  };
  return node;
}

export function effectsNode(stored: StoredTransaction, transaction: object, reads: NodeReads) {
  const { digest, outcome } = stored;
  const { failure, changes, balanceChanges } = outcome;
  const checkpoint = reads.checkpoint(stored.checkpoint);
  return {
    digest,
    transaction,
    status: failure === null ? 'SUCCESS' : 'FAILURE',
    executionError: failure === null ? null : { message: failure },
    effectsBcs: base64(stored.effects),
    epoch: epochNode,
    checkpoint: checkpoint && checkpointNode(checkpoint),
    timestamp: checkpoint && new Date(checkpoint.timeMs).toISOString(),
    events: (args: PageArgs) => reads.events(digest, args),
    balanceChanges: (args: PageArgs) =>
      slice(balanceChanges, args, ({ owner, coinType, amount }) => {
        return { owner: () => reads.address(owner), coinType: typeNode(coinType), amount };
      }),
    objectChanges: (args: PageArgs) =>
      slice(changes, args, ({ id, before, after }) => ({
        address: id,
        inputState: before && stateNode(id, before),
        outputState: after && stateNode(id, after),
        idCreated: before === null,
        idDeleted: after === null,
      })),
    unchangedConsensusObjects: (args: PageArgs) => slice([], args, (it) => it),
  };
}

const stateNode = (id: string, { version, type }: { version: number; type: string }) => ({
  address: id,
  version,
  asMoveObject: { address: id, version, contents: { type: typeNode(type) } },
});

export const eventNode = ({ position, type, contents, digest }: StoredEvent, reads: NodeReads) => ({
  sequenceNumber: position,
  contents: { type: typeNode(type), bcs: base64(contents) },
  transaction: () => reads.transaction(digest),
});
