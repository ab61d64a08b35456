import { onRendered, pageData } from './page';
import type { Wallet } from './wallets/wallet';

/** Lists the wallets that were found, in the list that the server rendered for them. */
export class WalletList {
  private readonly wallets = new Map<string, Wallet>();
  /** By wallet id. A click counts only on an element that stays in place from its beginning to its end. */
  private readonly rows = new Map<string, HTMLLIElement>();

  constructor(
    private readonly addresses: ReadonlyMap<string, string>,
    private readonly chosen: (wallet: Wallet) => void,
  ) {
    onRendered(() => this.render());
  }

  add(wallet: Wallet): void {
    this.wallets.set(wallet.id, wallet);
    this.rows.delete(wallet.id);
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
    const rows = shown.map((wallet) => this.rowOf(wallet, template));
    const isListed =
      rows.length === list.children.length && rows.every((row, at) => row === list.children[at]);
    if (!isListed) list.replaceChildren(...rows);
    panel.hidden = shown.length === 0;
    for (const hint of document.querySelectorAll<HTMLElement>('.no-wallet')) hint.hidden = shown.length > 0;
  }

  private rowOf(wallet: Wallet, template: HTMLTemplateElement): HTMLLIElement {
    const row = this.rows.get(wallet.id) ?? this.newRow(wallet, template);
    this.rows.set(wallet.id, row);
    const address = this.addresses.get(wallet.id);
    const place = wallet.isRemote ? (pageData()?.texts['remote'] ?? '') : '';
    row.querySelector('.soft')!.textContent = address ? shortened(address) : place;
    row.querySelector('button')!.setAttribute('aria-pressed', String(address !== undefined));
    return row;
  }

  private newRow(wallet: Wallet, template: HTMLTemplateElement): HTMLLIElement {
    const row = document.importNode(template.content, true).querySelector('li')!;
    const button = row.querySelector('button')!;
    row.querySelector('strong')!.textContent = wallet.name;
    button.dataset['wallet'] = wallet.id;
    const image = row.querySelector('img')!;
    // The policy allows no other source.
    if (wallet.icon?.startsWith('data:image/')) image.src = wallet.icon;
    else image.remove();
    button.addEventListener('click', () => this.chosen(wallet));
    return row;
  }
}

const shortened = (address: string): string =>
  address.length > 16 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
