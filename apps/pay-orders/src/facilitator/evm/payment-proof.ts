// Verifies on the chain that a settlement was paid.
import { tokenTransfers, type EvmLog, type EvmReceipt, type EvmRpc } from '@tollbridge/evm';
import { permit2Address, x402ExactProxyAddress, x402UptoProxyAddress } from '@tollbridge/onchain';
import { id as topicOf, Interface, zeroPadValue } from 'ethers';
import type { Settlement } from '../settlement';
import { channelEvents, movedBy, readChannelCall } from './channel-contract';

const transferTopic = topicOf('Transfer(address,address,uint256)');
const authorizationUsedTopic = topicOf('AuthorizationUsed(address,bytes32)');
const proxies = [x402ExactProxyAddress, x402UptoProxyAddress].map((it) => it.toLowerCase());
const permit2 = new Interface(['function nonceBitmap(address owner, uint256 word) view returns (uint256)']);

/**
 * Whether the token moved exactly the amount from payer to receiver, since a token call may succeed without a transfer.
 * With `batch-settlement`, whether the call of the channel contract took effect.
 */
export function isPaidBy(settlement: Settlement, receipt: EvmReceipt): boolean {
  const { token, payTo, payer, amountAtomic } = settlement;
  const { succeeded, logs, txHash } = receipt;
  if (settlement.scheme === 'batch-settlement') return succeeded && hasChannelEffect(settlement, receipt);
  return (
    succeeded &&
    tokenTransfers(logs, token, payTo, txHash).some(
      (it) => it.from.toLowerCase() === payer && it.amountAtomic === amountAtomic,
    )
  );
}

function hasChannelEffect({ network, data, amountAtomic }: Settlement, receipt: EvmReceipt): boolean {
  const call = readChannelCall(network, data);
  // Both succeed without an event if another account has claimed or settled before.
  if (call.name === 'claim' || call.name === 'settle') return true;
  const moved = movedBy(call, receipt);
  return call.name === 'refund' ? moved.length > 0 : moved.includes(amountAtomic);
}

/**
 * Transactions of other accounts that settled the authorisation, up to a block, because any account may send a signed
 * authorisation. @throws RpcError
 */
export async function paidElsewhere(rpc: EvmRpc, settlement: Settlement, toBlock: number): Promise<string[]> {
  const fromBlock = Math.min(settlement.sinceHeight, toBlock);
  const isPermit = settlement.contract === permit2Address.toLowerCase();
  if (isPermit && !(await isPermitUsed(rpc, settlement, toBlock))) return [];
  const needsProxy = isPermit && settlement.scheme !== 'batch-settlement';
  const filter = eventsOf(settlement, isPermit);
  const found = filter ? await rpc.logs({ ...filter, fromBlock, toBlock }) : [];
  const hashes = [...new Set(found.map(({ txHash }) => txHash))];
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(rpc, hash)));
  return receipts
    .filter((receipt) => isPaidBy(settlement, receipt) && (!needsProxy || receipt.logs.some(isOfProxy)))
    .map(({ txHash }) => txHash);
}

/** The filter for events that every transaction with this effect emits; undefined for a claim or `settle`. */
function eventsOf(settlement: Settlement, isPermit: boolean) {
  const { token: address, payer, payTo, nonce, scheme, network, data, contract } = settlement;
  const isOfChannel = scheme === 'batch-settlement' && (isPermit || contract !== address);
  if (isOfChannel) {
    const call = readChannelCall(network, data);
    return 'channelId' in call ? channelEvents(call) : undefined;
  }
  const topics = isPermit
    ? [transferTopic, zeroPadValue(payer, 32), zeroPadValue(payTo, 32)]
    : [authorizationUsedTopic, zeroPadValue(payer, 32), nonce];
  return { address, topics };
}

/** @throws Error when this node lags behind the node that returned the event; retry then */
async function receiptOf(rpc: EvmRpc, hash: string): Promise<EvmReceipt> {
  const receipt = await rpc.receipt(hash);
  if (!receipt) throw new Error(`the node has no receipt of ${hash}, the transaction of an event`);
  return receipt;
}

const isOfProxy = ({ address }: EvmLog): boolean => proxies.includes(address.toLowerCase());

async function isPermitUsed(rpc: EvmRpc, { payer, nonce }: Settlement, height: number): Promise<boolean> {
  const place = BigInt(nonce);
  const data = permit2.encodeFunctionData('nonceBitmap', [payer, place >> 8n]);
  const word = BigInt(await rpc.ethCall({ to: permit2Address, data }, height));
  return ((word >> (place & 255n)) & 1n) === 1n;
}
