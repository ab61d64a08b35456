import { chain } from './descriptor';

export const aptos = chain({
  id: 'aptos',
  caip2: 'aptos:1',
  shortName: 'aptos',
  aliases: ['apt', 'aptos:mainnet'],
  name: 'Aptos',
  family: 'aptos',
  isDirect: false,
  // Validators commit by Byzantine agreement, so a committed version is final.
  confirmations: 1,
  blockTimeMs: 200,
  tokens: [
    { symbol: 'APT', name: 'Aptos Coin', decimals: 8, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b',
    },
  ],
  // Source: the ordinary address in the tests of the official SDKs (AIP-40).
  sampleAddress: '0xca843279e3427144cead5e4d5999a3d0ca843279e3427144cead5e4d5999a3d0',
  balanceProtocols: ['aptos'],
  coinFeeAtomic: '2000000',
  explorerTxUrl: 'https://explorer.aptoslabs.com/txn/{tx}',
  oneClick: { blockchain: 'aptos', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'aptos', chain: 'aptos' },
});
