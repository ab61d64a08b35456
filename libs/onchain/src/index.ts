export { CREATE2_FACTORY } from './create2';
export { deployTollbridgePay, tollbridgePayAddress, type TollbridgePayDeployment } from './deploy';
export {
  tollbridgePayAbi,
  tollbridgePayCompiler,
  tollbridgePayCreationCode,
  tollbridgePayRuntimeHash,
} from './generated/tollbridge-pay';
export { tollbridgePayoutsAbi, tollbridgePayoutsCreationCode } from './generated/tollbridge-payouts';
export { walletSignatureCheckCreationCode } from './generated/wallet-signature-check';
export { mined } from './mined';
export { deployMulticall3, MULTICALL3_ADDRESS } from './multicall3';
export {
  decodeOrderPaid,
  orderPaidTopic,
  type EventLog,
  type OrderPaid,
  type OrderPaidFields,
} from './order-paid';
export { hashPaymentOrder, orderIdToBytes16, orderIdToUuid, type PaymentOrder } from './payment-order';
export {
  deployTollbridgePayouts,
  tollbridgePayoutsAddress,
  type TollbridgePayoutsDeployment,
} from './payouts';
export { deployPermit2, PERMIT2_ADDRESS } from './permit2';
export {
  deployOddToken,
  deployTestToken,
  deployUsdc,
  deployWrappedEther,
  sandboxTokenAt,
  wrappedEtherAt,
  type OddHabits,
  type OddToken,
  type SandboxTokenHandle,
  type TestTokenOptions,
  type UsdcOptions,
} from './sandbox-tokens';
export {
  deploySandboxWallet,
  sandboxWalletCreation,
  walletHabits,
  type WalletHabit,
} from './sandbox-wallets';
export {
  deployX402Contracts,
  X402_BATCH_SETTLEMENT_ADDRESS,
  X402_ERC3009_COLLECTOR_ADDRESS,
  X402_EXACT_PROXY_ADDRESS,
  X402_PERMIT2_COLLECTOR_ADDRESS,
  X402_UPTO_PROXY_ADDRESS,
} from './x402-contracts';
