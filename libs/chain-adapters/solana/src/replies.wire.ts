import { stringify } from 'lossless-json';
import { UnreadableReply } from '@tollbridge/http';
import { addressFromBytes, SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '@tollbridge/onchain/solana';
import type { ListedSignature, SolanaBlock } from './solana-types';
import { readSuccess } from './transaction.wire';
import { addressOf, countOf, fieldsOf, listOf, signatureOf, textOf } from './wire-fields';

// https://solana.com/docs/rpc/http

/** The value beside its context. */
export const valueOf = (result: unknown): unknown => fieldsOf(result, 'the result')['value'];

export function readBlock(result: unknown, slot: number): SolanaBlock {
  const fields = fieldsOf(result, 'the block');
  const parentSlot = countOf(fields['parentSlot'], 'parentSlot');
  // The first block is its own parent.
  if (parentSlot >= slot && slot > 0) throw new UnreadableReply('parentSlot is not before the slot');
  return {
    height: slot,
    hash: addressOf(fields['blockhash'], 'blockhash'),
    parentHash: addressOf(fields['previousBlockhash'], 'previousBlockhash'),
    parentSlot,
    timeMs: countOf(fields['blockTime'], 'blockTime') * 1_000,
  };
}

/** A page of signatures, newest first, of at most `limit`. */
export function readSignatures(result: unknown, limit: number): ListedSignature[] {
  const listed = listOf(result, 'signatures').map((entry) => {
    const { signature, slot, err } = fieldsOf(entry, 'signatures[]');
    return {
      signature: signatureOf(signature, 'signature'),
      slot: countOf(slot, 'slot'),
      isSuccessful: readSuccess(err),
    };
  });
  if (listed.length > limit) throw new UnreadableReply('the page is longer than its limit');
  if (!listed.every(({ slot }, at) => at === 0 || slot <= listed[at - 1]!.slot))
    throw new UnreadableReply('the signatures are out of order');
  return listed;
}

/** The error of a simulated transaction as short text; null where it has none. */
export function readFailure(simulated: unknown): string | null {
  const { err } = fieldsOf(simulated, 'value');
  if (err === null) return null;
  if (err === undefined) throw new UnreadableReply('err is missing');
  return (stringify(err) ?? '').slice(0, 200);
}

export function readOwner(account: unknown): string | null {
  return account === null ? null : addressOf(fieldsOf(account, 'the account')['owner'], 'owner');
}

// A token account: 32 bytes of its mint, 32 of its owner, 8 of its amount. Both programs begin with them.
const accountBytes = 165;

export function readTokenAmounts(result: unknown, owner: string, mint: string): bigint[] {
  return listOf(valueOf(result), 'value').map((entry) => {
    const { owner: program, data } = fieldsOf(fieldsOf(entry, 'value[]')['account'], 'account');
    const [text, encoding] = listOf(data, 'data');
    const bytes = Buffer.from(textOf(text, 'data'), 'base64');
    const isToken = program === SPL_TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
    if (!isToken || encoding !== 'base64' || bytes.length < accountBytes)
      throw new UnreadableReply('value[] is no token account');
    if (
      addressFromBytes(bytes.subarray(0, 32)) !== mint ||
      addressFromBytes(bytes.subarray(32, 64)) !== owner
    )
      throw new UnreadableReply('value[] belongs to another request');
    return bytes.readBigUInt64LE(64);
  });
}
