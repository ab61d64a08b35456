import { onRendered, pageData } from './page';
import type { Wallet } from './wallets/wallet';

/** Lists the wallets that were found, in the list that the server rendered for them. */
export class WalletList {
  private readonly wallets = new Map<string, Wallet>();

  constructor(
    private readonly addresses: ReadonlyMap<string, string>,
    private readonly chosen: (wallet: Wallet) => void,
  ) {
    onRendered(() => this.render());
  }

  add(wallet: Wallet): void {
    this.wallets.set(wallet.id, wallet);
    this.render();
  }

  find(id: string): Wallet | undefined {
    return this.wallets.get(id);
  }

  render(): void {
    const panel = document.querySelector<HTMLElement>('#wallets');
    const families = pageData()?.families ?? [];
    if (!panel) return;
    const fitting = [...this.wallets.values()].filter(({ family }) => families.includes(family));
    // Wallets on this device come first.
    const shown = fitting.toSorted((a, b) => Number(a.isRemote ?? false) - Number(b.isRemote ?? false));
    const template = panel.querySelector('template')!;
    const list = panel.querySelector('ul')!;
    list.replaceChildren(...shown.map((wallet) => this.rowOf(wallet, template)));
    panel.hidden = shown.length === 0;
    for (const hint of document.querySelectorAll<HTMLElement>('.no-wallet')) hint.hidden = shown.length > 0;
  }

  private rowOf(wallet: Wallet, template: HTMLTemplateElement): Node {
    const item = template.content.cloneNode(true) as DocumentFragment;
    const button = item.querySelector('button')!;
    const address = this.addresses.get(wallet.id);
    item.querySelector('strong')!.textContent = wallet.name;
    const place = wallet.isRemote ? (pageData()?.texts['remote'] ?? '') : '';
    item.querySelector('.soft')!.textContent = address ? shortened(address) : place;
    button.dataset['wallet'] = wallet.id;
    button.setAttribute('aria-pressed', String(address !== undefined));
    const image = item.querySelector('img')!;
    // The policy allows no other source.
    if (wallet.icon?.startsWith('data:image/')) image.src = wallet.icon;
    else image.remove();
    button.addEventListener('click', () => this.chosen(wallet));
    return item;
  }
}

const shortened = (address: string): string =>
  address.length > 16 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
