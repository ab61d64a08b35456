import { html, type Html } from '../parts/html';
import type { RemoteWallets } from './remote-wallets';
import type { Language } from '../texts/language';

/** The wallet families that the script supports. */
export const walletFamilies = ['evm', 'solana', 'ton', 'tron', 'sui'] as const;
export type WalletFamily = (typeof walletFamilies)[number];

export const isWalletFamily = (text: string): text is WalletFamily =>
  (walletFamilies as readonly string[]).includes(text);

/** The texts for the script, which contains no texts of its own. @param network of the payment */
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
  // The script replaces the placeholder `{t}` with the remaining time.
  left: text('timeLeft', { time: '{t}' }),
  timeOver: text('timeOver'),
});

export interface WalletPanelTerms {
  /** The families of the chains that can pay on this page. */
  families: readonly string[];
  remote: RemoteWallets;
  language: Language;
}

/**
 * The list for the wallets that the script finds. It is hidden until then, unless there are wallets on other devices.
 * The server renders the rows of those, so that nothing moves when the script replaces them.
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

/** Where the script shows the state of the wallet. */
export const walletStatus = (): Html =>
  html`<p class="notice wait" id="wallet-status" role="status" data-own hidden></p>`;

/** In the same order as in the script. */
function remoteNames({ walletConnect, ton = [] }: RemoteWallets, families: readonly string[]): string[] {
  return [
    ...(families.includes('ton') ? ton.map(({ name }) => name) : []),
    ...(walletConnect && families.includes('evm') ? ['WalletConnect'] : []),
  ];
}
