// What the chain shows of a settlement.
import { tokenTransfers, type EvmLog, type EvmReceipt, type EvmRpc } from '@tollbridge/evm';
import { PERMIT2_ADDRESS, X402_EXACT_PROXY_ADDRESS, X402_UPTO_PROXY_ADDRESS } from '@tollbridge/onchain';
import { id as topicOf, Interface, zeroPadValue } from 'ethers';
import type { Settlement } from '../settlement';

const transferTopic = topicOf('Transfer(address,address,uint256)');
const authorizationUsedTopic = topicOf('AuthorizationUsed(address,bytes32)');
const proxies = [X402_EXACT_PROXY_ADDRESS, X402_UPTO_PROXY_ADDRESS].map((it) => it.toLowerCase());
const permit2 = new Interface(['function nonceBitmap(address owner, uint256 word) view returns (uint256)']);

/** Whether the token moved exactly the amount from payer to receiver. A token may succeed without a transfer. */
export function isPaidBy(settlement: Settlement, { succeeded, logs, txHash }: EvmReceipt): boolean {
  const { token, payTo, payer, amountAtomic } = settlement;
  return (
    succeeded &&
    tokenTransfers(logs, token, payTo, txHash).some(
      (it) => it.from.toLowerCase() === payer && it.amountAtomic === amountAtomic,
    )
  );
}

/**
 * Transactions of other accounts that settled the authorization, up to a block: any account may send a signed
 * authorization. @throws RpcError
 */
export async function paidElsewhere(rpc: EvmRpc, settlement: Settlement, toBlock: number): Promise<string[]> {
  const fromBlock = Math.min(settlement.sinceHeight, toBlock);
  const isPermit = settlement.contract === PERMIT2_ADDRESS.toLowerCase();
  if (isPermit && !(await isPermitUsed(rpc, settlement, toBlock))) return [];
  const { token: address, payer, payTo, nonce } = settlement;
  const topics = isPermit
    ? [transferTopic, zeroPadValue(payer, 32), zeroPadValue(payTo, 32)]
    : [authorizationUsedTopic, zeroPadValue(payer, 32), nonce];
  const found = await rpc.logs({ address, topics, fromBlock, toBlock });
  const hashes = [...new Set(found.map(({ txHash }) => txHash))];
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(rpc, hash)));
  return receipts
    .filter((receipt) => isPaidBy(settlement, receipt) && (!isPermit || receipt.logs.some(isOfProxy)))
    .map(({ txHash }) => txHash);
}

/** @throws Error when this node lags behind the one that returned the event: retry */
async function receiptOf(rpc: EvmRpc, hash: string): Promise<EvmReceipt> {
  const receipt = await rpc.receipt(hash);
  if (!receipt) throw new Error('the receipt of an event is missing');
  return receipt;
}

const isOfProxy = ({ address }: EvmLog): boolean => proxies.includes(address.toLowerCase());

async function isPermitUsed(rpc: EvmRpc, { payer, nonce }: Settlement, height: number): Promise<boolean> {
  const place = BigInt(nonce);
  const data = permit2.encodeFunctionData('nonceBitmap', [payer, place >> 8n]);
  const word = BigInt(await rpc.ethCall({ to: PERMIT2_ADDRESS, data }, height));
  return ((word >> (place & 255n)) & 1n) === 1n;
}
