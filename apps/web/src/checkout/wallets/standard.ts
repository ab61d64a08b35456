import { base58 } from '../../wallets/base58';
import type { StandardAccount, StandardWallet } from '../../wallets/providers';
import type { Family } from '../page';
import { walletCallFor, type Wallet } from './wallet';

interface Network {
  family: Family;
  feature: string;
  chain: string;
  /** Signs and sends a transaction. Resolves to its hash. */
  send(feature: any, call: any, account: StandardAccount): Promise<string>;
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const networks: readonly Network[] = [
  {
    family: 'solana',
    feature: 'solana:signAndSendTransaction',
    chain: 'solana:mainnet',
    async send(feature, call, account) {
      const transaction = fromBase64(call.transaction);
      const input = { account, transaction, chain: 'solana:mainnet' };
      const [{ signature }] = await feature.signAndSendTransaction(input);
      return base58(signature);
    },
  },
  {
    family: 'sui',
    feature: 'sui:signAndExecuteTransaction',
    chain: 'sui:mainnet',
    async send(feature, call, account) {
      // Loaded on a click, and for Sui only, because Sui wallets require an object of this library.
      const { Transaction } = await import('@mysten/sui/transactions');
      const transaction = Transaction.fromKind(call.transaction_kind);
      const { digest } = await feature.signAndExecuteTransaction({
        account,
        transaction,
        chain: 'sui:mainnet',
      });
      return digest;
    },
  },
];

/** One wallet for each family that it supports. */
export function walletsOf(wallet: StandardWallet): Wallet[] {
  const served = networks.filter(
    ({ feature, chain }) => wallet.features[feature] && wallet.chains.includes(chain),
  );
  return served.map((network) => asWallet(wallet, network));
}

function asWallet(wallet: StandardWallet, { family, feature, chain, send }: Network): Wallet {
  const accountOf = (address?: string) =>
    wallet.accounts.find(
      (it) => it.chains.includes(chain) && (address === undefined || it.address === address),
    );
  return {
    id: `${family} ${wallet.name}`,
    name: wallet.name,
    icon: wallet.icon,
    family,
    async connect(silently = false) {
      await wallet.features['standard:connect'].connect({ silent: silently });
      return accountOf()?.address;
    },
    async pay(payable, address, report) {
      const account = accountOf(address) ?? accountOf();
      const call = await walletCallFor(payable, account!.address);
      report('paying');
      return send(wallet.features[feature], call, account!);
    },
  };
}
