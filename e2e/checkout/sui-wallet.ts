import { SuiGraphQLClient } from '@mysten/sui/graphql';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import type { Page } from 'playwright-core';
import { installStandardWallet } from './standard-wallet';

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
  const wallet = { name: 'Sui Wallet', chain: 'sui:mainnet', address };
  await installStandardWallet(page, wallet, () => ({
    'sui:signAndExecuteTransaction': {
      version: '2.0.0',
      signAndExecuteTransaction: async ({ transaction }: { transaction: { toJSON(): Promise<string> } }) => ({
        digest: await (globalThis as any).suiSignAndExecute(await transaction.toJSON()),
      }),
    },
  }));
}
