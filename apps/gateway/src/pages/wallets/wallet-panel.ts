import { html, type Html } from '../parts/html';
import type { RemoteWallets } from './remote-wallets';
import type { Language } from '../texts/language';

/** The module talks to wallets of these families. */
export const walletFamilies = ['evm', 'solana', 'ton', 'tron', 'sui'] as const;
export type WalletFamily = (typeof walletFamilies)[number];

export const isWalletFamily = (text: string): text is WalletFamily =>
  (walletFamilies as readonly string[]).includes(text);

/** What the module says; it has no text of its own. @param network of the payment */
export const moduleTexts = ({ text }: Language, network = ''): Record<string, string> => ({
  connecting: text('walletConnecting'),
  switching: text('walletSwitching'),
  approving: text('walletApproving'),
  approvalSent: text('walletApprovalSent'),
  paying: text('walletPaying'),
  reporting: text('walletReporting'),
  noFunds: text('walletNoFunds'),
  locked: text('walletLocked'),
  pending: text('walletPending'),
  unsupported: text('walletUnsupported'),
  switchDeclined: text('walletSwitchDeclined', { network }),
  declined: text('walletDeclined'),
  wrongNetwork: text('walletWrongNetwork', { network }),
  approvalFailed: text('walletApprovalFailed'),
  failed: text('walletFailed'),
  unavailable: `${text('failedUnavailable')}. ${text('failedUnavailableHint')}`,
  loading: text('walletLoading'),
  unread: text('holdingUnread'),
  copied: text('copied'),
  remote: text('walletElsewhere'),
  // The module writes the time in its place.
  left: text('timeLeft', { time: '{t}' }),
  timeOver: text('timeOver'),
});

export interface WalletPanelTerms {
  /** Families of the chains that the page takes payments on. */
  families: readonly string[];
  remote: RemoteWallets;
  language: Language;
}

/**
 * Where the module lists the wallets that it finds: hidden until then, unless there are wallets on other devices. The
 * server writes their rows, so that nothing moves when the module puts its own in their place.
 */
export function walletPanel(title: string, { families, remote, language: { text } }: WalletPanelTerms): Html {
  const names = remoteNames(remote, families);
  const rows = names.map(
    (name) =>
      html`<li>
        <button type="button" class="row" disabled>
          <span class="grow"
            ><strong>${name}</strong><span class="soft">${text('walletElsewhere')}</span></span
          >
        </button>
      </li>`,
  );
  return html`<section
      class="wallets"
      id="wallets"
      data-own
      ${names.length === 0 && html`hidden`}
      aria-labelledby="wallets-title"
    >
      <h2 id="wallets-title">${title}</h2>
      <ul class="list">
        ${rows}
      </ul>
      <template>
        <li>
          <button type="button" class="row">
            <img alt="" width="32" height="32" /><span class="grow"
              ><strong></strong><span class="soft"></span
            ></span>
          </button>
        </li>
      </template>
    </section>
    <div class="wallet-link" id="wallet-link" data-own hidden>
      <p>${text('walletScan')}</p>
      <div class="code"></div>
      <p><a class="button quiet" rel="noreferrer">${text('openInWallet')}</a></p>
    </div>`;
}

/** Where the module says what it does with a wallet. */
export const walletStatus = (): Html =>
  html`<p class="notice wait" id="wallet-status" role="status" data-own hidden></p>`;

/** In the order of the module. */
function remoteNames({ walletConnect, ton = [] }: RemoteWallets, families: readonly string[]): string[] {
  return [
    ...(families.includes('ton') ? ton.map(({ name }) => name) : []),
    ...(walletConnect && families.includes('evm') ? ['WalletConnect'] : []),
  ];
}
