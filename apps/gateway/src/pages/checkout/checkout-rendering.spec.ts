import { visibleText } from '../../testing/visible-text';
import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { choicePage } from './choice-page';
import { trustedHtml } from '../parts/html';
import { paymentPage as pageOf } from './payment-page';
import { moment } from '../parts/summary';
import {
  aDepositOrder,
  aHostilePayment,
  aPaymentDetails,
  aPayment,
  anAttempt,
  anOrder,
} from '../testing/payment.builder';
import { english as language } from '../texts/languages';

const qr = trustedHtml('<svg></svg>');
const needed = { amount: '12.5', symbol: 'USDC' };
const paymentPage = (status: PaymentStatusReply, order?: OrderReply) =>
  pageOf(status, { qr, order, language });
// Contains both forms of the page, so that texts are found with and without bidi isolation of their values.
const shownBy = (markup: string) => `${markup} ${visibleText(markup)}`;
const choice = (changes: Parameters<typeof aPaymentDetails>[0] = {}, problem?: string) =>
  choicePage(aPaymentDetails(changes), { qr, language, ...(problem !== undefined && { problem }) });

describe('the rows of wallets on other devices', () => {
  const walletConnect = { projectId: 'p', relayUrl: 'wss://relay.example' };
  const ton = [{ name: '<b>Pocket', universalUrl: 'https://a.example', bridgeUrl: 'https://b.example' }];
  const panelOf = (remote: object) =>
    /<section\s+class="wallets"[^]*?<\/section>/.exec(
      choicePage(aPaymentDetails(), { qr, language, remote }).body.text,
    )![0];

  it('appear only for the chain families of the page, before the script loads', () => {
    expect(panelOf({ walletConnect })).toContain('<strong>WalletConnect</strong>');
    expect(panelOf({ walletConnect })).not.toMatch(/\shidden\s/);
    expect(panelOf({ ton })).not.toContain('Pocket');
  });

  it('hide the list without such wallets', () => {
    expect(panelOf({})).toMatch(/\shidden\s/);
    expect(panelOf({})).not.toContain('disabled');
  });
});

describe('the page of a request', () => {
  it('shows amount, description, recipient and expiry, and each option as a form', () => {
    const { title, body, refreshSeconds } = choice({ expires_at: '2026-12-20T12:00:00.000Z' });
    expect(title).toBe('Pay 12.5 USDC');
    // A reload would lose the payer's input.
    expect(refreshSeconds).toBeUndefined();
    for (const text of [
      '12.5 USDC',
      'on Base',
      'Two espressos',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ])
      expect(shownBy(body.text)).toContain(text);
    expect(body.text).toContain('<time datetime="2026-12-20T12:00:00.000Z">20 Dec 2026, 12:00 UTC</time>');
    const forms = body.text.split('<form').slice(1);
    expect(forms).toHaveLength(2);
    expect(forms[0]).toMatch(
      /method="post"\s+action="\/checkout\/5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31\/pay"/,
    );
    expect(forms[0]).toContain('name="from_token" value="USDC"');
    expect(forms[0]).not.toContain('payer_address');
    expect(forms[1]).toMatch(
      /<label for="payer-btc-BTC"\s*>[^]*<input\s+id="payer-btc-BTC"\s+name="payer_address"/,
    );
  });

  it.each([
    ['completed', 'This has been paid', 'href="https://shop.example/thanks?a=1&amp;b=2"'],
    ['expired', 'it has expired', ''],
    ['canceled', 'the merchant has canceled it', ''],
  ] as const)('offers nothing when it is %s', (status, words, more) => {
    const { body } = choice({ status, success_url: 'https://shop.example/thanks?a=1&b=2' });
    expect(body.text).toContain(words);
    expect(body.text).toContain(more);
    expect(body.text).not.toContain('<form');
  });

  it('links to the payment in progress, and back to the merchant only after the payment', () => {
    const { body } = choice({
      status: 'processing',
      payment_id: 'p-1',
      success_url: 'https://shop.example/',
    });
    expect(body.text).not.toContain('<form');
    expect(body.text).toContain('href="/checkout/5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31/p-1"');
    expect(body.text).not.toContain('shop.example');
  });

  it.each(['asking', 'sent'] as const)('offers no other option while a payment is %s', (state) => {
    const { body, enhancement } = choice(anAttempt(state, '0xabc').payment_request);
    expect(body.text).not.toContain('<form');
    expect(body.text).toContain(`/${anAttempt(state).payment_id}"`);
    expect(enhancement).toMatchObject({ kind: 'choice' });
  });

  it('shows a warning next to the options after a payment without an outcome', () => {
    const { body } = choice(anAttempt('unknown').payment_request);
    expect(body.text).toContain('did not answer');
    expect(body.text).toContain('<form');
  });

  it('shows the name of the shop with its address, or the address alone without a name', () => {
    const merchant = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const { body } = choice({ store_name: 'Corner <Café>', status: 'completed' });
    const name = '<bdi>Corner &lt;Café&gt;</bdi>';
    expect(body.text).toContain('<bdi class="name">Corner &lt;Café&gt;</bdi>');
    expect(body.text).toContain(`<dd><bdi dir="ltr">${merchant}</bdi></dd>`);
    expect(body.text).toContain(`Back to ${name}`);
    const unnamed = choice({ status: 'completed' }).body.text;
    expect(unnamed).toContain(`<dd><bdi dir="ltr">${merchant}</bdi></dd>`);
    expect(unnamed).toContain('Back to the merchant');
    expect(visibleText(unnamed)).toContain('Payment to 0x7099…79C8');
  });

  it('shows the name of the shop on the page of a payment', async () => {
    const { payment_request } = aPayment();
    const status = aPayment({ payment_request: { ...payment_request, store_name: 'Corner Café' } });
    const { body } = await paymentPage(status);
    expect(body.text).toContain('<bdi class="name">Corner Café</bdi>');
  });

  it('shows the error of a submitted form', () => {
    expect(choice({}, 'Your <address> cannot be used').body.text).toContain(
      '<div class="notice bad" role="alert">Your &lt;address&gt; cannot be used</div>',
    );
  });

  it('requests no payment while the merchant has no receiving address', () => {
    const { body, enhancement } = choice({ receive_address: '', receive_address_required: true });
    expect(visibleText(body.text)).toContain('has not named the address that receives this payment');
    for (const part of ['<form', 'Choose what to pay with', 'Paid to', 'scan-title'])
      expect(body.text).not.toContain(part);
    expect(enhancement).toBeUndefined();
  });

  it('shows that no prices are available', () => {
    const { body } = choicePage({ ...aPaymentDetails(), payment_options: [] }, { qr, language });
    expect(body.text).toContain('No prices are available at present');
  });
});

describe('the page of a payment', () => {
  it('shows approval and call of a direct payment, and reloads itself', async () => {
    const { body, refreshSeconds } = await paymentPage(aPayment());
    expect(refreshSeconds).toBe(5);
    for (const text of [
      '0x095ea7b3',
      '0xda7a',
      'ethereum:0xA0b8@8453/approve?address=0x5Fbd&amp;uint256=1',
      '<svg',
      'Two transactions',
      'A withdrawal from an exchange cannot pay this option',
    ])
      expect(shownBy(body.text)).toContain(text);
  });

  it('shows one call with its value for a native coin', async () => {
    const pay = { to: '0x5Fbd', data: '0xda7a', value: '77' };
    const { body } = await paymentPage(
      aPayment({ instructions: { chain_id: 8453, approve: null, pay, uri: null } }),
    );
    expect(body.text).toContain('One transaction');
    expect(body.text).toContain('<code dir="ltr">77</code>');
    expect(body.text).not.toContain('Code for wallets');
  });

  it('shows a link of Solana Pay, and the URL that returns the transaction', async () => {
    const { order } = aPayment();
    const direct = { ...order.direct!, chain: 'solana', contract_address: 'PayProgram' };
    const link = 'solana:https%3A%2F%2Fpay.example%2Fsolana-pay%2F1';
    const source = 'https://pay.example/api/v1/pay/order/1/wallet-call';
    const instructions = { chain_id: null, approve: null, pay: null, uri: link, wallet_call_url: source };
    const { body } = await paymentPage(aPayment({ order: { ...order, direct }, instructions }));
    for (const text of [`href="${link}"`, '<svg', 'on Solana', 'PayProgram', `${source}?payer=`])
      expect(shownBy(body.text)).toContain(text);
  });

  it('shows address, amount and memo of a cross-chain payment', async () => {
    const deposit = {
      deposit_address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
      deposit_memo: '4711',
      deposit_blockchain: 'xrp',
      deposit_token: 'XRP',
      deposit_amount: '5',
      deposit_amount_formatted: '0.000005',
      estimated_time: 90,
    };
    const instructions = { chain_id: null, approve: null, pay: null, uri: null };
    const order = {
      ...aPayment().order,
      method: 'CrossChain' as const,
      direct: null,
      cross_chain: deposit,
    };
    const { body } = await paymentPage(aPayment({ order, instructions }));
    for (const text of [
      'Send exactly 0.000005 XRP',
      '<code dir="ltr">4711</code>',
      'Without the memo the money is lost',
      '<svg',
    ])
      expect(shownBy(body.text)).toContain(text);
    expect(body.text).not.toContain('Open in a wallet');
  });

  it.each([
    [{ pay_tx: '0xabc', progress: 50, instructions: null }, 'Your payment was received', 5],
    [{ status: 'completed', settle_tx: '0xdef', progress: 100 }, 'Paid.', undefined],
    [{ status: 'failed', failure_reason: 'TX_REVERTED: It was <reverted>.' }, 'It was &lt;reverted&gt;.', 60],
    [{ status: 'expired' }, 'No payment arrived in time', 60],
  ] as const)('shows for %j: %s', async (changes, words, refreshSeconds) => {
    const { body, refreshSeconds: refresh } = await paymentPage(aPayment(changes));
    expect(body.text).toContain(words);
    expect(refresh).toBe(refreshSeconds);
    // A payer must not pay twice, or pay a payment that has ended.
    expect(body.text).not.toContain('Pay with your wallet');
  });

  it.each([
    ['https://pay.example/api/v1/pay/order/1/wallet-call', true],
    [null, false],
  ])(
    'offers wallets for a deposit when the server makes the call: %s',
    async (wallet_call_url, hasWallets) => {
      const deposit = {
        deposit_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        deposit_memo: null,
        deposit_blockchain: 'tron',
        deposit_token: 'USDT',
        deposit_amount: '5000000',
        deposit_amount_formatted: '5',
        estimated_time: 60,
      };
      const instructions = { chain_id: null, approve: null, pay: null, uri: null, wallet_call_url };
      const order = {
        ...aPayment().order,
        method: 'CrossChain' as const,
        direct: null,
        cross_chain: deposit,
      };
      const given = aPayment({ order, instructions, from_chain: 'tron', from_token: 'USDT' });
      const { body, enhancement } = await paymentPage(given);
      expect(body.text.includes('id="wallets"')).toBe(hasWallets);
      expect(body.text).toContain(deposit.deposit_address);
      const pay = {
        family: 'tron',
        walletCall: `/api/v1/pay/order/${given.order_id}/wallet-call`,
        approve: null,
        pay: null,
      };
      const expected = hasWallets ? { families: ['tron'], pay } : { families: [] };
      expect(enhancement).toMatchObject(expected);
    },
  );

  it.each(['asking', 'sent'] as const)('offers no payment options while a payment is %s', async (state) => {
    const { body, enhancement } = await paymentPage(anAttempt(state, '0xabc'));
    for (const text of ['Pay with your wallet', 'pay-now', '0x095ea7b3', 'Choose another way', '<svg'])
      expect(body.text).not.toContain(text);
    expect(enhancement).toMatchObject({ payState: state, families: [] });
  });

  it.each([
    ['of a request that the merchant has canceled', null, 'the merchant has canceled it'],
    ['of a PayLink that takes no more payments', 'link-1', 'has received all its payments'],
  ])('offers no payment options %s', async (_case, paylink_id, shown) => {
    const { payment_request } = aPayment();
    const canceled = { ...payment_request, status: 'canceled' as const, paylink_id };
    const { body, enhancement } = await paymentPage(aPayment({ payment_request: canceled }));
    expect(shownBy(body.text)).toContain(shown);
    for (const text of ['Pay with your wallet', 'pay-now', '0x095ea7b3', 'Choose another way', '<svg'])
      expect(body.text).not.toContain(text);
    expect(enhancement).toMatchObject({ payState: 'canceled', families: [] });
    // A transaction that a wallet has sent before is shown until the chain decides.
    const sent = { ...canceled, attempt: anAttempt('sent', '0xabc').payment_request.attempt! };
    const after = await paymentPage(aPayment({ payment_request: sent }));
    expect(after.enhancement).toMatchObject({ payState: 'sent' });
  });

  it.each([
    ['failed', 'Look in your wallet before you pay again'],
    ['unknown', 'It may still arrive'],
  ] as const)('offers to pay again behind a warning when an attempt is %s', async (state, warning) => {
    const { body, enhancement } = await paymentPage(anAttempt(state, '0xabc'));
    expect(shownBy(body.text)).toContain(warning);
    expect(shownBy(body.text)).toContain('Transaction 0xabc');
    // The section is closed until the payer opens it, even without scripts.
    expect(body.text).toMatch(/<details class="again">[^]*Pay again[^]*id="pay-now"/);
    expect(enhancement).toMatchObject({ payState: 'again', families: ['evm'] });
  });

  it('offers to pay the rest of an incomplete deposit, but not while its transaction is in flight', async () => {
    const order = { ...aPayment().order, method: 'CrossChain' as const, direct: null };
    const deposit = aDepositOrder();
    const partial = {
      order: { ...order, cross_chain: deposit.cross_chain! },
      instructions: null,
      pay_tx: '0xabc',
      from_chain: 'eip155:42161',
      from_token: 'ETH',
    };
    const { enhancement } = await paymentPage(aPayment(partial), deposit);
    // The deposit lacks 0.6 of 1.
    expect(enhancement).toMatchObject({ payState: 'open', pay: { pay: { value: String(6n * 10n ** 17n) } } });
    const sent = await paymentPage(anAttempt('sent', '0xdef', partial), deposit);
    expect(sent.enhancement).toMatchObject({ payState: 'sent', families: [] });
    expect(shownBy(sent.body.text)).not.toContain('missing');
  });

  it.each([
    ['processing', 'A payment is in progress'],
    ['completed', 'This has been paid'],
  ] as const)('offers nothing while the request is %s by another payment', async (state, words) => {
    const payment_request = { ...aPayment().payment_request, status: state, payment_id: 'p-2' };
    const { body } = await paymentPage(aPayment({ payment_request }));
    expect(body.text).toContain(words);
    expect(body.text).toContain('/p-2"');
    expect(body.text).not.toContain('Pay with your wallet');
  });

  it('shows fee, receiver and balance before a wallet opens', async () => {
    const review = {
      fee: { amount: '0.00012', symbol: 'ETH' },
      needed: { amount: '12.5', symbol: 'USDC' },
      wallet: { held: { amount: '3.2', symbol: 'USDC' }, is_enough: false, short: 'token' as const },
    };
    const { body, enhancement } = await pageOf(aPayment(), { qr, language, review });
    const words = shownBy(body.text);
    for (const text of ['0.00012 ETH', '12.5 USDC', 'You hold 3.2 USDC; 12.5 needed', 'Received by'])
      expect(words).toContain(text);
    expect(enhancement).toMatchObject({ pay: { isShort: true } });
  });

  it.each([
    ['no review can be read', undefined],
    ['the balance cannot be read', { fee: null, needed, wallet: null, is_unread: true }],
  ])('shows a message and makes the script request the data again when %s', async (_name, review) => {
    const terms = { qr, language, order: anOrder(), review };
    const { body, enhancement } = await pageOf(aPayment(), { ...terms, payers: { evm: '0xf39F' } });
    expect(shownBy(body.text)).toContain('The balance of your wallet cannot be read right now');
    expect(shownBy(body.text)).toContain('Network fee …');
    expect(enhancement).toMatchObject({ isIncomplete: true });
    // Without a wallet there is no balance to read.
    expect(shownBy((await pageOf(aPayment(), terms)).body.text)).not.toContain('cannot be read right now');
  });

  it('needs no further request when everything was read, and one while the order was not read', async () => {
    const review = { fee: null, needed, wallet: null, is_unread: false };
    const incomplete = async (terms: object) =>
      ((await pageOf(aPayment(), { qr, language, ...terms })).enhancement as { isIncomplete: boolean })
        .isIncomplete;
    expect(await incomplete({ order: anOrder(), review })).toBe(false);
    expect(await incomplete({ review })).toBe(true);
  });

  it('links back to the merchant when it is completed', async () => {
    const { body } = await paymentPage(aPayment({ status: 'completed', settle_tx: '0xdef' }));
    expect(body.text).toContain('data-return="completed" href="https://shop.example/thanks"');
  });
});

it('escapes hostile texts, and does not link to script URLs', async () => {
  const text = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
  const request = { description: text, chain_name: text, success_url: 'javascript:alert(1)' };
  const pages = [
    choice({ ...request, status: 'pending' }),
    choice({ ...request, status: 'completed' }),
    choice({}, text),
    await paymentPage(aHostilePayment(text)),
    await paymentPage({ ...aHostilePayment(text), status: 'completed' }),
    await paymentPage({ ...aHostilePayment(text), status: 'failed' }),
  ];
  for (const { body } of pages) {
    expect(body.text).not.toMatch(/<script|<img src=x|javascript:/i);
    expect(body.text).not.toMatch(/<[^>]*\sonerror/);
  }
});

it('shows times in UTC', () => {
  expect(moment('2026-01-02T03:04:05.678Z', language).text).toBe(
    '<time datetime="2026-01-02T03:04:05.678Z">2 Jan 2026, 03:04 UTC</time>',
  );
});
