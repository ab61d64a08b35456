import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import type { Page } from 'playwright-core';

/** A Solana wallet that registers itself by the Wallet Standard. */
export async function installSolanaWallet(page: Page, network: any): Promise<void> {
  const { address, privateKey } = network.accounts.find(({ role }: { role: string }) => role === 'payer');
  const { keyPair } = await createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey));
  const rpc = createSolanaRpc(network.rpcUrl);
  await page.exposeFunction('solanaSignAndSend', async (bytes: number[]) => {
    const signed = await signTransaction([keyPair], getTransactionDecoder().decode(Uint8Array.from(bytes)));
    const wire = getBase64EncodedWireTransaction(signed);
    const sending = { encoding: 'base64', preflightCommitment: 'confirmed' } as const;
    const signature = await rpc.sendTransaction(wire, sending).send();
    return [...getBase58Encoder().encode(signature)];
  });
  await page.addInitScript((account) => {
    const chains = ['solana:mainnet'];
    const wallet = {
      version: '1.0.0',
      name: 'Sol Wallet',
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
        'solana:signAndSendTransaction': {
          version: '1.0.0',
          signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
            const signature = await (globalThis as any).solanaSignAndSend([...transaction]);
            return [{ signature: Uint8Array.from(signature) }];
          },
        },
      },
    };
    const callback = ({ register }: { register(wallet: unknown): void }) => register(wallet);
    const { dispatchEvent, addEventListener } = globalThis as any;
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    addEventListener('wallet-standard:app-ready', ({ detail }: { detail: never }) => callback(detail));
  }, address);
}
