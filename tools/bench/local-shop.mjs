import { sendOnce } from './http-load.mjs';

/**
 * @param {string} gateway its URL
 * @returns {Promise<{ caip2: string, merchant: any, address: (role: string) => string, sandbox: any }>} the first chain,
 * the demo merchant and the accounts of a sandbox, and the whole reply of `GET /sandbox`
 */
export async function localShop(gateway) {
  const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const { chains, accounts, merchant } = sandbox;
  const address = (role) => accounts.find((account) => account.role === role).address;
  return { caip2: chains[0].caip2, merchant, address, sandbox };
}
