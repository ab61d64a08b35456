import type { Page } from 'playwright-core';
import { TonPayer } from '../ton-payer';

/** A TON wallet with a browser that adds the JS bridge of TON Connect to pages. */
export async function installTonWallet(page: Page, sandbox: any): Promise<void> {
  const payer = await TonPayer.in(sandbox);
  await page.exposeFunction('tonPay', async (request: string) => {
    const { messages, valid_until } = JSON.parse(request);
    expect(valid_until).toBeGreaterThan(Date.now() / 1_000);
    await payer.pay({ messages });
  });
  await page.addInitScript((address) => {
    const items = [{ name: 'ton_addr', address, network: '-239' }];
    const tonconnect = {
      protocolVersion: 2,
      isWalletBrowser: true,
      walletInfo: { name: 'Ton Wallet' },
      connect: async (_version: number, request: { manifestUrl: string }) => {
        const manifest = (await (await fetch(request.manifestUrl)).json()) as { url: string };
        if (manifest.url !== (globalThis as any).location.origin)
          throw new Error(`The manifest is of ${manifest.url}`);
        return { event: 'connect', payload: { items } };
      },
      restoreConnection: async () => ({ event: 'connect_error', payload: { code: 100 } }),
      send: async ({ method, params, id }: { method: string; params: string[]; id: string }) => {
        if (method !== 'sendTransaction') throw new Error(`${method} is not supported`);
        await (globalThis as any).tonPay(params[0]);
        return { result: 'te6ccgEBAQEAAgAAAA==', id };
      },
      listen: () => () => undefined,
    };
    Object.assign(globalThis, { exampleTon: { tonconnect } });
  }, payer.address);
}
