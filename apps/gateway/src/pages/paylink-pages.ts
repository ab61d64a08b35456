import { Injectable } from '@nestjs/common';
import { paylinksApi, type PublicPayLink, type RecordPaymentReply } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import { findChain, paymentUri, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedded, stateOfLink } from './embedding';
import { html, webLink, type Html } from './html';
import { PageRenderer, type Page } from './layout';
import { formFields, type PageHandler } from './page-handler';
import { openPayLink, submitPayLink } from './paylink.routes';
import { fitsQr, qrSvg } from './qr';
import { cancelLink } from './return-link';
import { shopName } from './shop-name';

const { getPublicPayLink, recordPayLinkPayment } = paylinksApi.operations;

interface Submission {
  txHash: string;
  reply: RecordPaymentReply;
}

const linkIdOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** `/l/{id}`: the payment instructions of a PayLink, and a form for the transaction that paid it. */
@Injectable()
export class PayLinkPages {
  constructor(
    private readonly bus: BusClient,
    private readonly renderer: PageRenderer,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: openPayLink, handle: (request, reply) => this.open(request, reply) },
    { route: submitPayLink, handle: (request, reply) => this.submit(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const link = await this.find(id, request);
    return link
      ? this.renderer.send(reply, 200, embedded(await linkPage(link), link.embedOrigins, stateOfLink(link)))
      : this.renderer.send(reply, 404, closedPage(id));
  }

  private async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const txHash = (formFields(request, ['txHash']).get('txHash') ?? '').trim();
    // Before the submission, after which the link may be closed: the payer still needs its success URL.
    const link = await this.find(id, request);
    const outcome = await this.bus.call(recordPayLinkPayment, { id, txHash }, request.call);
    const page = submissionPage(id, link, { txHash, reply: outcome });
    const state = link && stateOfLink(link, stateAfter(outcome));
    return this.renderer.send(reply, 200, state ? embedded(page, link.embedOrigins, state) : page);
  }

  /** Undefined while the link accepts no payments. */
  private async find(id: string, { call }: FastifyRequest): Promise<PublicPayLink | undefined> {
    try {
      return await this.bus.call(getPublicPayLink, { id }, call);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }
}

async function linkPage(link: PublicPayLink): Promise<Page> {
  const chain = findChain(link.network);
  const image = imageOf(link);
  const uri = walletUri(link, chain);
  const scanned = uri ?? link.receiveAddress;
  const body = html`${image}
    <h1>${amountOf(link)}</h1>
    <p class="description">${link.name}</p>
    ${link.description !== '' && html`<p>${link.description}</p>`} ${factsOf(link, chain)}
    ${
      !link.receiverVerified &&
      html`<div class="notice wait">
        The merchant has not proven that this address is theirs. Pay only if you know the address.
      </div>`
    }
    ${fitsQr(scanned) && (await qrSvg(scanned, `Pay ${amountOf(link)}`))}
    ${uri !== null && html`<p><a class="button" href="${uri}">Open in a wallet</a></p>`}
    <h2>Paid?</h2>
    <p class="soft">Submit the transaction. The payment counts once the network confirms it.</p>
    ${submissionForm(link.id)} ${cancelLink(link.cancelUrl)}`;
  return { title: `${link.name}: ${amountOf(link)}`, body, allowsExternalImages: image !== null };
}

/** Only over https. The payer's browser loads it, without a referrer. */
function imageOf({ imageUrl }: PublicPayLink): Html | null {
  const address = webLink(imageUrl);
  return address?.startsWith('https:')
    ? html`<img class="image" src="${address}" alt="" referrerpolicy="no-referrer" />`
    : null;
}

function amountOf({ openAmount, amount, minAmount, decimals, token }: PublicPayLink): string {
  if (!openAmount) return `${formatUnits(BigInt(amount), decimals)} ${token}`;
  const least = BigInt(minAmount ?? '1');
  return least === 1n ? `Any amount of ${token}` : `${formatUnits(least, decimals)} ${token} or more`;
}

function factsOf(link: PublicPayLink, chain: Chain | undefined): Html {
  const { receiveAddress, storeName, tokenAddress, token, expiresAt, reference } = link;
  const fact = (name: string, value: Html | string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl>
    ${fact('Network', chain?.name ?? link.network)}
    ${fact('Pay to', html`${shopName(storeName)}<code>${receiveAddress}</code>`)}
    ${tokenAddress !== null && fact(`Contract of ${token}`, html`<code>${tokenAddress}</code>`)}
    ${expiresAt !== null && fact('Until', `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`)}
    ${reference !== null && fact('Reference: data, memo or comment, if your wallet can add it', html`<code>${reference}</code>`)}
  </dl>`;
}

/** A link that opens a wallet with the transfer; null on chains without one. */
export function walletUri(link: PublicPayLink, chain: Chain | undefined): string | null {
  const { receiveAddress: address, tokenAddress, decimals, openAmount, amount, reference } = link;
  const amountAtomic = openAmount ? null : BigInt(amount);
  const token = { address: tokenAddress, decimals };
  return chain ? paymentUri({ chain, token, address, amountAtomic, memo: null, reference }) : null;
}

function submissionForm(id: string, txHash = ''): Html {
  return html`<form method="post" action="/l/${encodeURIComponent(id)}">
    <label for="txHash">Transaction hash</label>
    <input
      id="txHash"
      name="txHash"
      value="${txHash}"
      required
      maxlength="128"
      autocomplete="off"
      spellcheck="false"
    />
    <button>Submit the transaction</button>
  </form>`;
}

const pendingNotice = 'The payment counts as soon as the network confirms it. You can close this page.';

const unverifiableNotice =
  'Transactions on this network cannot be verified here. The payment counts once the merchant confirms it.';

function submissionPage(id: string, link: PublicPayLink | undefined, { txHash, reply }: Submission): Page {
  const title = titleOf(reply);
  const isUnverifiable = reply.status === 'unverifiable';
  const style = reply.success ? 'good' : reply.status === 'pending' || isUnverifiable ? 'wait' : 'bad';
  const notice = reply.success
    ? confirmationOf(reply)
    : reply.status === 'pending'
      ? pendingNotice
      : isUnverifiable
        ? unverifiableNotice
        : (reply.error ?? '');
  const continueTo = reply.success ? webLink(link?.successUrl) : null;
  const body = html`<h1>${title}</h1>
    ${
      link &&
      html`<p class="description">
        ${link.name}, ${amountOf(link)}${link.storeName !== null && html`, to <bdi>${link.storeName}</bdi>`}
      </p>`
    }
    <div class="notice ${style}" role="status">${notice}</div>
    <dl>
      <div>
        <dt>Transaction</dt>
        <dd><code>${txHash}</code></dd>
      </div>
    </dl>
    ${continueTo !== null && html`<p><a class="button" href="${continueTo}" rel="noreferrer" target="_top" data-return="completed">Continue</a></p>`}
    ${
      !reply.success &&
      reply.verified === false &&
      !isUnverifiable &&
      html`<h2>Check again</h2>
        ${submissionForm(id, txHash)}`
    }`;
  return { title, body };
}

function stateAfter({ success, status }: RecordPaymentReply): 'completed' | 'submitted' | 'failed' {
  if (success) return 'completed';
  return status === 'pending' || status === 'unverifiable' ? 'submitted' : 'failed';
}

const confirmationOf = ({ verified }: RecordPaymentReply): string =>
  verified ? 'The network has confirmed the transaction.' : 'The merchant has confirmed the payment.';

function titleOf({ success, verified, status }: RecordPaymentReply): string {
  if (success) return 'Thank you';
  if (status === 'pending') return 'Waiting for the network';
  if (status === 'unverifiable') return 'Submitted for review by the merchant';
  return verified ? 'Paid, but not counted' : 'This transaction does not pay the link';
}

/** The same for a link that does not exist. */
function closedPage(id: string): Page {
  const title = 'This link accepts no payments';
  const body = html`<h1>${title}</h1>
    <p>The link has expired, has received all its payments, or does not exist. Do not pay it.</p>
    <h2>Already paid?</h2>
    ${submissionForm(id)}`;
  return { title, body };
}
