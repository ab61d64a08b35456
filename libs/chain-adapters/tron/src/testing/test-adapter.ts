import type { BlockRef } from '@tollbridge/chain-port';
import type { DirectChain } from '@tollbridge/chains';
import type { ProviderError } from '@tollbridge/http';
import { encodeRawData, tronTxId, type TronContract } from '@tollbridge/onchain/tron';
import { tronNodes } from '../open';
import { TronPaymentAdapter } from '../payments/tron-payment.adapter';
import { fetchFrom, hashOf, type FakeNode } from './fake-node';
import { chainOf, merchant, payer } from './fixtures';

/** Two nodes in memory, and the warnings that the adapter has logged about them. */
export interface TestNodes {
  one: FakeNode;
  two: FakeNode;
  warnings: Record<string, unknown>[];
  clock?: { now(): number };
}

export function adapterOver(
  { one, two, warnings, clock }: TestNodes,
  hosts: readonly string[],
  changes: Partial<DirectChain> = {},
): TronPaymentAdapter {
  const chain = { ...chainOf(hosts), ...changes };
  const log = { warn: (about: object) => void warnings.push({ ...about }) };
  const options = { fetch: fetchFrom({ one, two }), ...(clock && { clock }) };
  return new TronPaymentAdapter(chain, tronNodes(chain, log, options));
}

/** The stored blocks of a caller, with this height as the newest. */
export const known = (height: number): BlockRef[] => [
  {
    height,
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    timeMs: 1_800_000_000_000 + height * 3_000,
  },
];

/** The bytes of a transaction in a node's reply. */
export function replyOf(bytes: Uint8Array): { txID: string; raw_data_hex: string } {
  return { txID: tronTxId(bytes), raw_data_hex: Buffer.from(bytes).toString('hex') };
}

/** A transfer of five sun from the payer to the merchant. */
export const transfer: TronContract = { type: 'TransferContract', owner: payer, to: merchant, amount: 5n };

export const signed = (contract: TronContract, memo = '') =>
  replyOf(
    encodeRawData({
      contract,
      refBlockBytes: 'ffff',
      refBlockHash: 'ff'.repeat(8),
      expirationMs: 1_800_000_060_000,
      timestampMs: 1_800_000_000_000,
      feeLimit: 0n,
      memo,
    }),
  );

/** Returns the outcome of a call: `answered`, or the kind of its error. */
export const kindOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: ProviderError) => error.kind,
  );
