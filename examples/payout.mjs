// Pays several recipients from a wallet on the sandbox's local chain: submit, sign, approve with a second key, wait.
import {
  approvePayout,
  createApiKey,
  createClient,
  getPayout,
  getSandbox,
  submitPayout,
} from '@tollbridge/sdk';
import { Contract, HDNodeWallet, JsonRpcProvider, Wallet } from 'ethers';

const baseUrl = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const { chains, accounts } = await getSandbox(createClient({ baseUrl }));
const [{ rpcUrl, chainId, tokens }] = chains;
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const treasury = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
const owner = createClient({ baseUrl, wallet: treasury.address });

// One key submits the payout, another key approves it.
const [submitter, approver] = await Promise.all(
  ['Payroll', 'Chief'].map(async (label) => {
    const { secret } = await createApiKey(owner, { label, permissions: ['read', 'write'] });
    return createClient({ baseUrl, apiKey: secret });
  }),
);

const recipients = [12.5, 0.75].map((amount) => ({ address: HDNodeWallet.createRandom().address, amount }));
const order = { wallet: treasury.address, chain: 'base', token: 'USDC', recipients };
const { payoutId } = await submitPayout(submitter, order);
const { allowance, batches } = await getPayout(submitter, { id: payoutId });

// Permit2 may transfer the token after one approval by the wallet.
if (allowance.transaction) await (await treasury.sendTransaction(allowance.transaction)).wait();
const signatures = await Promise.all(
  batches.map(({ typedData: { domain, types, message } }) => {
    const { EIP712Domain, ...own } = types;
    return treasury.signTypedData(domain, own, message);
  }),
);
await approvePayout(approver, { id: payoutId, signatures });

for (let last = ''; last !== 'completed'; await new Promise((wait) => setTimeout(wait, 200))) {
  const { state } = await getPayout(submitter, { id: payoutId });
  if (['failed', 'rejected', 'expired', 'partly_paid'].includes(state)) throw new Error(state);
  if (state !== last) console.log(`payout ${payoutId} is ${state}`);
  last = state;
}
const { address } = tokens.find(({ symbol }) => symbol === 'USDC');
const token = new Contract(address, ['function balanceOf(address) view returns (uint256)'], provider);
for (const recipient of recipients)
  console.log(`${recipient.address} holds ${await token.balanceOf(recipient.address)}`);
provider.destroy();
