export { deployLocalChain, type LocalChain, type PayTerms, type TestToken } from './local-chain';
