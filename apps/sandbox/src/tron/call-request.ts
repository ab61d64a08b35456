import {
  encodeRawData,
  refBlock,
  tronZeroAddress,
  tronToEvmAddress,
  tronTxId,
  type ExactJsonObject,
  type TronContract,
  type TronRawData,
} from '@tollbridge/onchain/tron';
import { concat, dataSlice, id } from 'ethers';
import { blockRef, blockTimeMs } from './blocks';
import { addressIn, amountIn, bytesIn, isVisible, optionalAddressIn, type Params } from './params';
import { BadRequest } from './tron-rejection';
import type { Execution } from './tvm';
import { unsignedJson } from './wire';
import type { EvmBlock } from './anvil-node';

const lifetimeMs = 60_000;
/** Address of the contract in a simulated deployment. */
const simulatedContract = `0x${'0'.repeat(36)}c0de`;

/** Returns the call data: `data`, or a selector such as `transfer(address,uint256)` with its encoded parameters. */
export function callData(params: Params): string {
  const selector = params['function_selector'];
  if (selector === undefined || selector === '') return bytesIn(params, 'data');
  if (typeof selector !== 'string') throw new BadRequest('function_selector must be a string');
  return concat([dataSlice(id(selector), 0, 4), bytesIn(params, 'parameter')]);
}

/** Returns the execution of `triggerconstantcontract`: a call, or a deployment without a contract address. */
export function executionIn(params: Params): Execution {
  const from = evm(addressIn(params, 'owner_address'));
  const contract = optionalAddressIn(params, 'contract_address');
  const value = amountIn(params, 'call_value');
  const data = callData(params);
  return contract === undefined
    ? { from, to: simulatedContract, value, data: '0x', code: data }
    : { from, to: evm(contract), value, data };
}

/** Returns the transaction that a node builds for the client to sign. */
export function unsignedRequest(params: Params, contract: TronContract, head: EvmBlock): ExactJsonObject {
  const timeMs = blockTimeMs(head);
  const raw: TronRawData = {
    contract,
    ...refBlock(blockRef(head)),
    expirationMs: timeMs + lifetimeMs,
    timestampMs: timeMs,
    feeLimit: amountIn(params, 'fee_limit'),
  };
  const bytes = encodeRawData(raw);
  return unsignedJson(raw, tronTxId(bytes), bytes, isVisible(params));
}

export function callIn(params: Params): TronContract {
  return {
    type: 'TriggerSmartContract',
    owner: addressIn(params, 'owner_address'),
    contract: optionalAddressIn(params, 'contract_address') ?? tronZeroAddress,
    callValue: amountIn(params, 'call_value'),
    data: callData(params),
  };
}

export function transferIn(params: Params): TronContract {
  return {
    type: 'TransferContract',
    owner: addressIn(params, 'owner_address'),
    to: addressIn(params, 'to_address'),
    amount: amountIn(params, 'amount'),
  };
}

const evm = (address: string): string => tronToEvmAddress(address).toLowerCase();
