import { tollbridgePayAbi } from '@tollbridge/onchain';
import {
  aTronOrder,
  tronFeeReceiver as feeReceiver,
  tronMerchant as merchant,
  tronPayer as payer,
  tronUsdt as usdt,
} from '@tollbridge/onchain/testing';
import { hashTronOrder, tronPaymentOrder, tronToEvmAddress } from '@tollbridge/onchain/tron';
import type { DirectChain } from '@tollbridge/chains';
import { findChain } from '@tollbridge/chains';
import { Interface } from 'ethers';
import { hashOf } from './fake-node';

export { feeReceiver, merchant, payer, usdt };
export const contract = 'TTfzLC82EV5tAvGrCTftnYg1t3N2hRuGeT';
export const otherContract = 'TPAsUZ94mM5Thaygug93jYhqDG7iQAYSeE';
export const txId = 'ef'.repeat(32);

/** A chain of `CHAINS_FILE` with nodes at these hosts. */
export function chainOf(hosts: readonly string[]): DirectChain {
  return {
    ...findChain('tron')!,
    rpcUrls: hosts.map((host) => `http://${host}`),
    pollIntervalMs: 3_000,
    maxLagBlocks: 5,
    contracts: [],
    payContract: contract,
    formerPayContracts: [],
    startHeight: 0,
  };
}

export const order = aTronOrder();

const pay = new Interface(tollbridgePayAbi);

/** A log in JSON-RPC format: the payment of the order at a contract. */
export function paidLog(height: number, at = contract): Record<string, unknown> {
  const event = pay.getEvent('OrderPaid')!;
  const terms = tronPaymentOrder(order) as unknown as Record<string, unknown>;
  const known: Record<string, unknown> = { ...terms, payer: tronToEvmAddress(payer) };
  const values = event.inputs.map(({ name }) => known[camelToSnake(name)] ?? hashTronOrder(order));
  const { data, topics } = pay.encodeEventLog(event, values);
  return {
    address: tronToEvmAddress(at).toLowerCase(),
    topics,
    data,
    blockNumber: `0x${height.toString(16)}`,
    blockHash: `0x${hashOf(height)}`,
    transactionHash: `0x${txId}`,
    logIndex: '0x3',
    removed: false,
  };
}

const camelToSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The receipt of a transaction with these logs. */
export const receiptOf = (height: number, logs: readonly unknown[], status = '0x1') => ({
  transactionHash: `0x${txId}`,
  blockHash: `0x${hashOf(height)}`,
  blockNumber: `0x${height.toString(16)}`,
  from: null,
  to: null,
  status,
  logs,
});
