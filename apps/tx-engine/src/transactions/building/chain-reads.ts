import {
  noReason,
  revertReason,
  RpcError,
  type EvmReads,
  type EvmReceipt,
  type EvmRpc,
} from '@tollbridge/evm';
import type { RouteToken } from '@tollbridge/routing';
import { depositTopic, transferTopic, withdrawalTopic } from '../../chains/erc20';
import type { SetTransaction } from '../transaction-set';

export interface NonceView {
  /** The nonce in the latest block. */
  mined: number;
  /** The nonce including the transaction pool. */
  pending: number;
}

export async function readNonces(rpc: EvmRpc, signer: string): Promise<NonceView> {
  const count = (tag: string) => ({ method: 'eth_getTransactionCount', params: [signer, tag] });
  const [mined, pending] = await rpc.batch([count('latest'), count('pending')]);
  return { mined: Number(mined), pending: Number(pending) };
}

/** Whether the blocks are in the canonical chain of this node. Nodes behind one URL may differ. */
export async function areInChain(
  rpc: EvmRpc,
  blocks: readonly { height: number; hash: string }[],
): Promise<boolean> {
  const found = await rpc.blocksAt(blocks.map(({ height }) => height));
  return blocks.every(({ hash }, at) => found[at]?.hash === hash);
}

/**
 * Returns the amount that a transaction paid to a recipient. Contracts pay native coins without a log. A log of
 * unwrapping shows the coins of a swap; otherwise, the balances before and after the block show them.
 */
export async function received(
  rpc: EvmRpc,
  receipt: EvmReceipt,
  token: RouteToken,
  recipient: string,
): Promise<bigint> {
  if (token.address !== null) return transferred(receipt, token.address, recipient);
  const unwrapped = receipt.logs
    .filter(({ topics, data }) => topics[0] === withdrawalTopic && data.length === 66)
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
  if (unwrapped > 0n && (await isNamed(rpc, receipt, recipient))) return unwrapped;
  const [before, after] = (await rpc.batch(
    [receipt.height - 1, receipt.height].map((height) => ({
      method: 'eth_getBalance',
      params: [recipient, `0x${height.toString(16)}`],
    })),
  )) as [string, string];
  const paidForGas =
    receipt.from === recipient.toLowerCase() ? receipt.gasUsed * (receipt.gasPriceAtomic ?? 0n) : 0n;
  const gained = BigInt(after) - BigInt(before) + paidForGas;
  return gained > 0n ? gained : 0n;
}

/** Whether the transaction contains the recipient, because the log of unwrapping does not. */
async function isNamed(rpc: EvmRpc, { txHash, from, logs }: EvmReceipt, recipient: string): Promise<boolean> {
  const name = recipient.toLowerCase().slice(2);
  if (from.endsWith(name)) return true;
  if (logs.some(({ topics, data }) => [...topics, data].some((it) => it.includes(name)))) return true;
  return (await rpc.transaction(txHash))?.data.includes(name) ?? false;
}

/** Sums the transfers to the recipient. Most wrapped coins emit Deposit and no Transfer when they are minted. */
function transferred({ logs }: EvmReceipt, token: string, recipient: string): bigint {
  const [contract, receiver] = [token.toLowerCase(), recipient.toLowerCase().slice(2)];
  const sum = (event: string, indexed: number) =>
    logs
      .filter(
        ({ address, topics, data }) =>
          address === contract &&
          topics.length === indexed + 1 &&
          topics[0] === event &&
          topics[indexed]!.slice(26) === receiver &&
          data.length === 66,
      )
      .reduce((total, { data }) => total + BigInt(data), 0n);
  return sum(transferTopic, 2) || sum(depositTopic, 1);
}

/** Returns the revert reason of a mined transaction, by simulating it on the block before its own, then on its own. */
export async function reasonOfRevert(
  rpc: EvmRpc,
  from: string,
  transaction: SetTransaction,
): Promise<string> {
  const { block, gasUsedUnits, gasLimitUnits } = transaction;
  for (const height of [block!.height - 1, block!.height]) {
    const reason = await reasonAt(rpc, from, transaction, height);
    if (reason !== undefined && reason !== noReason) return reason;
  }
  // By the 63/64 rule (EIP-150), some gas is left when a nested call runs out of gas.
  return gasUsedUnits !== null && gasUsedUnits * 10n >= gasLimitUnits * 9n ? 'ran out of gas' : noReason;
}

/** Returns undefined if the call does not revert, or the node gives no reason. */
async function reasonAt(
  rpc: EvmRpc,
  from: string,
  { to, data, valueAtomic }: SetTransaction,
  height: number,
): Promise<string | undefined> {
  try {
    await rpc.ethCall({ from, to, data, valueAtomic }, height);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'rejected') throw error;
    const { data: returned } = error;
    if (typeof returned === 'string') return revertReason(returned);
    // Some nodes return the reason only in the message.
    const reason = /revert(?:ed)?:?\s+(.{1,200})/i.exec(error.nodeMessage ?? '')?.[1];
    return reason?.replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
  }
}

export interface Replacement {
  /** Null if the node has pruned the state of that block. */
  hash: string | null;
  /** The height of its block, or of a later one. */
  height: number;
  isSameCall: boolean;
}

// The first step of the backward search. Each further step doubles it.
const searchedBlocks = 64;

/** Finds the transaction that used the nonce; undefined while this node does not have it. */
export async function findReplacement(
  reads: EvmReads,
  signer: string,
  { nonce, to, data, valueAtomic }: SetTransaction,
  head: number,
): Promise<Replacement | undefined> {
  const isUsedAt = async (height: number) =>
    Number(await reads.call('eth_getTransactionCount', [signer, `0x${height.toString(16)}`])) > nonce;
  if (!(await isUsedAt(head))) return undefined;
  let [low, high] = [Math.max(0, head - searchedBlocks), head];
  try {
    while (low > 0 && (await isUsedAt(low))) [low, high] = [Math.max(0, low - 2 * (head - low)), low];
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'rejected') throw error;
    return { hash: null, height: high, isSameCall: false };
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isUsedAt(middle)) high = middle;
    else low = middle;
  }
  const block = (await reads.call('eth_getBlockByNumber', [`0x${high.toString(16)}`, true])) as {
    transactions?: Record<string, string>[];
  } | null;
  const found = block?.transactions?.find(
    (it) => it['from']?.toLowerCase() === signer.toLowerCase() && Number(it['nonce']) === nonce,
  );
  if (!found?.['hash']) return undefined;
  const isSameCall =
    found['to']?.toLowerCase() === to.toLowerCase() &&
    found['input']?.toLowerCase() === data &&
    BigInt(found['value'] ?? '0x0') === valueAtomic;
  return { hash: found['hash'].toLowerCase(), height: high, isSameCall };
}
