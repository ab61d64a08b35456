import { DomainError } from '@tollbridge/rpc';
import { rendererFixture } from '../../testing/renderer-fixture';
import { choicePage } from '../checkout/choice-page';
import { failurePage } from '../serving/failure-page';
import { heldOptions } from '../wallets/held-options';
import { html, trustedHtml } from '../parts/html';
import type { Page } from '../parts/layout';
import { missingPage } from '../serving/missing-page';
import { closedPage, linkPage } from '../paylinks/paylink-page';
import { paymentPage } from '../checkout/payment-page';
import { receiptPage } from '../receipts/receipt-page';
import { withSandboxPanel } from '../checkout/sandbox-panel';
import { submissionPage } from '../checkout/submission-page';
import { aPublicPayLink } from '../paylinks/testing/public-paylink.builder';
import {
  aDepositOrder,
  aPaymentDetails,
  aPayment,
  anAttempt,
  anOrder,
  priced,
} from '../testing/payment.builder';
import en from './en.json';
import { Language, type TextKey, type Texts } from './language';
import { languages } from './languages';

const renderer = rendererFixture({ environment: 'sandbox' });
const qr = trustedHtml('<svg></svg>');

/** Every page in every state that has texts of its own. */
async function pagesIn(language: Language): Promise<Page[]> {
  const payments = await Promise.all(
    paymentStates().map(async ([status, order]) =>
      withSandboxPanel(await paymentPage(status, { qr, language, order }), status, order),
    ),
  );
  const amount = { amount: '2', symbol: 'ETH' };
  const reviewed = reviews.map((wallet) =>
    paymentPage(depositStatus(), { qr, language, review: { fee: amount, needed: amount, wallet } }),
  );
  const shown = await Promise.all(reviewed);
  return [...choicePages(language), ...payments, ...shown, ...(await otherPages(language))];
}

const read = (option: object) => ({ options: [option as never], read_chains: [] });

function choicePages(language: Language): Page[] {
  const { payment_options: options } = aPaymentDetails();
  const expires_at = '2026-12-20T12:00:00.000Z';
  const [usdc] = options;
  const many = Array.from({ length: 8 }, () => ({ ...usdc! }));
  const balance = { blockchain: 'btc', token: 'BTC', balance: '2.5', sufficient: true };
  const held = heldOptions([...options, { ...usdc!, execution_strategy: 'swap' }], read(balance));
  const poor = heldOptions(options, read({ ...balance, sufficient: false, pay_amount_formatted: '3' }));
  const feeless = heldOptions(options, read({ ...balance, sufficient: false, pay_amount_formatted: '2' }));
  const optional = options.map((option) => ({ ...option, needs_payer_address: false }));
  const open = (payment_options: typeof options, more = {}) =>
    choicePage({ ...aPaymentDetails({ expires_at }), payment_options }, { qr, language, ...more });
  const ended = (['processing', 'completed', 'expired', 'canceled'] as const).map((status) =>
    choicePage(aPaymentDetails({ status, payment_id: 'p-1' }), { qr, language }),
  );
  const named = choicePage(
    aPaymentDetails({ status: 'completed', store_name: 'Café', receive_address: '0x1' }),
    { qr, language },
  );
  const unreceived = choicePage(aPaymentDetails({ receive_address: '', receive_address_required: true }), {
    qr,
    language,
  });
  const connected = { payers: { utxo: 'bc1q' } };
  return [
    open(options),
    choicePage(aPaymentDetails(priced), { qr, language }),
    open(many),
    open([]),
    open(optional),
    open(held, connected),
    open(poor),
    open(feeless),
    ...(['asking', 'sent', 'failed', 'unknown'] as const).map((state) =>
      choicePage(aPaymentDetails(anAttempt(state).payment_request), { qr, language }),
    ),
    ...ended,
    named,
    unreceived,
  ];
}

function paymentStates(): [ReturnType<typeof aPayment>, ReturnType<typeof anOrder> | undefined][] {
  const given = aPayment();
  const seen = { pay_tx: '0xabc', instructions: null };
  const steps = (['swap', 'bridge', 'transfer'] as const).flatMap((step_type) =>
    (['pending', 'executing', 'completed', 'failed'] as const).map((status) => ({
      step_type,
      status,
      transaction_hash: null,
    })),
  );
  const coin = { chain_id: 8453, approve: null, pay: { to: '0x1', data: '0x2', value: '7' }, uri: null };
  const source = { chain_id: null, approve: null, pay: null, uri: 'solana:x', wallet_call_url: 'https://x/' };
  const deposit = { ...aDepositOrder().cross_chain!, deposit_memo: '4711' };
  const crossChain = { ...given.order, method: 'CrossChain' as const, direct: null, cross_chain: deposit };
  const onBitcoin = { ...crossChain, cross_chain: { ...deposit, deposit_blockchain: 'btc' } };
  const bitcoin = { chain_id: null, approve: null, pay: null, uri: 'bitcoin:bc1q?amount=1' };
  const withRefund = aDepositOrder({ deposit_status: 'delivered', refunded_amount: '5' });
  return [
    [aPayment({ steps }), undefined],
    [inEuros(), undefined],
    [inEuros({ status: 'expired' }), undefined],
    [aPayment({ instructions: coin }), undefined],
    [aPayment({ instructions: source }), undefined],
    ...(['asking', 'sent', 'failed', 'unknown'] as const).flatMap((state) => [
      [anAttempt(state), undefined] as [ReturnType<typeof aPayment>, undefined],
      [anAttempt(state, '0xabc'), undefined] as [ReturnType<typeof aPayment>, undefined],
    ]),
    [inRequest('processing'), undefined],
    [inRequest('completed'), undefined],
    [aPayment(seen), anOrder()],
    [aPayment({ order: onBitcoin, instructions: bitcoin }), undefined],
    [aPayment({ ...seen, order: crossChain }), aDepositOrder()],
    [aPayment({ ...seen, order: crossChain }), aDepositOrder({ deposit_status: 'processing' })],
    [aPayment({ status: 'completed' }), anOrder({ late: true })],
    [aPayment({ status: 'completed' }), withRefund],
    [aPayment({ status: 'failed', failure_reason: 'CODE: Reverted.' }), anOrder()],
    [aPayment({ status: 'failed', order: crossChain }), undefined],
    [aPayment({ status: 'expired' }), undefined],
    [aPayment({ status: 'expired', order: crossChain }), undefined],
  ];
}

const inEuros = (changes: Partial<ReturnType<typeof aPayment>> = {}) =>
  aPayment({ payment_request: { ...aPayment().payment_request, ...priced }, ...changes });

const inRequest = (status: 'processing' | 'completed') =>
  aPayment({ payment_request: { ...aPayment().payment_request, status, payment_id: 'other' } });

function depositStatus() {
  const transfer = { to: '0x1', data: '0x', value: '1' };
  const order = {
    ...aPayment().order,
    method: 'CrossChain' as const,
    direct: null,
    cross_chain: aDepositOrder().cross_chain!,
  };
  const instructions = { chain_id: 42161, approve: null, pay: null, transfer, uri: null };
  return aPayment({ order, instructions, from_chain: 'eip155:42161', from_token: 'ETH' });
}

/** The reviews that payers see before a wallet opens. */
const reviews = [
  null,
  { held: { amount: '1', symbol: 'ETH' }, is_enough: true, short: null },
  { held: { amount: '1', symbol: 'ETH' }, is_enough: false, short: 'token' },
  { held: { amount: '1', symbol: 'ETH' }, is_enough: false, short: 'coin' },
] as const;

async function otherPages(language: Language): Promise<Page[]> {
  const link = aPublicPayLink();
  const links = [
    link,
    aPublicPayLink({ openAmount: true, amount: '0' }),
    aPublicPayLink({ openAmount: true, minAmount: '1000000', receiverVerified: false }),
  ];
  const paid = aPayment({ status: 'completed', pay_tx: '0xabc', settle_tx: '0xdef' });
  const received = { ...paid, payment_request: { ...paid.payment_request, receive_address: '0x1' } };
  const refunded = aDepositOrder({ refunded_amount: '5' });
  const replies = [
    { success: true, verified: true },
    { success: true, verified: false },
    { success: false, verified: false, status: 'pending' },
    { success: false, verified: false, status: 'unverifiable' },
    { success: false, verified: false, status: 'partial', error: 'It pays less.' },
    { success: false, verified: true, status: 'excess', error: 'Had all.' },
    { success: false, verified: false, error: 'It pays nothing.' },
  ] as const;
  const codes = [
    'VALIDATION_ERROR',
    'NOT_FOUND',
    'CONFLICT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'ROUTE_UNAVAILABLE',
    'RATE_LIMIT_EXCEEDED',
    'UPSTREAM_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
    'OUTCOME_UNKNOWN',
    'INTERNAL_ERROR',
  ] as const;
  return [
    ...(await Promise.all(
      links.map((it) =>
        linkPage(it, { language, qr, key: 'k', problem: html`${language.text('amountProblem')}` }),
      ),
    )),
    closedPage('1', language),
    ...replies.map((reply) => submissionPage('1', link, { txHash: '0xabc', reply }, language)),
    submissionPage(
      '1',
      aPublicPayLink({ storeName: 'Café' }),
      { txHash: '0xabc', reply: replies[0] },
      language,
    ),
    receiptPage(received, refunded, language),
    receiptPage(paid, undefined, language),
    receiptPage(inEuros({ status: 'completed' }), undefined, language),
    missingPage({ path: '/nothing', allow: '' }, language),
    missingPage({ path: '/v1/quote', allow: 'OPTIONS, POST' }, language),
    ...codes.map((code) => failurePage(new DomainError(code, 'In English.'), 'r-1', language)),
  ];
}

/** The texts for readers and screen readers, without messages of the API. */
function textsOf(page: Page): string[] {
  const markup = renderer
    .render(page)
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<p lang="en"[^]*?<\/p>/g, '')
    .replace(/<details class="languages[^]*?<\/details>/, '');
  const attributes = [...markup.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)];
  const [, data] = /data-page="([^"]*)"/.exec(markup) ?? [];
  const { texts = {} } = data ? JSON.parse(data.replace(/&quot;/g, '"')) : {};
  const nodes = markup.replace(/<(bdi|code)\b[^>]*>[^<]*<\/\1>/g, '').split(/<[^>]*>/);
  return [...nodes, ...attributes.map(([, text]) => text!), ...(Object.values(texts) as string[])]
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

describe('the pages', () => {
  // Every text of this language is in brackets.
  const bracketed = Object.fromEntries(
    Object.entries(en.pages).map(([key, text]) => [key, `«${text}»`]),
  ) as Texts;
  const pseudo = new Language({ code: 'en', name: 'x', direction: 'ltr', texts: bracketed, locale: 'en-GB' });

  it('show no text outside the catalogue', async () => {
    const own = /^(Tollbridge|USDC|BTC|Café|[\d/%. ]+|\d+ \w+ 2026, .*UTC)$/;
    for (const page of await pagesIn(pseudo)) {
      const outside = textsOf(page)
        // Values split the texts that contain them.
        .map((text) => text.replace(/«[^«»]*»?|[^«»]*»/g, '').trim())
        .filter((text) => text !== '' && !own.test(text));
      expect(outside).toEqual([]);
    }
  });

  it('use every text of the catalogue', async () => {
    const used = new Set<string>();
    const recording = new Proxy(en.pages as Texts, {
      get: (texts, key: string) => {
        used.add(key);
        return texts[key as TextKey];
      },
    });
    await pagesIn(new Language({ code: 'en', name: 'x', direction: 'ltr', texts: recording })).then((pages) =>
      pages.map((page) => renderer.render(page)),
    );
    // These texts appear on a rejected form, and in a QR code that these pages receive.
    const elsewhere = ['addressProblem', 'chooseBelow', 'qrOfPage'];
    expect(Object.keys(en.pages).filter((key) => !used.has(key) && !elsewhere.includes(key))).toEqual([]);
  });
});

describe.each(languages.slice(1))('the pages in $name', (terms) => {
  const language = new Language(terms, true);
  const english = new Set<string>(
    Object.entries(en.pages)
      .filter(([key, text]) => terms.texts[key as TextKey] !== text)
      .map(([, text]) => text),
  );

  it('show no English, declare their language and direction, and keep the language in links and forms', async () => {
    for (const page of await pagesIn(language)) {
      expect(textsOf(page).filter((text) => english.has(text))).toEqual([]);
      const markup = renderer.render(page);
      expect(markup).toContain(`<html lang="${terms.code}" dir="${terms.direction}">`);
      const targets = [...markup.matchAll(/(?:href|action)="(\/(?:checkout|l)\/[^"]*)"/g)];
      for (const [, target] of targets) expect(target).toMatch(new RegExp(`[?]lang=${terms.code}$`));
    }
  });
});
