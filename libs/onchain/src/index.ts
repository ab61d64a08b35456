export {
  CREATE2_FACTORY,
  deployTollbridgePay,
  tollbridgePayAddress,
  type TollbridgePayDeployment,
} from './deploy';
export {
  tollbridgePayAbi,
  tollbridgePayCompiler,
  tollbridgePayCreationCode,
  tollbridgePayRuntimeHash,
} from './generated/tollbridge-pay';
export { hashPaymentOrder, orderIdToBytes16, orderIdToUuid, type PaymentOrder } from './payment-order';
export {
  deployTestToken,
  deployUsdc,
  type SandboxTokenHandle,
  type TestTokenOptions,
  type UsdcOptions,
} from './sandbox-tokens';
