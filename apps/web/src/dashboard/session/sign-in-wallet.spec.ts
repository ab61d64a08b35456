import type { FoundWallet } from '../../wallets/providers';
import { signInWallet } from './sign-in-wallet';

const info = { uuid: 'u1', name: 'N'.repeat(100), icon: 'https://wallet.example/icon.png' };
const provider = { request: async () => undefined };
const standard = (...features: string[]): FoundWallet => {
  const named = Object.fromEntries(features.map((feature) => [feature, {}]));
  return { kind: 'standard', wallet: { name: 'W', icon: '', chains: [], accounts: [], features: named } };
};

describe('signInWallet', () => {
  it('cuts the name to 64 characters, and omits an icon that is not a data URL', () => {
    const wallet = signInWallet({ kind: 'evm', info, provider });
    expect(wallet).toMatchObject({ id: 'evm u1', name: 'N'.repeat(64), family: 'EVM', icon: undefined });
  });

  it('accepts TON and Solana wallets, and returns undefined for families without a sign-in scheme', () => {
    const ton: FoundWallet = { kind: 'ton', key: 'tonkeeper', bridge: {} as never };
    expect(signInWallet(ton)).toMatchObject({ id: 'ton tonkeeper', name: 'tonkeeper', family: 'TON' });
    const solana = signInWallet(standard('standard:connect', 'solana:signMessage'));
    expect(solana).toMatchObject({ id: 'standard W', name: 'W', family: 'Solana' });
    expect(signInWallet(standard('standard:connect', 'sui:signPersonalMessage'))).toBeUndefined();
    expect(signInWallet({ kind: 'tron', info, provider })).toBeUndefined();
  });
});
