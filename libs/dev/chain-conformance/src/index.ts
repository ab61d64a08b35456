export { describeChainAdapter, type ChainHarness } from './chain-adapter';
