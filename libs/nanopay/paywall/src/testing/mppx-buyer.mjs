// Buys a URL with the unmodified mppx client and prints the reply as JSON. Usage: node mppx-buyer.mjs
// '{"url", "init", "key", "token", "chainId", "name", "most"}'
import { evm, Mppx } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';

const { url, init, key, token, chainId, name = 'USDC', most = '1000' } = JSON.parse(process.argv[2]);
const method = evm.charge({
  account: privateKeyToAccount(key),
  authorization: { name, version: '2' },
  currencies: [token],
  networks: [chainId],
  maxAtomicAmount: most,
});
const buyer = Mppx.create({ methods: [method], polyfill: false });
const response = await buyer.fetch(url, init);
const headers = Object.fromEntries(response.headers);
process.stdout.write(JSON.stringify({ status: response.status, headers, body: await response.text() }));
