export { evmRpcOf } from './chain-rpc';
export { newestBefore } from './block-by-time';
export { ChainCheck } from './chain-check';
export { readBlock, readLog } from './evm-wire';
export { type HttpLimits, postJson } from './http-post';
export { JsonRpcClient } from './json-rpc-client';
export { parseRpcUrl, type RpcUrl } from './rpc-url';
export { readHash, readSafeQuantity } from './wire-fields';
export {
  codeOf,
  coinBalance,
  estimateGas,
  maxTransactionGas,
  minedCount,
  tokenBalance,
  type Tried,
} from './account-reads';
export { defaultMaxRange, type FollowOptions, nextUpdate } from './block-follower';
export { broadcast, type SendOutcome } from './broadcast';
export { beforeGenesis, type ChainUpdate, InconsistentChain, knownAfter } from './chain-update';
export { type BlockAt, type EthCall, EvmReads } from './evm-reads';
export type { BlockRef, EvmLog, EvmReceipt, EvmTransaction } from './evm-types';
export { EvmPaymentAdapter } from './payments/evm-payment.adapter';
export { EvmTransferReader } from './payments/evm-transfer-reader';
export { otherTransfers, tokenTransfers } from './payments/token-transfers';
export { transferCall, walletCalls } from './payments/wallet-calls';
export { readGasPrice, type GasPrice, type GasTerms } from './gas-price';
export { affordablePerGas, feesFor, raisedFees, type FeeBounds, type RelayFees } from './relay-fees';
export type { RpcRequest } from './json-rpc';
export type { LogFilter } from './request-params';
export type { EndpointHealth, UnhealthyEvent } from './rpc-endpoint';
export { noReason, revertReason } from './revert-reason';
export { RpcError, type RpcErrorKind, type RpcErrorReason } from './rpc-error';
export { EvmRpc, type EvmRpcOptions } from './rpc-pool';
export type { UnhealthyReason } from '@tollbridge/chain-nodes';
export { signCall, type RelayCall, type SignedCall } from './sign-call';
export { simulateCalls, type Call, type SimulatedCall, type SimulatedLog } from './simulate-calls';
