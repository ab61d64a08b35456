import { isDeclined } from '../wallets/declined';
import { hideLink, showLink } from './link-code';
import { onRendered, pageData, refresh, show } from './page';
import { discover } from './wallets/discover';
import { WalletProblem, type Step, type Wallet } from './wallets/wallet';
import { WalletList } from './wallet-list';
import { forget, remember, remembered } from './tab-memory';

// Of this tab only: a wallet asks again in another one.
const rememberedKey = 'tollbridge-wallet';

/** Connects wallets, pays with them, and says what happens. */
export class Payer {
  /** Wallet id to address. */
  private readonly addresses = new Map<string, string>();
  private readonly list = new WalletList(this.addresses, (wallet) => void this.choose(wallet));
  private isBusy = false;

  start(): void {
    discover((wallet) => {
      this.list.add(wallet);
      void this.reconnect(wallet);
    });
    document.addEventListener('submit', (event) => void this.submit(event));
    onRendered(() => this.showBusy());
  }

  private async choose(wallet: Wallet): Promise<void> {
    await this.work(async () => {
      const address = await this.connect(wallet);
      const data = pageData();
      if (data?.pay) return this.pay(wallet, address);
      this.say('loading');
      await this.showHoldings();
      this.say(undefined);
    });
  }

  /** A choice with a connected wallet goes on to the payment in this page, and asks the wallet at once. */
  private async submit(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement;
    const hasWallet = form.matches('.option') && this.addresses.size > 0;
    if (!hasWallet || this.isBusy) return;
    event.preventDefault();
    await this.work(async () => {
      const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
      history.pushState(null, '', await show(form.action, { method: 'POST', body }));
      window.scrollTo(0, 0);
      const { pay } = pageData() ?? {};
      const wallet = [...this.addresses.keys()]
        .map((id) => this.list.find(id))
        .find((it) => it?.family === pay?.family);
      if (pay && wallet) await this.pay(wallet, this.addresses.get(wallet.id)!);
    });
  }

  private async connect(wallet: Wallet): Promise<string> {
    const known = this.addresses.get(wallet.id);
    if (known !== undefined && pageData()?.pay) return known;
    this.say('connecting');
    const address = await wallet.connect(false, (link) => void showLink(link)).finally(hideLink);
    if (address === undefined) throw new WalletProblem('declined');
    remember(rememberedKey, wallet.id);
    this.connected(wallet, address);
    return address;
  }

  /** After a reload, the wallet of this tab without a question. */
  private async reconnect(wallet: Wallet): Promise<void> {
    if (remembered(rememberedKey) !== wallet.id || this.addresses.has(wallet.id)) return;
    const address = await wallet.connect(true).catch(() => undefined);
    if (address === undefined) return;
    this.connected(wallet, address);
    if (pageData()?.kind === 'choice') await this.showHoldings().catch(() => undefined);
  }

  private connected(wallet: Wallet, address: string): void {
    if (!this.addresses.has(wallet.id)) wallet.onSwitch?.((now) => void this.switched(wallet, now));
    this.addresses.set(wallet.id, address);
    this.list.render();
  }

  /** The balances of the page are those of the account in use. */
  private async switched(wallet: Wallet, address: string | undefined): Promise<void> {
    if (!this.addresses.has(wallet.id) || address === this.addresses.get(wallet.id)) return;
    if (address === undefined) {
      this.addresses.delete(wallet.id);
      if (remembered(rememberedKey) === wallet.id) forget(rememberedKey);
    } else this.addresses.set(wallet.id, address);
    this.list.render();
    if (pageData()?.kind === 'choice' && !this.isBusy) await this.showHoldings().catch(() => undefined);
  }

  private async showHoldings(): Promise<void> {
    const url = new URL(location.href);
    url.searchParams.delete('payer');
    for (const [id, address] of this.addresses)
      url.searchParams.append('payer', `${id.split(' ')[0]}:${address}`);
    await show(url.href);
  }

  private async pay(wallet: Wallet, address: string): Promise<void> {
    const { pay, order } = pageData()!;
    const hash = await wallet.pay(pay!, address, (step) => this.say(step));
    this.say('sent');
    if (hash !== undefined) await report(order!, hash);
    await refresh().catch(() => undefined);
  }

  /** One thing at a time: a second click must not pay twice. */
  private async work(job: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.showBusy();
    try {
      await job();
    } catch (error) {
      this.say(problemOf(error));
    } finally {
      this.isBusy = false;
      this.showBusy();
    }
  }

  private showBusy(): void {
    for (const row of document.querySelectorAll<HTMLButtonElement>('button.row')) row.disabled = this.isBusy;
  }

  private say(name: Step | 'sent' | 'loading' | WalletProblem['text'] | undefined): void {
    const status = document.querySelector<HTMLElement>('#wallet-status');
    if (!status) return;
    status.hidden = name === undefined;
    status.textContent = name === undefined ? '' : (pageData()?.texts[name] ?? name);
    status.classList.toggle('bad', name === 'failed' || name === 'approvalFailed' || name === 'wrongNetwork');
  }
}

/** Only faster: the server finds the payment on the chain by itself. */
async function report(order: string, hash: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ tx_hash: hash });
  await fetch(`/api/v1/pay/order/${order}/tx`, { method: 'POST', headers, body }).catch(() => undefined);
}

function problemOf(error: unknown): WalletProblem['text'] {
  if (error instanceof WalletProblem) return error.text;
  return isDeclined(error) ? 'declined' : 'failed';
}
