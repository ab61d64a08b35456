import {
  noReason,
  revertReason,
  RpcError,
  type EvmReads,
  type EvmReceipt,
  type EvmRpc,
} from '@tollbridge/evm';
import type { RouteToken } from '@tollbridge/routing';
import { depositTopic, transferTopic, withdrawalTopic } from '../chains/erc20';
import type { SetTransaction } from './transaction-set';

export interface NonceView {
  /** Of the newest block. */
  mined: number;
  /** With what waits in the pool. */
  pending: number;
}

export async function readNonces(rpc: EvmRpc, signer: string): Promise<NonceView> {
  const count = (tag: string) => ({ method: 'eth_getTransactionCount', params: [signer, tag] });
  const [mined, pending] = await rpc.batch([count('latest'), count('pending')]);
  return { mined: Number(mined), pending: Number(pending) };
}

/** Whether these blocks are the chain's: a node that is on a fork, or one of several behind a URL, shows others. */
export async function areInChain(
  rpc: EvmRpc,
  blocks: readonly { height: number; hash: string }[],
): Promise<boolean> {
  const found = await rpc.blocksAt(blocks.map(({ height }) => height));
  return blocks.every(({ hash }, at) => found[at]?.hash === hash);
}

/**
 * What a transaction brought to a recipient. Coins that contracts pay show in no log of theirs, but those that come from
 * swaps were wrapped before, and the unwrapping shows; otherwise the balance tells, before the block and after it.
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

/** Whether a transaction has anything to do with somebody: the unwrapping does not say for whom it was. */
async function isNamed(rpc: EvmRpc, { txHash, from, logs }: EvmReceipt, who: string): Promise<boolean> {
  const name = who.toLowerCase().slice(2);
  if (from.endsWith(name)) return true;
  if (logs.some(({ topics, data }) => [...topics, data].some((it) => it.includes(name)))) return true;
  return (await rpc.transaction(txHash))?.data.includes(name) ?? false;
}

/** Most wrapped coins tell of no transfer when they are made. */
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

/** Why a mined transaction reverted: it is run once more, on the block before its own, and on what came before it there. */
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
  // A call gets 63 of 64 parts of what is left, so something is left where one of them took all that it got.
  return gasUsedUnits !== null && gasUsedUnits * 10n >= gasLimitUnits * 9n ? 'ran out of gas' : noReason;
}

/** undefined where it does not revert, or where the node does not say why. */
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
    // Some nodes say it in words only.
    const said = /revert(?:ed)?:?\s+(.{1,200})/i.exec(error.nodeMessage ?? '')?.[1];
    return said?.replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
  }
}

export interface Replacement {
  /** null where the node does not keep what is so old. */
  hash: string | null;
  /** Of its block, or of a block above it. */
  height: number;
  isSameCall: boolean;
}

// The first step back in the search; each of the next ones is twice as long.
const searchedBlocks = 64;

/** The transaction that used a signer's nonce up; undefined while this node does not show it. */
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
