export {
  openPaymentChain,
  openPaymentChains,
  openReadChains,
  type OpenChain,
  type PaymentChain,
  type ReadChain,
} from './families';
