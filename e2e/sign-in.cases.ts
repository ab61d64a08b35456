import type { Browser } from 'playwright-core';
import { DashboardPage } from './dashboard-page';
import { SolanaSigner, TonSigner, type SigningWallet } from './signing-wallets';

interface Given {
  gateway: string;
  browser: Browser;
  /** Secrets that the page shows. No log may contain them. */
  secrets: string[];
}

const declined = 'You rejected the request in the wallet. Nothing has changed.';
const wrongKey = 'The signature was not made by this wallet.';

/** Merchants with wallets of other families than EVM, on one page: a case for each would load it again. */
export function signInCases(given: () => Given): void {
  it('signs in with wallets of Solana and TON, and shows the reason of a failure', async () => {
    const { gateway, browser, secrets } = given();
    const on = await DashboardPage.open(browser, gateway);
    const [solana, ton] = [await SolanaSigner.create(), new TonSigner()];
    for (const wallet of [solana, ton]) await wallet.install(on.page);
    await on.goto();

    const open = async (button: string, wallet: SigningWallet, scheme: string) => {
      await expectRejections(on, button, wallet);
      await on.button(button).click();
      await on.heading('Overview').waitFor();
      const token = await on.sessionToken();
      secrets.push(token);
      expect(await sessionsOf(gateway, token, wallet.address)).toMatchObject([{ scheme }]);
    };
    await open('Sign in with Sol Wallet (Solana)', solana, 'solana');
    await on.button('Sign out').click();
    await open('Sign in with Ton Wallet (TON)', ton, 'ton_proof');
    // The wallet is its own nano-payment account, so the page requires no key.
    await on.visit('Nano-payments');
    await on.page.getByText('No withdrawals yet').waitFor();
    expect(on.faults).toEqual([]);
    await on.context.close();
  });
}

async function expectRejections(on: DashboardPage, button: string, wallet: SigningWallet): Promise<void> {
  for (const [conduct, message] of [
    ['decline', declined],
    ['sign with another key', wrongKey],
  ] as const) {
    wallet.conduct = conduct;
    await on.button(button).click();
    await on.page.getByText(message).waitFor();
  }
  wallet.conduct = 'sign';
}

async function sessionsOf(gateway: string, token: string, wallet: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'x-wallet': wallet };
  const reply = await fetch(`${gateway}/api/auth/sessions`, { headers });
  return ((await reply.json()) as { sessions: unknown }).sessions;
}
