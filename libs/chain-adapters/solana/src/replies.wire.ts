import { stringify } from 'lossless-json';
import { UnreadableReply, readCount, readFields, readList, readText } from '@tollbridge/http';
import { addressFromBytes, splTokenProgram, token2022Program } from '@tollbridge/onchain/solana';
import type { ListedSignature, SolanaBlock } from './solana-types';
import { readSuccess } from './transaction.wire';
import { readAddress, readSignature } from './wire-fields';

// https://solana.com/docs/rpc/http

/** Returns the value next to its context. */
export const valueOf = (result: unknown): unknown => readFields(result, 'the result')['value'];

export function readBlock(result: unknown, slot: number): SolanaBlock {
  const fields = readFields(result, 'the block');
  const parentSlot = readCount(fields['parentSlot'], 'parentSlot');
  // The first block is its own parent.
  if (parentSlot >= slot && slot > 0) throw new UnreadableReply('parentSlot is not before the slot');
  return {
    height: slot,
    hash: readAddress(fields['blockhash'], 'blockhash'),
    parentHash: readAddress(fields['previousBlockhash'], 'previousBlockhash'),
    parentSlot,
    timeMs: readCount(fields['blockTime'], 'blockTime') * 1_000,
  };
}

/** Parses a page of at most `limit` signatures, newest first. */
export function readSignatures(result: unknown, limit: number): ListedSignature[] {
  const listed = readList(result, 'signatures').map((entry) => {
    const { signature, slot, err } = readFields(entry, 'signatures[]');
    return {
      signature: readSignature(signature, 'signature'),
      slot: readCount(slot, 'slot'),
      isSuccessful: readSuccess(err),
    };
  });
  if (listed.length > limit) throw new UnreadableReply('the page is longer than its limit');
  if (!listed.every(({ slot }, at) => at === 0 || slot <= listed[at - 1]!.slot))
    throw new UnreadableReply('the signatures are out of order');
  return listed;
}

/** Returns the error of a simulated transaction as short text; null without an error. */
export function readFailure(simulated: unknown): string | null {
  const { err } = readFields(simulated, 'value');
  if (err === null) return null;
  if (err === undefined) throw new UnreadableReply('err is missing');
  return (stringify(err) ?? '').slice(0, 200);
}

export function readOwner(account: unknown): string | null {
  return account === null ? null : readAddress(readFields(account, 'the account')['owner'], 'owner');
}

// In both programs, a token account starts with its mint (32 bytes), its owner (32 bytes) and its amount (8 bytes).
const accountBytes = 165;

export function readTokenAmounts(result: unknown, owner: string, mint: string): bigint[] {
  return readList(valueOf(result), 'value').map((entry) => {
    const { owner: program, data } = readFields(readFields(entry, 'value[]')['account'], 'account');
    const [text, encoding] = readList(data, 'data');
    const bytes = Buffer.from(readText(text, 'data'), 'base64');
    const isToken = program === splTokenProgram || program === token2022Program;
    if (!isToken || encoding !== 'base64' || bytes.length < accountBytes)
      throw new UnreadableReply('value[] is not a token account');
    if (
      addressFromBytes(bytes.subarray(0, 32)) !== mint ||
      addressFromBytes(bytes.subarray(32, 64)) !== owner
    )
      throw new UnreadableReply('value[] belongs to another request');
    return bytes.readBigUInt64LE(64);
  });
}
