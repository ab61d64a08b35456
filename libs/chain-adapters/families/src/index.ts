export {
  openPaymentChains,
  openReadChains,
  type OpenChain,
  type PaymentChain,
  type ReadChain,
} from './families';
