import { Attempt, resume } from './attempt';
import { hideLink, showLink } from './link-code';
import { canPay, mainElement, onRendered, pageData, payers, refresh, show } from './page';
import { discover } from './wallets/discover';
import { WalletProblem } from './wallet-problem';
import type { Step, Wallet } from './wallets/wallet';
import { isInDoubt, problemOf } from './wallet-error';
import { WalletList } from './wallet-list';
import { forget, remember, remembered } from './tab-memory';

// Stored for this tab only. In another tab, the wallet asks again.
const rememberedKey = 'tollbridge-wallet';

const goodSteps: readonly string[] = [
  'connecting',
  'switching',
  'approving',
  'approvalSent',
  'paying',
  'loading',
  'unread',
  'declined',
];

type Shown = Step | 'reporting' | 'loading' | 'unread' | WalletProblem['text'];

/** Connects wallets, pays with them, and shows the progress. */
export class Payer {
  /** Addresses by wallet id. */
  private readonly addresses = new Map<string, string>();
  private readonly list = new WalletList(this.addresses, (wallet) => void this.choose(wallet));
  private isBusy = false;
  private shown: Shown | undefined;

  start(): void {
    discover((wallet) => {
      this.list.add(wallet);
      void this.reconnect(wallet);
    });
    document.addEventListener('submit', (event) => void this.submit(event));
    document.addEventListener('click', ({ target }) => {
      if ((target as Element).closest('#pay-now')) void this.pay();
    });
    onRendered(() => {
      if (this.shown === 'unread') this.say(undefined);
      this.rendered();
    });
    const stored = resume(() => this.say('reporting'));
    if (stored) void this.work(() => stored.then(() => this.settle()));
  }

  /** Connects a wallet. The page then shows its balances and the costs of the payment. No wallet pays before that. */
  private async choose(wallet: Wallet): Promise<void> {
    await this.work(async () => {
      await this.connect(wallet);
      await this.load();
    });
  }

  /** Shows the balances of the connected wallets. A failed request is repeated. */
  private async load(): Promise<void> {
    this.say('loading');
    const isShown = await refresh().then(
      () => true,
      () => false,
    );
    this.say(isShown ? undefined : 'unread');
  }

  /**
   * Handles the choice of an option. One request starts the payment and returns its page, without the review, which may
   * wait for a node of the chain.
   */
  private async submit(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement;
    if (!form.matches('.option')) return;
    event.preventDefault();
    await this.work(async () => {
      const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
      const headers = { prefer: 'return=representation' };
      history.pushState(null, '', await show(form.action, { method: 'POST', body, headers }));
      window.scrollTo(0, 0);
      if (pageData()?.kind !== 'payment') return;
      if (this.addresses.size > 0) await this.load();
      else void refresh().catch(() => undefined);
    });
  }

  private async connect(wallet: Wallet): Promise<void> {
    this.say('connecting');
    const address = await wallet.connect(false, (link) => void showLink(link)).finally(hideLink);
    if (address === undefined) throw new WalletProblem('declined');
    remember(rememberedKey, wallet.id);
    this.connected(wallet, address);
  }

  /** Connects the wallet of this tab again after a reload, without a prompt. */
  private async reconnect(wallet: Wallet): Promise<void> {
    if (remembered(rememberedKey) !== wallet.id || this.addresses.has(wallet.id)) return;
    const address = await wallet.connect(true).catch(() => undefined);
    if (address === undefined) return;
    this.connected(wallet, address);
    await refresh().catch(() => undefined);
  }

  private connected(wallet: Wallet, address: string): void {
    if (!this.addresses.has(wallet.id)) wallet.onSwitch?.((now) => void this.switched(wallet, now));
    // The most recently added wallet is used for payments.
    this.addresses.delete(wallet.id);
    this.addresses.set(wallet.id, address);
    payers.set(wallet.family, address);
    this.list.render();
  }

  /** Updates the balances of the page after a change of the account. */
  private async switched(wallet: Wallet, address: string | undefined): Promise<void> {
    if (!this.addresses.has(wallet.id) || address === this.addresses.get(wallet.id)) return;
    if (address === undefined) {
      this.addresses.delete(wallet.id);
      payers.delete(wallet.family);
      if (remembered(rememberedKey) === wallet.id) forget(rememberedKey);
    } else {
      this.addresses.set(wallet.id, address);
      payers.set(wallet.family, address);
    }
    this.list.render();
    if (!this.isBusy) await refresh().catch(() => undefined);
  }

  /** The connected wallet of the payment's family. */
  private paying(): Wallet | undefined {
    const family = pageData()?.pay?.family;
    return [...this.addresses.keys()].map((id) => this.list.find(id)).findLast((it) => it?.family === family);
  }

  /**
   * Pays with a wallet. The server allows only one tab of one device to open a wallet, and shows the outcome to all of
   * them.
   */
  private async pay(): Promise<void> {
    const wallet = this.paying();
    const { pay } = pageData() ?? {};
    if (!wallet || !pay || !canPay()) return;
    await this.work(async () => {
      const attempt = await askToPay().catch(() => {
        throw new WalletProblem('unavailable');
      });
      if (!attempt) return this.settle();
      let hash: string | undefined;
      try {
        hash = await wallet.pay(pay, this.addresses.get(wallet.id)!, (step) => this.say(step));
      } catch (error) {
        await attempt.end(isInDoubt(problemOf(error)) ? 'doubt' : 'decline');
        await refresh().catch(() => undefined);
        throw error;
      }
      await attempt.send(hash, () => this.say('reporting'));
      await this.settle();
    });
  }

  /** Shows the outcome from the server's page. */
  private async settle(): Promise<void> {
    await refresh().catch(() => undefined);
    this.say(undefined);
  }

  /** Runs one job at a time, because a second click must not pay twice. */
  private async work(job: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.rendered();
    try {
      await job();
    } catch (error) {
      this.say(problemOf(error));
    } finally {
      this.isBusy = false;
      this.rendered();
    }
  }

  private rendered(): void {
    for (const button of document.querySelectorAll<HTMLButtonElement>('button.row, #pay-now'))
      button.disabled = this.isBusy;
    mainElement().toggleAttribute('data-busy', this.isBusy);
    const button = document.querySelector<HTMLElement>('#pay-now');
    if (button) button.hidden = !this.paying() || pageData()?.pay?.isShort === true;
    // This tab's own message is outdated when nothing can be paid.
    if (!this.isBusy && pageData()?.kind === 'payment' && !canPay()) this.say(undefined);
  }

  private say(name: Shown | undefined): void {
    this.shown = name;
    const status = document.querySelector<HTMLElement>('#wallet-status');
    if (!status) return;
    status.hidden = name === undefined;
    status.textContent = name === undefined ? '' : (pageData()?.texts[name] ?? name);
    status.classList.toggle('bad', name !== undefined && !goodSteps.includes(name));
  }
}

// The state of a payment may change a few times during a payment, but rarely between a page load and a click.
const mostAsks = 3;

/** Requests an attempt. Retries when the page was outdated, if the new page still offers the payer's choice. */
async function askToPay(): Promise<Attempt | undefined> {
  const { pay, payState } = pageData() ?? {};
  const clicked = JSON.stringify([pay, payState]);
  for (let asks = 0; asks < mostAsks; asks++) {
    const { attempt: url = '', version = 0 } = pageData() ?? {};
    const answer = await Attempt.ask({ url, version, isWarned: payState === 'again' });
    if (answer.kind === 'held') return answer.attempt;
    if (answer.kind === 'notNow') return undefined;
    await refresh();
    const now = pageData();
    if (!canPay() || JSON.stringify([now?.pay, now?.payState]) !== clicked) return undefined;
  }
  return undefined;
}
