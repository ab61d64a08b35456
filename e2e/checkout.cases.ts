import { eventually } from '@tollbridge/testing';
import { Contract } from 'ethers';
import type { Browser, Locator, Page } from 'playwright-core';
import { PayerPage } from './checkout/browser';
import { embedCases, embedThiefCases } from './checkout/embed.cases';
import { EvmWallet } from './checkout/evm-wallet';
import { payLinkCases } from './checkout/paylink.cases';
import { remoteCases, type RemoteServers } from './checkout/remote.cases';
import { sandboxPanelCases } from './checkout/sandbox-panel.cases';
import { installSolanaWallet } from './checkout/solana-wallet';
import { installSuiWallet } from './checkout/sui-wallet';
import { installTonWallet } from './checkout/ton-wallet';
import { installTronWallet } from './checkout/tron-wallet';
import type { Api } from './http';
import { TonPayer } from './ton-payer';

const declined = 'You declined it in your wallet; nothing was paid.';

/** Payers of the hosted checkout, in a real browser. Requires the local networks of all families. */
export function checkoutCases(given: () => { api: Api; browser: Browser; remote: RemoteServers }): void {
  let checkout: Checkout;
  beforeAll(async () => {
    checkout = await Checkout.open(given());
  });
  const it = () => checkout;
  describe('the checkout with a wallet of an EVM chain', () => {
    evmCases(it);
    rejectionCases(it);
    changeCases(it);
    secondClickCases(it);
    priceCases(it);
    unansweredCases(it);
    unreadCases(it);
    shortageCases(it);
  });
  describe('the checkout with wallets of other families', () => familyCases(it));
  describe('the checkout without a wallet', () => plainCases(it));
  describe('the checkout with a wallet on another device', () =>
    remoteCases(() => ({
      url: checkout.api.url,
      remote: given().remote,
      browser: checkout.browser,
      evmWallet: () => checkout.evmWallet(),
      tonPayer: () => TonPayer.in(checkout.sandbox),
      ask: () => checkout.ask(),
      askOnTon: () => {
        const { accounts } = checkout.network('ton');
        const { address } = accounts.find(({ role }: { role: string }) => role === 'merchant');
        return checkout.ask({ chain: 'ton', currency: 'USDT', receive_address: address });
      },
    })));
  describe('the checkout of a PayLink', () =>
    payLinkCases(() => ({
      api: checkout.api,
      browser: checkout.browser,
      wallet: () => checkout.evmWallet(),
    })));
  describe('the panel of the sandbox', () =>
    sandboxPanelCases(() => ({
      url: checkout.api.url,
      browser: checkout.browser,
      ask: (changes) => checkout.ask(changes),
    })));
  describe('the checkout in the page of a shop', () => {
    embedCases(() => ({
      url: checkout.api.url,
      browser: checkout.browser,
      wallet: () => checkout.evmWallet(),
    }));
    embedThiefCases(() => ({ url: checkout.api.url, browser: checkout.browser }));
  });
}

class Checkout {
  private constructor(
    readonly api: Api,
    readonly sandbox: any,
    readonly browser: Browser,
  ) {}

  static async open({ api, browser }: { api: Api; browser: Browser }): Promise<Checkout> {
    const { body } = await api.get('/sandbox');
    return new Checkout(api, body, browser);
  }

  network(family: string): any {
    return this.sandbox.networks.find((network: { family: string }) => network.family === family);
  }

  /**
   * Creates a payment request of the demo merchant.
   * @returns the path of its page
   */
  async ask(changes: Record<string, unknown> = {}): Promise<string> {
    const request = { amount: '2500000', currency: 'USDC', chain: 'base', description: 'Tea', ...changes };
    const { body } = await this.api.post('/api/v1/merchant/payment-requests', request);
    return `/checkout/${body.id}`;
  }

  /** The wallet's second account has enough tokens for a payment. */
  async evmWallet(): Promise<EvmWallet> {
    const [{ rpcUrl, tokens }] = this.sandbox.chains;
    const keys = ['second_payer', 'stranger'].map((role) => {
      return this.sandbox.accounts.find((account: { role: string }) => account.role === role).privateKey;
    });
    const wallet = new EvmWallet(rpcUrl, keys);
    const [holder, other] = wallet.accounts;
    const usdc = tokens.find(({ symbol }: { symbol: string }) => symbol === 'USDC').address;
    const token = new Contract(usdc, ['function transfer(address, uint256)'], holder);
    await (await token.getFunction('transfer')(other!.address, 10_000_000n)).wait();
    return wallet;
  }

  open(path: string, prepare: (it: PayerPage) => Promise<void>, options = {}): Promise<PayerPage> {
    return PayerPage.open(this.browser, this.api.url, options).then(async (it) => {
      await prepare(it);
      await it.page.goto(this.api.url + path);
      return it;
    });
  }
}

/** Connects the wallet on the page of a payment, waits for the review, and pays with the wallet. */
async function payWith(page: Page, name: string): Promise<void> {
  // The previous page, with the options, also contains the list of wallets.
  await page.locator('.review').waitFor({ state: 'attached' });
  await page.locator('#wallets').getByRole('button', { name }).click();
  await payNow(page);
}

/** The connected wallet opens only after this click. */
async function payNow(page: Page): Promise<void> {
  await page
    .getByText(/You hold [\d,.]+/)
    .first()
    .waitFor();
  await page.locator('#pay-now').click();
}

const sentTransactions = ({ asked }: EvmWallet): number =>
  asked.filter((method) => method === 'eth_sendTransaction').length;

const usdcOnBase = '.option[data-token="USDC"][data-chain="eip155:8453"] button';

/** Opens a new request with an EVM wallet in the browser. */
async function startEvm(
  checkout: Checkout,
  change: (wallet: EvmWallet) => void = () => undefined,
  options = {},
) {
  const wallet = await checkout.evmWallet();
  change(wallet);
  const payer = await checkout.open(await checkout.ask(), ({ page }) => wallet.install(page), options);
  const finish = async () => {
    wallet.close();
    await payer.close();
  };
  return { wallet, payer, page: payer.page, finish };
}

function evmCases(checkout: () => Checkout): void {
  it('connects, shows the balances of the wallet, approves, pays, and shows the settlement', async () => {
    const { wallet, payer, page, finish } = await startEvm(checkout(), (it) => (it.receiptsToMiss = 1));
    await page.getByRole('button', { name: 'Fox Wallet' }).click();
    await page.getByText('From your wallet').waitFor();
    expect(await page.locator(usdcOnBase).textContent()).toMatch(/You hold [\d,.]+\s+USDC/);
    await payer.screenshot('checkout-phone-held');
    await page.locator(usdcOnBase).click();
    await page.locator('#pay-now').waitFor();
    // A review first: amount, fee, receiver, balance.
    await page.locator('.review').getByText('Network fee').waitFor();
    await page.getByText(/You hold [\d,.]+/).waitFor();
    expect(sentTransactions(wallet)).toBe(0);
    await payer.screenshot('checkout-phone-review');
    await payer.expectAccessible();
    await page.locator('#pay-now').dblclick();
    await page.getByText('Paid.').waitFor();
    expect(sentTransactions(wallet)).toBe(2);
    await payer.screenshot('checkout-phone-paid');
    await payer.expectAccessible();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByText('Receipt number').waitFor();
    await payer.expectAccessible();
    await finish();
  });

  it('pays with the keyboard alone, in one step if the wallet sends batches', async () => {
    const { wallet, payer, page, finish } = await startEvm(checkout(), (it) => (it.isAtomic = true));
    await payer.press(usdcOnBase);
    await page.getByText('Waiting for your payment').waitFor();
    await payer.expectAccessible();
    await payer.press('#wallets button:enabled');
    await page.getByText(/You hold [\d,.]+/).waitFor();
    await payer.press('#pay-now:enabled');
    await page.getByText('Paid.').waitFor();
    expect(wallet.asked).toContain('wallet_sendCalls');
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    await finish();
  });
}

function rejectionCases(checkout: () => Checkout): void {
  it('reports that nothing was paid when the payer declines, and pays at the second attempt', async () => {
    const { wallet, page, finish } = await startEvm(checkout(), (it) =>
      it.declined.add('eth_sendTransaction'),
    );
    await page.locator(usdcOnBase).click();
    await payWith(page, 'Fox Wallet');
    await page.getByText(declined).waitFor();
    wallet.declined.clear();
    await payNow(page);
    await page.getByText('Paid.').waitFor();
    await finish();
  });

  it('reports that nothing was paid when the payer declines to connect', async () => {
    const { page, finish } = await startEvm(checkout(), (it) => it.declined.add('eth_requestAccounts'));
    await page.getByRole('button', { name: 'Fox Wallet' }).click();
    await page.getByText(declined).waitFor();
    expect(await page.locator(usdcOnBase).isEnabled()).toBe(true);
    await finish();
  });

  it('adds a missing network to the wallet, and pays there', async () => {
    const { wallet, page, finish } = await startEvm(checkout(), (it) => {
      it.chainId = 1;
      it.chains.delete(8453);
    });
    await page.locator(usdcOnBase).click();
    await payWith(page, 'Fox Wallet');
    await page.getByText('Paid.').waitFor();
    expect(wallet.asked).toEqual(
      expect.arrayContaining(['wallet_switchEthereumChain', 'wallet_addEthereumChain']),
    );
    await finish();
  });

  it('pays nothing when the payer does not leave a wrong network', async () => {
    const { wallet, page, finish } = await startEvm(checkout(), (it) => {
      it.chainId = 1;
      it.declined.add('wallet_switchEthereumChain');
    });
    await page.locator(usdcOnBase).click();
    await payWith(page, 'Fox Wallet');
    await page.getByText('This payment needs the network Base').waitFor();
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    await finish();
  });
}

function changeCases(checkout: () => Checkout): void {
  it('pays with the account that the payer selected last', async () => {
    const { wallet, page, finish } = await startEvm(checkout());
    await page.getByRole('button', { name: 'Fox Wallet' }).click();
    await page.getByText('From your wallet').waitFor();
    await wallet.switchAccount(page);
    const { address } = wallet.accounts[0]!;
    await page.getByRole('button', { name: `${address.slice(0, 6)}…${address.slice(-4)}` }).waitFor();
    await page.locator(`${usdcOnBase}:has-text("You hold")`).waitFor();
    await page.locator(usdcOnBase).click();
    await payNow(page);
    await page.getByText('Paid.').waitFor();
    await finish();
  });

  it('connects a wallet when the page is updated between the press and the release of its button', async () => {
    const { page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    await page.locator('.review').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    await page.locator('#wallets').getByRole('button', { name: 'Fox Wallet' }).hover();
    await page.mouse.down();
    const updated = page.waitForResponse(page.url());
    await page.evaluate(`window.dispatchEvent(new Event('online'))`);
    await updated;
    // The reply is shown in the next tasks of the page.
    await page.waitForTimeout(200);
    await page.mouse.up();
    await page
      .getByText(/You hold [\d,.]+/)
      .first()
      .waitFor();
    await finish();
  });

  it('resumes after a reload, and on another device', async () => {
    const { page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    await page.getByText('Waiting for your payment').waitFor();
    await page.reload();
    await page.getByText('Waiting for your payment').waitFor();
    const other = await checkout().open(new URL(page.url()).pathname, async () => undefined);
    await payWith(page, 'Fox Wallet');
    await other.page.getByText('Paid.').waitFor();
    await page.getByText('Paid.').waitFor();
    await other.close();
    await finish();
  });
}

/** A request with a price in a currency: its amount is fixed by the choice of an option. */
function priceCases(checkout: () => Checkout): void {
  const price = { amount: '49.90', currency: 'EUR' };

  it('shows a price in euros with its rate, fixes the amount, and repeats both on the receipt', async () => {
    const wallet = await checkout().evmWallet();
    const asked = await checkout().ask({ amount: undefined, price });
    const payer = await checkout().open(asked, ({ page }) => wallet.install(page));
    const { page } = payer;
    await page.getByRole('heading', { name: 'EUR 49.90' }).waitFor();
    expect(await page.locator('.summary .value').textContent()).toMatch(/about\s+[\d.]+ USDC/);
    expect(await page.locator('.summary .rate').textContent()).toMatch(
      /1 USDC = 0\.\d+ EUR\s*The amount is fixed when you choose how to pay\./,
    );
    await payer.screenshot('checkout-phone-price');
    await payer.expectAccessible();
    await page.locator(usdcOnBase).click();
    await page.getByText('The amount is fixed,').waitFor();
    expect(await page.locator('.summary .value').textContent()).toMatch(/^\s*[\d.]+ USDC on\s+Base\s*$/);
    const fixed = page.url();
    await page.reload();
    await page.getByText('The amount is fixed,').waitFor();
    expect(page.url()).toBe(fixed);
    await payer.screenshot('checkout-phone-price-fixed');
    await payWith(page, 'Fox Wallet');
    await page.getByText('Paid.').waitFor();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByText('Receipt number').waitFor();
    expect(await page.locator('.receipt').textContent()).toMatch(
      /Price\s*EUR\s49\.90\s*Amount\s*[\d.]+ USDC on Base\s*Rate\s*1 USDC = 0\.\d+ EUR \(/,
    );
    await payer.expectAccessible();
    wallet.close();
    await payer.close();
  });
}

/** A payer with two tabs or two devices who clicks twice pays once. */
function secondClickCases(checkout: () => Checkout): void {
  it('starts one payment by one request when an option is clicked twice, and keeps it after back, forward and reload', async () => {
    const { page, finish } = await startEvm(checkout());
    await page.waitForLoadState('networkidle');
    const options = page.url();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
    });
    await page.locator(usdcOnBase).dblclick();
    await page.getByText('Waiting for your payment').waitFor();
    const payment = page.url();
    expect(payment).toMatch(/\/checkout\/[^/]+\/[^/]+$/);
    expect(asked).toEqual([`${new URL(options).pathname}/pay`]);
    await page.goBack();
    await page.locator(usdcOnBase).waitFor();
    await page.goForward();
    await page.getByText('Waiting for your payment').waitFor();
    await page.reload();
    await page.getByText('Waiting for your payment').waitFor();
    expect([page.url(), asked.length]).toEqual([payment, 1]);
    await payWith(page, 'Fox Wallet');
    await page.getByText('Paid.').waitFor();
    await finish();
  });

  it('opens one wallet when two tabs pay in the same second, and offers no payment in both while it is open', async () => {
    const { wallet, page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    await page.getByText('Waiting for your payment').waitFor();
    const other = await checkout().open(new URL(page.url()).pathname, ({ page: it }) => wallet.install(it));
    for (const tab of [page, other.page]) {
      await tab.locator('#wallets').getByRole('button', { name: 'Fox Wallet' }).click();
      await tab.locator('#pay-now').waitFor();
    }
    const answer = wallet.hold('eth_sendTransaction');
    await Promise.all([page, other.page].map((tab) => tab.locator('#pay-now').click()));
    for (const tab of [page, other.page]) await tab.locator('#pay-now').waitFor({ state: 'detached' });
    await eventually(() => expect(sentTransactions(wallet)).toBe(1));
    // The options page in a third tab offers no payment either.
    const third = await checkout().open(requestPath(page), async () => undefined);
    await third.page.getByText('A wallet was asked to pay').waitFor();
    expect(await third.page.locator('.option').count()).toBe(0);
    answer();
    for (const tab of [page, other.page, third.page])
      await tab
        .getByText(/Paid\.|This has been paid\./)
        .first()
        .waitFor();
    expect(sentTransactions(wallet)).toBe(2);
    await Promise.all([other.close(), third.close()]);
    await finish();
  });

  it('opens the wallet again automatically when the payment has changed since the page was rendered', async () => {
    const { wallet, page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    let asks = 0;
    await page.route('**/attempt', (route) => {
      if (!route.request().postData()!.includes('action=ask')) return route.fallback();
      return ++asks === 1 ? route.fulfill({ json: { outcome: 'stale' } }) : route.fallback();
    });
    await payWith(page, 'Fox Wallet');
    await page.getByText('Paid.').waitFor();
    expect([asks, sentTransactions(wallet)]).toEqual([2, 2]);
    await page.unrouteAll();
    await finish();
  });

  it('offers no payment after a reload during a payment, or after a return to the options', async () => {
    const { wallet, payer, page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    const answer = wallet.hold('eth_sendTransaction');
    await payWith(page, 'Fox Wallet');
    await page.getByText('Step 1 of 2: allow the amount').waitFor();
    await page.reload();
    await page.getByText('A wallet was asked to pay').waitFor();
    expect(await page.locator('#pay-now').count()).toBe(0);
    await payer.screenshot('checkout-phone-asking');
    await payer.expectAccessible();
    await page.goto(checkout().api.url + requestPath(page));
    await page.getByText('A wallet was asked to pay').waitFor();
    expect(await page.locator('.option').count()).toBe(0);
    answer();
    await finish();
  });
}

function unansweredCases(checkout: () => Checkout): void {
  it('stores the hash of a payment after the connection was interrupted, also by a reload', async () => {
    const interrupted = { fault: 'net::ERR_FAILED' };
    const { page, finish } = await startEvm(checkout(), () => undefined, interrupted);
    await page.locator(usdcOnBase).click();
    let isDown = true;
    const sends = { lost: 0, stored: 0 };
    // Blocks only the hash: the earlier claim reaches the server.
    await page.route('**/attempt', (route) => {
      if (!route.request().postData()!.includes('action=send')) return route.fallback();
      sends[isDown ? 'lost' : 'stored']++;
      return isDown ? route.abort() : route.fallback();
    });
    await payWith(page, 'Fox Wallet');
    await eventually(() => expect(sends.lost).toBeGreaterThan(0));
    await page.reload();
    const lostBefore = sends.lost;
    await eventually(() => expect(sends.lost).toBeGreaterThan(lostBefore));
    isDown = false;
    await eventually(() => expect(sends.stored).toBe(1));
    const shown = page.getByText(
      /The payment was sent and waits for the network|payment was received|Paid\./,
    );
    await shown.filter({ visible: true }).first().waitFor();
    await page.unrouteAll();
    await finish();
  });

  it('offers another payment behind a warning after the chain shows that the transaction failed', async () => {
    const { wallet, payer, page, finish } = await startEvm(checkout(), (it) => (it.isAtomic = true));
    await page.locator(usdcOnBase).click();
    wallet.failsNext = true;
    await payWith(page, 'Fox Wallet');
    // Before the order ends, only its own page shows a warning; later the options page does so too.
    await page
      .getByText(/The network shows that the last transaction failed|This payment failed\./)
      .first()
      .waitFor();
    await page.goto(checkout().api.url + requestPath(page));
    await page.getByText('The network shows that the last transaction failed').waitFor();
    await page.locator(usdcOnBase).click();
    await page.getByText('Pay again', { exact: true }).waitFor();
    expect(await page.locator('#pay-now').isVisible()).toBe(false);
    await payer.screenshot('checkout-phone-again');
    await payer.expectAccessible();
    await page.getByText('Pay again', { exact: true }).click();
    await payNow(page);
    await page.getByText('Paid.').waitFor();
    await finish();
  });

  it("shows in a second tab's options page that the request was paid elsewhere", async () => {
    const { page, finish } = await startEvm(checkout());
    const other = await checkout().open(requestPath(page), async () => undefined);
    await other.page.locator(usdcOnBase).waitFor();
    await page.locator(usdcOnBase).click();
    await payWith(page, 'Fox Wallet');
    await page.getByText('Paid.').waitFor();
    await other.page.getByText('This has been paid.').waitFor();
    expect(await other.page.locator('.option').count()).toBe(0);
    await other.close();
    await finish();
  });
}

/** Matches requests for the page that shows the wallet's balances. */
const readsOfHoldings = (url: URL) => url.searchParams.has('payer');
const unreadText = 'The balance of your wallet cannot be read right now';

function unreadCases(checkout: () => Checkout): void {
  it.each([
    ['answers 503', { status: 503 }],
    ['answers 429', { status: 429 }],
    ['drops the connection', { fault: 'net::ERR_FAILED' }],
  ])('shows the balance automatically after the server %s three times', async (_name, failing) => {
    const { page, finish } = await startEvm(checkout(), () => undefined, failing);
    await page.locator(usdcOnBase).click();
    await page.locator('.review').waitFor();
    let reads = 0;
    await page.route(readsOfHoldings, (route) => {
      if (++reads > 3) return route.fallback();
      return 'status' in failing ? route.fulfill({ status: failing.status, body: '' }) : route.abort();
    });
    await page.locator('#wallets').getByRole('button', { name: 'Fox Wallet' }).click();
    await page.locator('#wallet-status', { hasText: unreadText }).waitFor();
    // The earlier content remains.
    expect(await page.locator('.review').count()).toBe(1);
    await payNow(page);
    expect(await page.locator('#wallet-status', { hasText: unreadText }).isVisible()).toBe(false);
    await page.getByText('Paid.').waitFor();
    await page.unrouteAll();
    await finish();
  });

  it('shows a balance later if the server could not read it at first', async () => {
    const { page, finish } = await startEvm(checkout());
    await page.locator(usdcOnBase).click();
    await page.locator('.review').waitFor();
    let reads = 0;
    await page.route(readsOfHoldings, async (route) => {
      const reply = await route.fetch();
      const html = await reply.text();
      const unread = html
        .replace('isIncomplete&quot;:false', 'isIncomplete&quot;:true')
        .replace(/<p class="holding[^]*?<\/p>/, `<p class="holding unread">${unreadText}</p>`);
      return route.fulfill({ response: reply, body: ++reads > 2 ? html : unread });
    });
    await page.locator('#wallets').getByRole('button', { name: 'Fox Wallet' }).click();
    await page.locator('.holding.unread').waitFor();
    await page.getByText(/You hold [\d,.]+/).waitFor();
    expect(await page.locator('.holding.unread').count()).toBe(0);
    await page.unrouteAll();
    await finish();
  });

  it('shows the page of a payment automatically after a server failure', async () => {
    const { page, finish } = await startEvm(checkout(), () => undefined, { status: 503 });
    await page.locator(usdcOnBase).click();
    await page.locator('.review').waitFor();
    const failure = `<main data-page='{"kind":"unavailable","families":[],"texts":{}}'>Later</main>`;
    let isDown = true;
    await page.route(page.url(), async (route) => {
      if (!isDown) return route.fallback();
      const script = (await (await route.fetch()).text()).match(/<script[^]*?<\/script>/)![0];
      return route.fulfill({ status: 503, contentType: 'text/html', body: `${script}${failure}` });
    });
    await page.reload();
    await page.getByText('Later').waitFor();
    isDown = false;
    await page.locator('.review').waitFor();
    await page.unrouteAll();
    await finish();
  });
}

function shortageCases(checkout: () => Checkout): void {
  it('reports an insufficient balance before the wallet opens', async () => {
    const { wallet, payer, page, finish } = await startEvm(checkout(), (it) => it.accounts.reverse());
    const path = await checkout().ask({ amount: '999999000000' });
    await page.goto(checkout().api.url + path);
    await page.getByRole('button', { name: 'Fox Wallet' }).click();
    await page
      .locator(usdcOnBase)
      .getByText(/You hold [\d,.]+ USDC; 999,999 needed/)
      .waitFor();
    await page.locator(usdcOnBase).click();
    await page.locator('.holding.short', { hasText: '999,999 needed' }).waitFor();
    expect(await page.locator('#pay-now').isVisible()).toBe(false);
    expect(sentTransactions(wallet)).toBe(0);
    await payer.screenshot('checkout-phone-short');
    await payer.expectAccessible();
    await finish();
  });

  it.each([
    ['locked', 4100, 'Your wallet is locked'],
    ['without coins for the fee', -32_000, 'Your wallet holds too little'],
    ['that does not support the payment', 4200, 'This wallet cannot make this payment'],
  ])('shows cause and solution for a wallet %s', async (_name, code, words) => {
    const { wallet, page, finish } = await startEvm(checkout(), (it) => (it.isAtomic = false));
    await page.locator(usdcOnBase).click();
    wallet.failures.set('eth_sendTransaction', code);
    await payWith(page, 'Fox Wallet');
    await page.getByText(words).waitFor();
    wallet.failures.clear();
    await payNow(page);
    await page.getByText('Paid.').waitFor();
    await finish();
  });
}

/** Path of the payment on a page. */
const requestPath = (page: Page): string => new URL(page.url()).pathname.split('/').slice(0, 3).join('/');

function familyCases(checkout: () => Checkout): void {
  const onBase = { amount: '5000000' };
  const families = [
    [
      'solana',
      'USDC',
      'Sol Wallet',
      (it: PayerPage) => installSolanaWallet(it.page, checkout().network('solana')),
      { asked: onBase, token: 'USDC' },
    ],
    [
      'ton',
      'USDT',
      'Ton Wallet',
      (it: PayerPage) => installTonWallet(it.page, checkout().sandbox),
      { asked: onBase, token: 'TON' },
    ],
    [
      'tron',
      'USDT',
      'Tron wallet',
      (it: PayerPage) => installTronWallet(it.page, checkout().network('tron')),
      { asked: onBase, token: 'USDT' },
    ],
    [
      'sui',
      'USDC',
      'Sui Wallet',
      (it: PayerPage) => installSuiWallet(it.page, checkout().network('sui')),
      { asked: 'sui', token: 'SUI' },
    ],
  ] as const;

  it.each(families)(
    'pays with a wallet on %s, directly and by a deposit, and shows the settlement',
    async (chain, currency, wallet, install, deposit) => {
      const merchant = checkout()
        .network(chain)
        .accounts.find(({ role }: { role: string }) => role === 'merchant');
      const path = await checkout().ask({ chain, currency, receive_address: merchant.address });
      const payer = await checkout().open(path, install);
      const { page } = payer;
      await page.getByRole('button', { name: wallet }).click();
      await page.getByText('From your wallet').waitFor();
      await page.locator(`.option[data-token="${currency}"][data-chain="${chain}"] button`).click();
      await payNow(page);
      await page.getByText('Paid.').waitFor();
      const other =
        deposit.asked === 'sui'
          ? { chain, currency, receive_address: merchant.address, amount: '5000000' }
          : deposit.asked;
      await page.goto(checkout().api.url + (await checkout().ask(other)));
      await payDeposit(checkout(), page, { wallet, option: { token: deposit.token, chain } });
      await payer.close();
    },
  );
}

/**
 * Chooses an option with a deposit address, and pays it with the wallet. The payer types no address, and the wallet
 * opens once.
 */
async function payDeposit(
  checkout: Checkout,
  page: Page,
  { wallet, option }: { wallet: string; option: { token: string; chain: string } },
): Promise<void> {
  const row = page.locator(`.option[data-token="${option.token}"][data-chain="${option.chain}"]`);
  await untilListed(page, row);
  await page.getByRole('button', { name: wallet }).click();
  await page.getByText('From your wallet').waitFor();
  await row.locator('button').click();
  await payNow(page);
  await page.getByText('Paid.').waitFor();
  const [, , , payment] = new URL(page.url()).pathname.split('/');
  const { body: status } = await checkout.api.get(`/api/v1/payment/${payment}/status`);
  expect(status.order.cross_chain.deposit_token).toBe(option.token);
  const { body: order } = await checkout.api.get(`/api/v1/pay/order/${status.order_id}`);
  const { deposit_amount, deposited_amount } = order.cross_chain;
  expect(deposited_amount).toBe(deposit_amount);
  // Amount and receiver are those of the order: the route accepts no other values.
  const source = `/api/v1/pay/order/${status.order_id}/wallet-call?payer=x`;
  for (const field of ['amount', 'deposit_address', 'memo'])
    expect(await checkout.api.get(`${source}&${field}=1`)).toMatchObject({ status: 400 });
}

/** A page shows the options and fees that the server read in time. The others appear after a reload. */
async function untilListed(page: Page, part: Locator): Promise<void> {
  const isListed = async () => (await part.count()) > 0;
  await eventually(async () => {
    if (!(await isListed())) await page.reload();
    expect(await isListed()).toBe(true);
  });
}

const ethOnArbitrum = (page: Page): Locator =>
  page.locator('details.option-form', {
    has: page.locator('[data-token="ETH"][data-chain="eip155:42161"]'),
  });

/** Chooses an option with a deposit address. Its form requests a refund address. */
async function chooseArbitrum(page: Page): Promise<void> {
  const option = ethOnArbitrum(page);
  await untilListed(page, option);
  // The page shows only the fastest options at first.
  if (!(await option.isVisible())) await page.locator('details.more > summary').click();
  await option.locator('summary').click();
  await option.locator('input[name="payer_address"]').fill('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
  await option.getByRole('button').click();
}

const hostileText = `"><img src=x onerror=alert(1)><script>alert(2)</script> \u05d0\u05d1 pаypal`;

function plainCases(checkout: () => Checkout): void {
  it.each(['ar', 'de'])('shows a hostile description as text in %s, and is accessible', async (lang) => {
    const path = await checkout().ask({ description: hostileText });
    const payer = await checkout().open(`${path}?lang=${lang}`, async () => undefined);
    const { page } = payer;
    expect(await page.locator('.description bdi').textContent()).toBe(hostileText);
    expect(await page.locator('html').getAttribute('dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr');
    await payer.expectAccessible();
    await payer.screenshot(`checkout-phone-${lang}`);
    await page.locator('.languages summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByText('Choose what to pay with').waitFor();
    await payer.close();
  });

  it('lets a payer without scripts choose an option and see address and amount', async () => {
    const payer = await checkout().open(await checkout().ask(), async () => undefined, { hasScript: false });
    const { page } = payer;
    await chooseArbitrum(page);
    await page.getByText('To this address').waitFor();
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    await payer.close();
  });

  it('copies address and amount separately', async () => {
    const payer = await checkout().open(await checkout().ask(), async () => undefined);
    const { page } = payer;
    await chooseArbitrum(page);
    await page.getByText('To this address').waitFor();
    await untilListed(page, page.getByText('Network fee'));
    await page.getByRole('button', { name: 'Copy: To this address' }).click();
    const shown = await page.locator('.copyable code').first().textContent();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
    await payer.screenshot('checkout-phone-deposit');
    await payer.close();
  });

  it.each(['light', 'dark'] as const)(
    'shows an accessible page with a QR code, without horizontal scrolling, on a desktop in %s colours',
    async (scheme) => {
      const payer = await checkout().open(await checkout().ask(), async () => undefined, {
        scheme,
        width: 1_280,
      });
      await untilListed(payer.page, ethOnArbitrum(payer.page));
      await payer.page.getByRole('img', { name: 'QR code with the address of this page' }).waitFor();
      expect(await payer.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await payer.accessibilityProblems()).toEqual([]);
      await payer.screenshot(`checkout-desktop-${scheme}`);
      await chooseArbitrum(payer.page);
      await payer.page.getByText('To this address').waitFor();
      expect(await payer.accessibilityProblems()).toEqual([]);
      await payer.close();
    },
  );
}
