// Reads x402 payments to a wallet on an EVM chain, from any sending account.
import {
  InconsistentChain,
  tokenTransfers,
  type EvmLog,
  type EvmReceipt,
  type EvmRpc,
} from '@tollbridge/evm';
import { x402ExactProxyAddress, x402UptoProxyAddress } from '@tollbridge/onchain';
import { id as topicOf, zeroPadValue } from 'ethers';
import type { Received } from './received';

interface ReceivedFilter {
  network: string;
  /** Lower-case. */
  asset: string;
  wallet: string;
  payer?: string;
  fromBlock: number;
  toBlock: number;
}

const transferTopic = topicOf('Transfer(address,address,uint256)');
const authorizationUsedTopic = topicOf('AuthorizationUsed(address,bytes32)');
const proxies = [x402ExactProxyAddress, x402UptoProxyAddress].map((it) => it.toLowerCase());
const topicOfAddress = (address: string): string => zeroPadValue(address.toLowerCase(), 32);

/**
 * @param claimedIn the number of sales that each transaction has paid; no receipt is read when sales cover all
 * transfers
 * @throws RpcError
 */
export async function receivedOnEvm(
  rpc: EvmRpc,
  { network, asset, wallet, payer, fromBlock, toBlock }: ReceivedFilter,
  claimedIn: (transactions: readonly string[]) => Promise<ReadonlyMap<string, number>> = async () =>
    new Map(),
): Promise<(Received & { height: number })[]> {
  const topics = [transferTopic, payer === undefined ? null : topicOfAddress(payer), topicOfAddress(wallet)];
  const logs = await rpc.logs({ address: asset, topics, fromBlock, toBlock });
  const transactions = [...new Set(logs.map(({ txHash }) => txHash))];
  const claimed = transactions.length === 0 ? new Map() : await claimedIn(transactions);
  const found: (Received & { height: number })[] = [];
  for (const hash of transactions) {
    if (claimed.get(hash) === logs.filter(({ txHash }) => txHash === hash).length) continue;
    const receipt = await rpc.receipt(hash);
    // This node is behind the node that returned the log. The next attempt reads the receipt.
    if (!receipt) throw new InconsistentChain(`the receipt of ${hash} is missing`);
    found.push(...paymentsIn(receipt, { network, asset, wallet, payer }));
  }
  return found;
}

function paymentsIn(
  receipt: EvmReceipt,
  {
    network,
    asset,
    wallet,
    payer,
  }: Pick<ReceivedFilter, 'network' | 'asset' | 'wallet'> & { payer: string | undefined },
): (Received & { height: number })[] {
  const { txHash: transaction, height, logs } = receipt;
  const isByProxy = [receipt.to, ...logs.map(({ address }) => address)].some(
    (address) => address !== null && proxies.includes(address.toLowerCase()),
  );
  const authorizations = authorizationsIn(logs, asset);
  return tokenTransfers(logs, asset, wallet, transaction).flatMap(({ from, amountAtomic, logIndex }) => {
    const sender = from.toLowerCase();
    if (payer !== undefined && sender !== payer) return [];
    const nonce = authorizations.get(logIndex) ?? (isByProxy ? `${transaction}:${logIndex}` : null);
    return [{ network, asset, payer: sender, nonce, amountAtomic, transaction, logIndex, height }];
  });
}

/**
 * Returns the nonces that EIP-3009 emits just before its transfers, by the index of the transfer. Each nonce belongs to
 * one transfer: the transaction may also contain Permit2 transfers of the same payer, or transfers to other receivers.
 */
function authorizationsIn(logs: readonly EvmLog[], asset: string): ReadonlyMap<number, string> {
  const own = logs
    .filter(({ address }) => address.toLowerCase() === asset)
    .sort((one, other) => one.logIndex - other.logIndex);
  const transfers = own.filter(({ topics }) => topics[0] === transferTopic);
  const nonces = new Map<number, string>();
  for (const { topics, logIndex } of own.filter(({ topics: [topic] }) => topic === authorizationUsedTopic)) {
    const open = transfers.filter((it) => it.topics[1] === topics[1] && !nonces.has(it.logIndex));
    const paid = open.find((it) => it.logIndex > logIndex) ?? open.at(-1);
    if (paid) nonces.set(paid.logIndex, topics[2]!.toLowerCase());
  }
  return nonces;
}
