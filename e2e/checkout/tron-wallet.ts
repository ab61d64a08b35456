import type { Page } from 'playwright-core';
import { TronWeb } from 'tronweb';

/** A Tron wallet that sets `window.tron` (TIP-1193) with its TronWeb. */
export async function installTronWallet(page: Page, network: any): Promise<void> {
  const { privateKey, address } = network.accounts.find(({ role }: { role: string }) => role === 'payer');
  const { trx } = new TronWeb({ fullHost: network.rpcUrl, privateKey });
  await page.exposeFunction('tronCall', (method: string, argument: never) => (trx as any)[method](argument));
  await page.addInitScript((account) => {
    const call = (method: string) => (argument: unknown) => (globalThis as any).tronCall(method, argument);
    const names = ['sign', 'sendRawTransaction', 'getUnconfirmedTransactionInfo'];
    const tronWeb = {
      defaultAddress: { base58: false as string | false },
      trx: Object.fromEntries(names.map((name) => [name, call(name)])),
    };
    const request = async ({ method }: { method: string }) => {
      if (method !== 'eth_requestAccounts') throw new Error(`${method} is not supported`);
      tronWeb.defaultAddress.base58 = account;
      return [account];
    };
    Object.assign(globalThis, { tron: { request, tronWeb } });
  }, address);
}
