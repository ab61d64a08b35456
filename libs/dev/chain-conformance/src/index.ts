export { coinSenderAbi, coinSenderCode } from './coin-sender';
export { describeChainAdapter, type ChainHarness } from './chain-adapter';
