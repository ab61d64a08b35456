import { html, type Html } from './html';

/** The module talks to wallets of these families. */
export const walletFamilies = ['evm', 'solana', 'ton', 'tron', 'sui'] as const;
export type WalletFamily = (typeof walletFamilies)[number];

export const isWalletFamily = (text: string): text is WalletFamily =>
  (walletFamilies as readonly string[]).includes(text);

/** What the module says; it has no text of its own. */
export const walletTexts = {
  connecting: 'Open your wallet and allow this page to see your address.',
  switching: 'Allow the change of the network in your wallet.',
  approving: 'Step 1 of 2: allow the amount in your wallet.',
  approvalSent: 'Step 1 of 2: waiting for the network to confirm the allowance.',
  paying: 'Confirm the payment in your wallet.',
  sent: 'The payment was sent. This page shows when it has arrived.',
  declined: 'You declined it in your wallet; nothing was paid.',
  wrongNetwork: 'Your wallet is on another network. Change it there, then try again.',
  approvalFailed: 'The network rejected the allowance; nothing was paid. Try again.',
  failed:
    'The wallet reported a problem. Look in your wallet whether a payment was sent before you try again.',
  offline: 'The connection is interrupted. Trying again.',
  loading: 'Reading what your wallet holds.',
  copied: 'Copied',
  minutesLeft: '{n} minutes left',
  left: '{t} left',
  timeOver: 'The time is over.',
} as const;

/** Where the module lists the wallets that it finds. Hidden until then. */
export function walletPanel(title: string): Html {
  return html`<section class="wallets" id="wallets" data-own hidden aria-labelledby="wallets-title">
      <h2 id="wallets-title">${title}</h2>
      <ul class="list"></ul>
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
    <p class="notice wait" id="wallet-status" role="status" data-own hidden></p>`;
}
