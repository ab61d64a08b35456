import { base58 } from '@scure/base';
import { BcsWriter } from '@tollbridge/onchain/sui';
import { hashOf, writeOwner, type SuiObject } from './objects';
import type { SuiFailure } from './sui-rejection';

export interface GasUsed {
  readonly computationMist: bigint;
  readonly storageMist: bigint;
  readonly rebateMist: bigint;
  readonly nonRefundableMist: bigint;
}

/** The change of one object by a transaction. */
export interface ObjectChange {
  readonly id: string;
  readonly before: SuiObject | null;
  readonly after: SuiObject | null;
}

export interface Effects {
  readonly digest: string;
  readonly failure: SuiFailure | undefined;
  readonly gasUsed: GasUsed;
  readonly gasCoinId: string;
  readonly version: bigint;
  /** Changes by ascending object id. */
  readonly changes: readonly ObjectChange[];
  readonly events: readonly { type: string; contents: Uint8Array }[];
}

// Indexes of the variants of `ExecutionFailureStatus`.
const reasons: Readonly<Record<string, number>> = {
  InsufficientGas: 0,
  InsufficientCoinBalance: 7,
  MoveAbort: 12,
  CommandArgumentError: 19,
  UnusedValueWithoutDrop: 21,
};

/** Encodes `TransactionEffects` version 2 in BCS. */
export function encodeEffects(effects: Effects): Uint8Array {
  const { digest, gasUsed, gasCoinId, version, changes, events } = effects;
  const writer = new BcsWriter().length(1);
  writeStatus(effects.failure, writer);
  writer.u64(0n);
  writer.u64(gasUsed.computationMist).u64(gasUsed.storageMist);
  writer.u64(gasUsed.rebateMist).u64(gasUsed.nonRefundableMist);
  writer.byteVector(base58.decode(digest));
  const gasAt = changes.findIndex(({ id }) => id === gasCoinId);
  writer.length(1).u16(gasAt).u16(0);
  writeOption(events.length === 0 ? undefined : base58.decode(eventsDigest(events)), writer);
  const dependencies = new Set(changes.flatMap(({ before }) => before?.previousTransaction ?? []));
  writer.vector([...dependencies].sort(), (it, to) => to.byteVector(base58.decode(it)));
  writer.u64(version);
  writer.vector(changes, writeChange);
  return writer.length(0).length(0).bytes;
}

function writeStatus(failure: SuiFailure | undefined, writer: BcsWriter): void {
  if (!failure) {
    writer.length(0);
    return;
  }
  const { reason, command, abort } = failure;
  writer.length(1).length(reasons[reason] ?? reasons['CommandArgumentError']!);
  if (abort)
    writer.address(abort.packageId).text('pay').u16(0).u16(0).length(1).text('pay').u64(BigInt(abort.code));
  // The error kind "invalid use of a value", for the first argument.
  else if (reason === 'CommandArgumentError') writer.u16(0).length(8);
  else if (reason === 'UnusedValueWithoutDrop') writer.u16(command).u16(0);
  writer.length(1).u64(BigInt(command));
}

function writeChange({ id, before, after }: ObjectChange, writer: BcsWriter): void {
  writer.address(id);
  if (before) {
    writer.length(1).u64(before.version).byteVector(base58.decode(before.digest));
    writeOwner(before.owner, writer);
  } else writer.length(0);
  if (after) {
    writer.length(1).byteVector(base58.decode(after.digest));
    writeOwner(after.owner, writer);
  } else writer.length(0);
  const operation = before ? (after ? 0 : 2) : 1;
  writer.length(operation);
}

function writeOption(bytes: Uint8Array | undefined, writer: BcsWriter): void {
  if (bytes) writer.length(1).byteVector(bytes);
  else writer.length(0);
}

const eventsDigest = (events: Effects['events']): string =>
  hashOf(
    'TransactionEvents::',
    new BcsWriter().vector(events, (it, to) => to.text(it.type).byteVector(it.contents)).bytes,
  );
