import { mined } from '@tollbridge/onchain';
import { toQuantity, Wallet, type BaseWallet } from 'ethers';
import type { DashboardPage } from './dashboard-page';
import type { Harness } from './harness';
import type { Api } from './http';
import { NanoBuyer } from './nano-buyer';
import type { Payer } from './payer';

interface Money {
  harness: Harness;
  api: Api;
  payer: Payer;
  secrets: string[];
}

/** A new wallet with dollars, and coins for the gas of its allowance. */
export async function fundedWallet(payer: Payer): Promise<BaseWallet> {
  const wallet = Wallet.createRandom(payer.provider);
  await payer.provider.send('anvil_setBalance', [wallet.address, toQuantity(10n ** 18n)]);
  await payer.transfer('USDC', wallet.address, 100_000_000n);
  return wallet;
}

/** Returns the headers of a new key of a wallet. */
async function newKey(
  { api, secrets }: Money,
  wallet: string,
): Promise<{ secret: string; authorization: string }> {
  const body = JSON.stringify({ label: 'Program', permissions: ['read', 'write'] });
  const { secret } = (await api.send('POST', '/api/keys', body, { 'x-wallet': wallet })).body;
  secrets.push(secret);
  return { secret, authorization: `Bearer ${secret}` };
}

/** Submits two payouts with a key, as programs do, and approves the token for Permit2. */
export async function submitPayouts(money: Money, treasury: BaseWallet): Promise<void> {
  const { authorization } = await newKey(money, treasury.address);
  for (const amount of [25, 30]) {
    const recipients = [{ address: Wallet.createRandom().address, amount }];
    const wish = { wallet: treasury.address, chain: 'base', token: 'USDC', recipients };
    const { body } = await money.api.send('POST', '/payout/batch', JSON.stringify(wish), { authorization });
    const { allowance } = (
      await money.api.send('GET', `/payout/${body.payoutId}`, undefined, { authorization })
    ).body;
    if (allowance.transaction) await mined(await treasury.sendTransaction(allowance.transaction));
  }
}

/** Approves one payout with the signed-in wallet, and rejects the other. */
export async function decidePayouts(on: DashboardPage): Promise<void> {
  const { page } = on;
  const open = async (amount: string) => {
    await on.visit('Payouts');
    await page.getByLabel('State').selectOption('awaiting_approval');
    await page.getByRole('row', { name: amount }).getByRole('link').click();
    await on.heading('Payout').waitFor();
  };
  await open('25 USDC');
  await on.button('Sign and approve').click();
  await on.inDialog('Sign and approve').click();
  // An API test covers the completion.
  await page
    .getByText(/^(Sending|Completed)$/)
    .first()
    .waitFor();
  await open('30 USDC');
  await on.button('Reject').click();
  await on.inDialog('Reject').click();
  await page.getByText('Rejected').first().waitFor();
}

/** Limits a nano-payment account, then approves one payment above the limit and rejects another. */
export async function decideNanoPayments(on: DashboardPage, money: Money): Promise<void> {
  const { page } = on;
  const buyer = await NanoBuyer.in(money.harness, money.api);
  const { secret } = await newKey(money, buyer.address);
  await on.visit('Nano-payments');
  await page.getByLabel('TON account').fill('hello');
  await on.button('Show').click();
  await on.shows('Enter an account of TON');
  await page.getByLabel('TON account').fill(buyer.address);
  await on.button('Show').click();
  await page.getByLabel('Secret of a key of this account').fill(secret);
  await on.button('Use this key').click();
  await page.getByText('No withdrawals yet').waitFor();
  await page.getByLabel('Largest payment without approval, USDT').fill('0.0005');
  await page.getByLabel('Payments per minute').fill('60');
  await on.button('Save').click();
  await page.getByText('Policy saved').waitFor();
  const pay = async (amountAtomic: bigint) =>
    (await money.api.post('/verify', buyer.authorization({ amountAtomic }))).body;
  for (const amount of [1_000n, 2_000n])
    expect((await pay(amount)).extra.approvalId).toMatch(/^[0-9a-f]{32}$/);
  for (const [amount, decision, state] of [
    ['0.001 USDT', 'Approve', 'Approved'],
    ['0.002 USDT', 'Reject', 'Rejected'],
  ] as const) {
    const row = page.getByRole('row', { name: amount });
    await row.getByRole('button', { name: decision }).click();
    await on.inDialog(decision).click();
    await row.getByText(state).waitFor();
  }
  // The approved payment is accepted once, the rejected one is not.
  expect((await pay(1_000n)).isValid).toBe(true);
  expect((await pay(2_000n)).isValid).toBe(false);
}
