import { SuiGraphQLClient } from '@mysten/sui/graphql';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import type { Page } from 'playwright-core';

/** A Sui wallet that registers itself by the Wallet Standard. It adds sender and gas, as wallets do. */
export async function installSuiWallet(page: Page, network: any): Promise<void> {
  const { privateKey } = network.accounts.find(({ role }: { role: string }) => role === 'payer');
  const payer = Ed25519Keypair.fromSecretKey(privateKey);
  const address = payer.toSuiAddress();
  const client = new SuiGraphQLClient({ url: network.rpcUrl, network: 'mainnet' });
  await page.exposeFunction('suiSignAndExecute', async (json: string) => {
    const transaction = Transaction.from(json);
    const coins = await client.core.getCoins({ address, coinType: '0x2::sui::SUI', limit: 10 } as never);
    const { referenceGasPrice } = await client.core.getReferenceGasPrice();
    transaction.setSender(address);
    transaction.setGasPayment(
      (coins as any).objects.map(({ id, ...coin }: { id: string }) => ({ ...coin, objectId: id })),
    );
    transaction.setGasPrice(BigInt(referenceGasPrice));
    transaction.setGasBudget(20_000_000n);
    const sent: any = await payer.signAndExecuteTransaction({ transaction, client: client as never });
    return sent.digest ?? sent.Transaction?.digest;
  });
  await page.addInitScript((account) => {
    const chains = ['sui:mainnet'];
    const wallet = {
      version: '1.0.0',
      name: 'Sui Wallet',
      icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E',
      chains,
      accounts: [] as unknown[],
      features: {
        'standard:connect': {
          version: '1.0.0',
          connect: async () => {
            wallet.accounts = [{ address: account, publicKey: new Uint8Array(32), chains, features: [] }];
            return { accounts: wallet.accounts };
          },
        },
        'sui:signAndExecuteTransaction': {
          version: '2.0.0',
          signAndExecuteTransaction: async ({
            transaction,
          }: {
            transaction: { toJSON(): Promise<string> };
          }) => ({
            digest: await (globalThis as any).suiSignAndExecute(await transaction.toJSON()),
          }),
        },
      },
    };
    const callback = ({ register }: { register(wallet: unknown): void }) => register(wallet);
    const { dispatchEvent, addEventListener } = globalThis as any;
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    addEventListener('wallet-standard:app-ready', ({ detail }: { detail: never }) => callback(detail));
  }, address);
}
