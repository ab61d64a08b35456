import { paylinksApi, type PublicPayLink, type RecordPaymentReply } from '@tollbridge/contracts';
import { DomainError, Text, type BusClient } from '@tollbridge/rpc';
import { findChain, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import type { FastifyRequest } from 'fastify';
import { html, webLink, type Html } from './html';
import { sendPage, type Page } from './layout';
import { describedAs, htmlPage, type DocumentedRoute } from '../openapi/documented-route';
import { formFields, type PageRoute } from './page-routes';
import { fitsQr, qrSvg } from './qr';
import { shopName } from './shop-name';

const { getPublicPayLink, recordPayLinkPayment } = paylinksApi.operations;

/** What a report came to, for the page that tells of it. */
interface Report {
  txHash: string;
  reply: RecordPaymentReply;
}

/** `/l/{id}`: what is to be paid and where, and a form for the transaction that paid it. */
export function payLinkPages(bus: Pick<BusClient, 'call'>): PageRoute[] {
  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
  return [
    {
      method: 'GET',
      url: '/l/:id',
      operation: getPublicPayLink,
      async answer(request, reply) {
        const link = await offered(bus, idOf(request), request);
        return sendPage(reply, link ? 200 : 404, link ? await linkPage(link) : closedPage(idOf(request)));
      },
    },
    {
      method: 'POST',
      url: '/l/:id',
      operation: recordPayLinkPayment,
      async answer(request, reply) {
        const id = idOf(request);
        const txHash = (formFields(request, ['txHash']).get('txHash') ?? '').trim();
        // Before the report, which may be the last one that the link takes: whoever paid is still to find his way on.
        const link = await offered(bus, id, request);
        const outcome = await bus.call(recordPayLinkPayment, { id, txHash }, request.call);
        return sendPage(reply, 200, reportPage(id, link, { txHash, reply: outcome }));
      },
    },
  ];
}

class LinkPage {
  @Text({ description: 'The link', maxLength: 64, example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
}

const transaction = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

/** The page of a PayLink in the document. */
export const payLinkPage: readonly DocumentedRoute[] = [
  {
    tag: 'PayLinks',
    operation: describedAs(getPublicPayLink, 'openPayLink', {
      ...{ path: '/l/{id}', input: LinkPage, pathFields: ['id'] },
      summary: 'Open the page of a PayLink',
      description: 'The page that payers open: what to pay and where, and a form for their transaction.',
    }),
    replies: { 200: htmlPage('The page') },
    failures: 'text/html',
  },
  {
    tag: 'PayLinks',
    operation: describedAs(recordPayLinkPayment, 'submitPayLink', {
      ...{ path: '/l/{id}', input: LinkPage, pathFields: ['id'] },
      summary: 'Submit the form of the page of a PayLink',
      description: 'Reports the transaction, as `POST /api/paylinks/{id}/pay` does.',
    }),
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        required: ['txHash'],
        properties: {
          txHash: { type: 'string', description: 'Hash of the transaction', examples: [transaction] },
        },
      },
      example: { txHash: transaction },
    },
    replies: { 200: htmlPage('What became of the report') },
    failures: 'text/html',
  },
];

/** Undefined while the link takes no payments. */
async function offered(
  bus: Pick<BusClient, 'call'>,
  id: string,
  { call }: FastifyRequest,
): Promise<PublicPayLink | undefined> {
  try {
    return await bus.call(getPublicPayLink, { id }, call);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

async function linkPage(link: PublicPayLink): Promise<Page> {
  const chain = findChain(link.network);
  const picture = pictureOf(link);
  const uri = paymentUri(link, chain);
  const body = html`${picture}
    <h1>${amountOf(link)}</h1>
    <p class="description">${link.name}</p>
    ${link.description !== '' && html`<p>${link.description}</p>`} ${factsOf(link, chain)}
    ${
      !link.receiverVerified &&
      html`<div class="notice wait">
        The merchant has not proven that this address is theirs. Pay only if you know the address.
      </div>`
    }
    ${fitsQr(uri) && (await qrSvg(uri, `Pay ${amountOf(link)}`))}
    ${chain?.family === 'evm' && html`<p><a class="button" href="${uri}">Open in a wallet</a></p>`}
    <h2>Paid?</h2>
    <p class="soft">Report the transaction: it is looked up on the chain, and then it counts.</p>
    ${reportForm(link.id)}`;
  return { title: `${link.name}: ${amountOf(link)}`, body, showsForeignPictures: picture !== null };
}

/** Only by https, and only by the payer's browser, which tells the other site nothing of this page. */
function pictureOf({ imageUrl }: PublicPayLink): Html | null {
  const address = webLink(imageUrl);
  return address?.startsWith('https:')
    ? html`<img class="picture" src="${address}" alt="" referrerpolicy="no-referrer" />`
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
    ${reference !== null && fact('Reference, for wallets that append data', html`<code>${reference}</code>`)}
  </dl>`;
}

/** EIP-681 on EVM chains, which names chain, token and amount; the bare address elsewhere. */
export function paymentUri(link: PublicPayLink, chain: Chain | undefined): string {
  const { receiveAddress: to, tokenAddress, openAmount, amount } = link;
  if (chain?.family !== 'evm' || chain.chainId === null) return to;
  if (tokenAddress === null) return `ethereum:${to}@${chain.chainId}${openAmount ? '' : `?value=${amount}`}`;
  const value = openAmount ? '' : `&uint256=${amount}`;
  return `ethereum:${tokenAddress}@${chain.chainId}/transfer?address=${to}${value}`;
}

function reportForm(id: string, txHash = ''): Html {
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
    <button>Report the payment</button>
  </form>`;
}

const pendingSeconds = 'It is counted by itself once the network has confirmed it; you can close this page.';

const unverifiableNotice =
  'Transactions on this network cannot be verified here. The payment counts once the merchant has confirmed it.';

function reportPage(id: string, link: PublicPayLink | undefined, { txHash, reply }: Report): Page {
  const title = titleOf(reply);
  const isUnverifiable = reply.status === 'unverifiable';
  const look = reply.success ? 'good' : reply.status === 'pending' || isUnverifiable ? 'wait' : 'bad';
  const said = reply.success
    ? whatIsSure(reply)
    : reply.status === 'pending'
      ? pendingSeconds
      : isUnverifiable
        ? unverifiableNotice
        : (reply.error ?? '');
  const onwards = reply.success ? webLink(link?.successUrl) : null;
  const body = html`<h1>${title}</h1>
    ${
      link &&
      html`<p class="description">
        ${link.name}, ${amountOf(link)}${link.storeName !== null && html`, to <bdi>${link.storeName}</bdi>`}
      </p>`
    }
    <div class="notice ${look}" role="status">${said}</div>
    <dl>
      <div>
        <dt>Transaction</dt>
        <dd><code>${txHash}</code></dd>
      </div>
    </dl>
    ${onwards !== null && html`<p><a class="button" href="${onwards}" rel="noreferrer">Go on</a></p>`}
    ${
      !reply.success &&
      reply.verified === false &&
      !isUnverifiable &&
      html`<h2>Look again</h2>
        ${reportForm(id, txHash)}`
    }`;
  return { title, body };
}

const whatIsSure = ({ verified }: RecordPaymentReply): string =>
  verified ? 'The network has confirmed the transaction.' : 'The merchant has confirmed the payment.';

function titleOf({ success, verified, status }: RecordPaymentReply): string {
  if (success) return 'Thank you';
  if (status === 'pending') return 'Waiting for the network';
  if (status === 'unverifiable') return 'Reported, the merchant will check';
  return verified ? 'Paid, but not counted' : 'This does not pay';
}

/** A link that never was looks the same. */
function closedPage(id: string): Page {
  const title = 'This link takes no payments';
  const body = html`<h1>${title}</h1>
    <p>It may have expired, may have had all its payments, or does not exist. Do not pay it any more.</p>
    <h2>Paid before?</h2>
    ${reportForm(id)}`;
  return { title, body };
}
