export { tonDeployment, type TonDeployment } from './deployment';
export { jettonWalletAddress } from './jetton-wallet';
export { usdtOnTon } from './known-jettons';
export { decodeTonOrder, encodeTonOrder, hashTonOrder, type TonJetton, type TonOrder } from './order';
export {
  decodeTonRecord,
  tonCoinPayment,
  tonCoinPaymentNano,
  tonJettonForwardNano,
  tonJettonPayment,
  tonJettonPaymentNano,
  tonPayAddress,
  tonPayOps,
  tonPayStateInit,
  tonReturnReason,
  tonReturnReasons,
  tonSettlementAddress,
  tonSettlementStateInit,
  tonSweep,
  tonSweepNano,
  tonTransferId,
  type TonPaidOrder,
  type TonPaymentMessage,
  type TonReturnReason,
  type TonStateInit,
} from './pay';
