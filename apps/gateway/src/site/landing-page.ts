import { html, type Html } from '../pages/parts/html';
import type { SitePage } from './site-layout';

export interface SystemState {
  isUp: boolean;
  /** The number of chains that payers can use. */
  chains: number;
  /** The names of the chains where this deployment accepts payments with its contract. */
  directChains: readonly string[];
}

const parts: readonly { title: string; text: string; guide: string; action: string }[] = [
  {
    title: 'Take a payment',
    text: 'The payer pays with the token they have, on the chain they are on. The merchant receives the exact amount, or nothing moves.',
    guide: 'pay',
    action: 'Accept a payment',
  },
  {
    title: 'Run a shop',
    text: 'Payment requests with a checkout page, reusable PayLinks, signed webhooks, a ledger that proves itself.',
    guide: 'shop',
    action: 'Run a shop',
  },
  {
    title: 'Swap and bridge',
    text: 'One quote over many routes, built into transactions that the wallet signs, followed until the money has arrived.',
    guide: 'swap',
    action: 'Swap',
  },
  {
    title: 'Sell by HTTP 402',
    text: 'A price on any route. Buyers pay fractions of a cent per request, without an account.',
    guide: 'paid-routes',
    action: 'Sell a route',
  },
  {
    title: 'Buy services',
    text: 'Gift cards, airtime, e-mail, phone numbers, virtual cards and payouts, with one key.',
    guide: 'services',
    action: 'Buy services',
  },
  {
    title: 'Go to production',
    text: 'Secrets, databases, the bus, chains and providers, and the checks before the first real payment.',
    guide: 'production',
    action: 'Prepare a deployment',
  },
];

/** The landing page: what the product is, whether it works, and the link to a first payment. */
export function landingPage(state: SystemState, { isSandbox }: { isSandbox: boolean }): SitePage {
  const body = html`<section class="hero">
      <h1>Take a payment on any chain</h1>
      <p class="lead">
        One API to be paid, to swap across chains, to sell any route by HTTP 402 and to buy gift cards, phone
        numbers and other services. The payment contract never holds funds, has no owner and cannot be
        upgraded.
      </p>
      <div class="actions">
        ${isSandbox && firstPayment} <a class="button quiet" href="/guides/pay">Read the first guide</a>
      </div>
      ${stateLine(state, isSandbox)}
    </section>
    <ul class="cards">
      ${parts.map(
        ({ title, text, guide, action }) =>
          html`<li>
            <h2>${title}</h2>
            <p>${text}</p>
            <a href="/guides/${guide}">${action}</a>
          </li>`,
      )}
    </ul>`;
  return {
    title: 'Tollbridge',
    description:
      'One API to take a payment on any chain, swap across chains, and sell any route by HTTP 402.',
    body,
  };
}

const firstPayment: Html = html`<form method="post" action="/first-payment">
  <button>Make a first payment</button>
</form>`;

function stateLine({ isUp, chains, directChains }: SystemState, isSandbox: boolean): Html {
  if (!isUp)
    return html`<p class="state bad" role="status">
      Payments are not available at present. <a href="/health/services">See the state</a>
    </p>`;
  const direct = directChains.length > 0 ? `, directly on ${directChains.join(', ')}` : '';
  return html`<p class="state good" role="status">
    ${isSandbox ? 'This is a sandbox: its money is test money.' : 'All services answer.'} Payers can pay on
    ${chains} chains${direct}.
  </p>`;
}
