import { decodeRawData, encodeMessage, refBlock, tronTxId, type TronRawData } from '@tollbridge/onchain/tron';
import type { AccountBandwidth } from './account-bandwidth';
import type { AnvilNode, EvmBlock } from './anvil-node';
import { blockRef, blockTimeMs } from './blocks';
import { evmAddress } from './evm-address';
import { signatureError, signerOf } from './signature';
import type { Transactions } from './transactions';
import type { Tvm } from './tvm';
import { invalidContract, TronRejection } from './tron-rejection';

const maxBytes = 500 * 1_024;
// A node stores the result with the transaction, in this number of bytes.
const resultBytes = 64;
const recentBlocks = 65_536;
const maxLifetimeMs = 86_400_000;

export interface SignedTransaction {
  rawData: Uint8Array;
  /** Hex without `0x`. */
  signatures: readonly string[];
  /** The ABI of a deployed contract, as JSON. */
  abi?: unknown;
}

/** The parts of the network that validation depends on. */
export interface ValidatingNode {
  readonly node: Pick<AnvilNode, 'block' | 'balance'>;
  readonly tvm: Pick<Tvm, 'exists'>;
  readonly transactions: Pick<Transactions, 'find'>;
  readonly bandwidth: Pick<AccountBandwidth, 'feeOf'>;
  head(): Promise<EvmBlock>;
}

/** A valid transaction, ready for execution. */
export interface Prepared {
  signed: SignedTransaction;
  raw: TronRawData;
  id: string;
  netUsage: bigint;
  netFee: bigint;
}

/** Validates a transaction as a full node does. @throws TronRejection for an invalid transaction */
export async function prepareTransaction(
  chain: ValidatingNode,
  signed: SignedTransaction,
): Promise<Prepared> {
  const raw = readRawData(signed.rawData);
  const id = tronTxId(signed.rawData);
  const { owner } = raw.contract;
  requireSignature(signed, id, owner);
  const head = await chain.head();
  await requireRecentBlock(chain, raw, head);
  requireValidTime(raw, blockTimeMs(head));
  const size = BigInt(sizeOf(signed));
  if (size > BigInt(maxBytes)) throw new TronRejection('TOO_BIG_TRANSACTION_ERROR', 'Too big transaction');
  if (await chain.transactions.find(id)) throw new TronRejection('DUP_TRANSACTION_ERROR', 'Dup transaction.');
  if (!(await chain.tvm.exists(evmAddress(owner))))
    throw invalidContract(`account [${owner}] does not exist`);
  const netUsage = size + BigInt(resultBytes);
  const netFee = await chain.bandwidth.feeOf(owner, netUsage, blockTimeMs(head));
  if (netFee > (await chain.node.balance(evmAddress(owner))))
    throw new TronRejection('BANDWITH_ERROR', 'Account resource insufficient error.');
  return { signed, raw, id, netUsage, netFee };
}

function requireSignature({ signatures }: SignedTransaction, id: string, owner: string): void {
  if (signatures.length !== 1) throw signatureError('one signature is needed');
  if (signerOf(id, signatures[0]!) !== owner) throw signatureError(`${owner} is not the account that signed`);
}

async function requireRecentBlock({ node }: ValidatingNode, raw: TronRawData, head: EvmBlock): Promise<void> {
  const height = Number(head.number);
  const named = parseInt(raw.refBlockBytes, 16);
  const distance = (height - named) & (recentBlocks - 1);
  const block = distance > height ? null : await node.block(height - distance);
  if (!block || refBlock(blockRef(block)).refBlockHash !== raw.refBlockHash)
    throw new TronRejection('TAPOS_ERROR', 'Tapos check error.');
}

function requireValidTime({ expirationMs }: TronRawData, headMs: number): void {
  if (expirationMs <= headMs || expirationMs > headMs + maxLifetimeMs)
    throw new TronRejection('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
}

function readRawData(bytes: Uint8Array): TronRawData {
  try {
    return decodeRawData(bytes);
  } catch (error) {
    throw invalidContract((error as Error).message);
  }
}

/** Returns the size of the signed transaction in bytes. */
function sizeOf({ rawData, signatures }: SignedTransaction): number {
  const signed = signatures.map((signature): [number, Uint8Array] => [2, Buffer.from(signature, 'hex')]);
  return encodeMessage([[1, rawData], ...signed]).length;
}
