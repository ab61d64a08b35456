import { tronToHexAddress } from '../address';
import type { TronBlockRef } from '../raw-transaction';
import type { TronNode } from './tron-node';

/** The parameters of a network that a deployment needs, and the newest block. */
export interface TronNetwork {
  /** Sun burnt for each unit of energy. */
  energyPrice: bigint;
  /** The highest fee limit of a transaction, in sun. */
  maxFeeLimit: bigint;
  head: TronBlockRef & { timeMs: number };
}

const requiredParameters = ['getAllowTvmShangHai', 'getAllowTvmCancun'];

/** @throws Error for a network if its virtual machine lacks an opcode of the contract */
export async function readNetwork(node: TronNode): Promise<TronNetwork> {
  const { chainParameter } = await node.post('wallet/getchainparameters');
  const parameters = new Map(
    (chainParameter as { key: string; value?: number }[]).map(({ key, value = 0 }) => [key, BigInt(value)]),
  );
  const missing = requiredParameters.filter((key) => parameters.get(key) !== 1n);
  if (missing.length > 0)
    throw new Error(`The network has not activated ${missing.join(', ')}: TollbridgePay would not run there`);
  return {
    energyPrice: parameters.get('getEnergyFee')!,
    maxFeeLimit: parameters.get('getMaxFeeLimit')!,
    head: await readHead(node),
  };
}

/**
 * Estimates the energy for deploying this code from this account.
 * @throws Error when the deployment would fail
 */
export async function estimateCreation(node: TronNode, owner: string, code: string): Promise<bigint> {
  const request = { owner_address: tronToHexAddress(owner), data: code.slice(2), call_value: 0 };
  const { result, energy_used } = await node.post('wallet/triggerconstantcontract', request);
  const { message, code: reason } = result as { message?: string; code?: string };
  // For a revert a node returns a message, but still a true result.
  if (message !== undefined || typeof energy_used !== 'number')
    throw new Error(`The deployment would fail: ${Buffer.from(message ?? '', 'hex').toString() || reason}`);
  return BigInt(energy_used);
}

async function readHead(node: TronNode): Promise<TronNetwork['head']> {
  const { blockID, block_header } = await node.post('wallet/getnowblock');
  const { number = 0, timestamp } = (block_header as { raw_data: { number?: number; timestamp: number } })
    .raw_data;
  return { height: number, id: String(blockID), timeMs: timestamp };
}
