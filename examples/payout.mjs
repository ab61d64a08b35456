// Pays several recipients from a wallet on the sandbox's local chain: submit, sign, approve with a second key, follow.
import { Contract, HDNodeWallet, JsonRpcProvider, Wallet } from 'ethers';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
async function call(method, path, headers, body) {
  const init = { method, headers: { ...headers, 'content-type': 'application/json' } };
  const response = await fetch(api + path, body ? { ...init, body: JSON.stringify(body) } : init);
  const reply = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply.error}`);
  return reply;
}

const { chains, accounts } = await call('GET', '/sandbox', {});
const [{ rpcUrl, chainId, tokens }] = chains;
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const treasury = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
const wallet = { 'x-wallet': treasury.address };

// One key submits, another one approves.
const [submitter, approver] = await Promise.all(
  ['Payroll', 'Chief'].map(async (label) => {
    const { secret } = await call('POST', '/api/keys', wallet, { label, permissions: ['read', 'write'] });
    return { authorization: `Bearer ${secret}` };
  }),
);

const recipients = [12.5, 0.75].map((amount) => ({ address: HDNodeWallet.createRandom().address, amount }));
const order = { wallet: treasury.address, chain: 'base', token: 'USDC', recipients };
const { payoutId } = await call('POST', '/payout/batch', submitter, order);
const { allowance, batches } = await call('GET', `/payout/${payoutId}`, submitter);

// Permit2 may move the token after one approval by the wallet.
if (allowance.transaction) await (await treasury.sendTransaction(allowance.transaction)).wait();
const signatures = await Promise.all(
  batches.map(({ typedData: { domain, types, message } }) => {
    const { EIP712Domain, ...own } = types;
    return treasury.signTypedData(domain, own, message);
  }),
);
await call('POST', `/payout/${payoutId}/approve`, approver, { signatures });

for (let last = ''; last !== 'completed'; await new Promise((wait) => setTimeout(wait, 200))) {
  const { state } = await call('GET', `/payout/${payoutId}`, submitter);
  if (['failed', 'rejected', 'expired', 'partly_paid'].includes(state)) throw new Error(state);
  if (state !== last) console.log(`payout ${payoutId} is ${state}`);
  last = state;
}
const { address } = tokens.find(({ symbol }) => symbol === 'USDC');
const token = new Contract(address, ['function balanceOf(address) view returns (uint256)'], provider);
for (const recipient of recipients)
  console.log(`${recipient.address} holds ${await token.balanceOf(recipient.address)}`);
provider.destroy();
