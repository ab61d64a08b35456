import { type HDNodeWallet, Wallet } from 'ethers';
import { Client, ok } from './client';
import { Chain } from './chain';

/** All that a customer has: the address of the sandbox, and the reply of `GET /sandbox`. */
export interface Walk {
  /** Unauthenticated. */
  api: Client;
  /** Client with the publishable key of the demo merchant. */
  key: Client;
  /** Client with the secret of the demo merchant. */
  secret: Client;
  sandbox: any;
  base: Chain;
  arbitrum: Chain;
}

export const walk = {} as Walk;

export async function openWalk(baseUrl: string): Promise<void> {
  const api = new Client(baseUrl);
  const sandbox = ok(await api.get('/sandbox'));
  const chain = (caip2: string): Chain =>
    new Chain(
      sandbox.chains.find((it: any) => it.caip2 === caip2),
      sandbox.accounts,
    );
  Object.assign(walk, {
    api,
    sandbox,
    key: api.with({ authorization: `Bearer ${sandbox.merchant.key}` }),
    secret: api.with({ authorization: `Bearer ${sandbox.merchant.secret}` }),
    base: chain('eip155:8453'),
    arbitrum: chain('eip155:42161'),
  });
}

export function closeWalk(): void {
  walk.base?.close();
  walk.arbitrum?.close();
}

/** A client of a wallet that no other test uses. The sandbox accepts the header alone. */
export function newWallet(): { address: string; client: Client } {
  const { address } = Wallet.createRandom();
  return { address, client: walk.api.with({ 'x-wallet': address }) };
}

/** A new account with coins for gas. */
export async function newSigner(chain: Chain): Promise<HDNodeWallet> {
  const signer = Wallet.createRandom().connect(chain.provider);
  await chain.giveCoins(signer.address);
  return signer;
}

export function account(role: string): string {
  return walk.sandbox.accounts.find((it: any) => it.role === role).address;
}
