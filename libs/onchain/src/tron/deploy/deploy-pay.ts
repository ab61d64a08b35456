import { setTimeout as sleep } from 'node:timers/promises';
import { computeAddress, getBytes, keccak256, SigningKey } from 'ethers';
import { tollbridgePayCreationCode, tollbridgePayRuntimeHash } from '../../generated/tollbridge-pay';
import { evmToTronAddress, tronToHexAddress } from '../address';
import { tronContractAddress } from '../contract-address';
import { encodeMessage } from '../protobuf';
import { encodeRawData, refBlock, tronTxId, type TronCreation, type TronRawData } from '../raw-transaction';
import { estimateCreation, readNetwork, type TronNetwork } from './network';
import { TronNodeError, type TronNode } from './tron-node';

const expiresAfterMs = 120_000;
const pollEveryMs = 1_500;
/** A solid (irreversible) block is about a minute behind the head. */
const solidAfterMs = 120_000;
const feeLimitPercent = 120n;

export interface TronDeployment {
  address: string;
  txId: string;
}

/** The cost of a deployment. */
export interface TronDeploymentPlan {
  energy: bigint;
  /** In sun. */
  energyPrice: bigint;
  feeLimit: bigint;
  network: TronNetwork;
}

/**
 * The contract of the deployment's transaction. Callers pay for all energy, so no caller can use up the owner's staked
 * energy.
 */
export const payCreation = (owner: string): TronCreation => ({
  type: 'CreateSmartContract',
  owner,
  name: 'TollbridgePay',
  code: tollbridgePayCreationCode,
  callValue: 0n,
  callerPercent: 100n,
  ownerEnergyLimit: 1n,
});

/** Reads the network and simulates the deployment. Sends nothing and needs no key. */
export async function planDeployment(node: TronNode, owner: string): Promise<TronDeploymentPlan> {
  const network = await readNetwork(node);
  const energy = await estimateCreation(node, owner, tollbridgePayCreationCode);
  const { energyPrice, maxFeeLimit } = network;
  const feeLimit = (energy * energyPrice * feeLimitPercent) / 100n;
  if (feeLimit > maxFeeLimit) throw new Error(`The network allows a fee limit of ${maxFeeLimit} sun at most`);
  return { energy, energyPrice, feeLimit, network };
}

/**
 * Deploys TollbridgePay and verifies its code. Each call deploys a new contract, because Tron derives the address from
 * the transaction.
 * @param onBroadcast called before the transaction is sent, with the data to search for if the outcome stays unknown
 * @throws Error when the deployment failed, or when its outcome is unknown
 */
export async function deployTronPay(
  node: TronNode,
  key: SigningKey,
  onBroadcast: (deployment: TronDeployment) => void,
): Promise<TronDeployment> {
  const owner = evmToTronAddress(computeAddress(key));
  const { feeLimit, network } = await planDeployment(node, owner);
  const { head } = network;
  const raw: TronRawData = {
    contract: payCreation(owner),
    ...refBlock(head),
    expirationMs: head.timeMs + expiresAfterMs,
    timestampMs: head.timeMs,
    feeLimit,
  };
  const bytes = encodeRawData(raw);
  const txId = tronTxId(bytes);
  const deployment = { txId, address: tronContractAddress(txId, owner) };
  onBroadcast(deployment);
  await broadcast(node, bytes, key);
  await waitForSuccess(node, txId, raw.expirationMs);
  await requireTronPayCode(node, deployment.address);
  return deployment;
}

/** @throws Error when the contract at this address is not TollbridgePay */
export async function requireTronPayCode(node: TronNode, address: string): Promise<void> {
  const { runtimecode } = await node.post('wallet/getcontractinfo', { value: tronToHexAddress(address) });
  const hash = keccak256(`0x${typeof runtimecode === 'string' ? runtimecode : ''}`);
  if (hash !== tollbridgePayRuntimeHash)
    throw new Error(
      `The code at ${address} is not TollbridgePay: hash ${hash}, expected ${tollbridgePayRuntimeHash}`,
    );
}

async function broadcast(node: TronNode, rawData: Uint8Array, key: SigningKey): Promise<void> {
  const { r, s, yParity } = key.sign(`0x${tronTxId(rawData)}`);
  const signature = getBytes(`${r}${s.slice(2)}0${yParity}`);
  const transaction = Buffer.from(
    encodeMessage([
      [1, rawData],
      [2, signature],
    ]),
  ).toString('hex');
  try {
    const { result, code, message } = await node.post('wallet/broadcasthex', { transaction });
    if (result === true || code === 'DUP_TRANSACTION_ERROR') return;
    throw new Error(`The node rejected the transaction: ${String(code)} ${readable(message)}`);
  } catch (error) {
    // Without an answer the node may have accepted the transaction. The chain will show it.
    if (!(error instanceof TronNodeError)) throw error;
  }
}

async function waitForSuccess(node: TronNode, txId: string, expirationMs: number): Promise<void> {
  const deadline = Date.now() + expiresAfterMs + solidAfterMs;
  while (Date.now() < deadline) {
    const info = await solidInfo(node, txId);
    if (info.receipt?.result === 'SUCCESS') return;
    if (info.id !== undefined)
      throw new Error(`Transaction ${txId} failed: ${info.receipt?.result} ${readable(info.resMessage)}`);
    await sleep(pollEveryMs);
  }
  throw new Error(
    `The outcome of transaction ${txId} is unknown: look for it before another attempt. ` +
      `It cannot be included after ${new Date(expirationMs).toISOString()}`,
  );
}

interface TransactionInfo {
  id?: string;
  receipt?: { result?: string };
  resMessage?: string;
}

/** Returns an empty object while no solid block contains the transaction, and when the node does not answer. */
async function solidInfo(node: TronNode, txId: string): Promise<TransactionInfo> {
  return node.post('walletsolidity/gettransactioninfobyid', { value: txId }).catch((error: unknown) => {
    if (error instanceof TronNodeError) return {};
    throw error;
  });
}

/** Decodes a message. Nodes encode messages in hexadecimal. */
const readable = (message: unknown): string =>
  typeof message === 'string' ? Buffer.from(message, 'hex').toString() : '';
