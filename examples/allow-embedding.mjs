// Allows a page to embed the shop's checkouts, keeps all other settings, and creates a checkout for the page.
import { createClient, createPaymentRequest, getSettings, replaceSettings, toAtomic } from '@tollbridge/sdk';

// In the sandbox a wallet address alone is sufficient.
const shop = createClient({
  baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000',
  wallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
});
const [origin = 'http://127.0.0.1:4100'] = process.argv.slice(2);
const settings = await getSettings(shop);
const embedOrigins = [...new Set([...(settings.embedOrigins ?? []), origin])];
await replaceSettings(shop, { settings: { ...settings, embedOrigins } });
console.log(`allowed: ${embedOrigins.join(', ')}`);

const { payment_link: link } = await createPaymentRequest(shop, {
  amount: String(toAtomic('2.5', 6)),
  currency: 'USDC',
  chain: 'base',
  description: 'Tea',
  success_url: origin,
  cancel_url: origin,
});
console.log(`<a data-tollbridge href="${link}">Pay</a>`);
