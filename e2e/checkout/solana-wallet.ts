import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import type { Page } from 'playwright-core';
import { installStandardWallet } from './standard-wallet';

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
  const wallet = { name: 'Sol Wallet', chain: 'solana:mainnet', address };
  await installStandardWallet(page, wallet, () => ({
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
        const signature = await (globalThis as any).solanaSignAndSend([...transaction]);
        return [{ signature: Uint8Array.from(signature) }];
      },
    },
  }));
}
