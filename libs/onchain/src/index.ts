export { create2Factory } from './create2';
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
export { deployMulticall3, multicall3Address } from './multicall3';
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
export { deployPermit2, permit2Address } from './permit2';
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
  x402BatchSettlementAddress,
  x402Erc3009CollectorAddress,
  x402ExactProxyAddress,
  x402Permit2CollectorAddress,
  x402UptoProxyAddress,
} from './x402-contracts';
