import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { gatewayRoutes } from '../../routes/gateway-routes';
import { html } from '../parts/html';
import { expectSameOrigin } from '../serving/same-origin';
import { callsToPay, sandboxActionsOf, transferOf, withSandboxPanel } from './sandbox-panel';
import { useSandboxPanel } from './sandbox-panel-pages';
import { Language } from '../texts/language';
import { languages } from '../texts/languages';

const word = (amount: bigint) => amount.toString(16).padStart(64, '0');
const transfer = { to: '0xusdc', data: `0xa9059cbb${word(7n)}${word(100n)}`, value: '0' };
const pay = { to: '0xpay', data: '0x01', value: '0' };
const approve = { to: '0xusdc', data: '0x02', value: '0' };

const direct = { direct: {}, cross_chain: null };
const deposit = (chain: string) => ({
  direct: null,
  cross_chain: { deposit_blockchain: chain, deposit_amount: '100' },
});

const statusOf = (changes: object) =>
  ({
    payment_id: 'p',
    payment_request_id: 'r',
    status: 'executing',
    payment_request: { status: 'pending', attempt: null },
    pay_tx: null,
    order: direct,
    instructions: { approve, pay, transfer: null },
    ...changes,
  }) as PaymentStatusReply;
const onArbitrum = statusOf({ order: deposit('eip155:42161'), instructions: { transfer } });
const partly = {
  cross_chain: { deposit_status: 'incomplete', deposit_amount: '100', deposited_amount: '40' },
} as OrderReply;

describe('sandboxActionsOf', () => {
  it.each([
    ['a contract call', statusOf({}), ['pay', 'expire']],
    ['a deposit on a local chain', onArbitrum, ['pay', 'underpay', 'late', 'expire']],
    [
      'a deposit on a chain without a node',
      statusOf({ order: deposit('btc'), instructions: {} }),
      ['pay', 'underpay', 'late', 'expire'],
    ],
    ['a deposit on a local network', statusOf({ order: deposit('ton'), instructions: {} }), ['expire']],
    ['a call of another family', statusOf({ instructions: { pay: null } }), ['expire']],
    ['a completed payment', statusOf({ status: 'completed' }), []],
    ['an expired payment', statusOf({ status: 'expired' }), []],
  ])('returns the actions of %s', (_title, status, actions) => {
    expect(sandboxActionsOf(status, undefined)).toEqual(actions);
  });
});

describe('callsToPay', () => {
  it('approves and pays a contract call', () => {
    expect(callsToPay(statusOf({}), undefined)).toEqual([approve, pay]);
  });

  it('transfers a deposit, or its missing amount', () => {
    expect(callsToPay(onArbitrum, undefined)).toEqual([transfer]);
    expect(callsToPay(onArbitrum, partly)).toEqual([
      { ...transfer, data: `0xa9059cbb${word(7n)}${word(60n)}` },
    ]);
  });

  it('sends another amount of the coin in the value of the transaction', () => {
    expect(transferOf({ to: '0xd', data: '0x', value: '100' }, 50n)).toEqual({
      to: '0xd',
      data: '0x',
      value: '50',
    });
  });
});

describe('the panel', () => {
  const page = { title: 'Pay', body: html`<p>Pay</p>` };

  it('shows a plain form for each action, and no form when no action is possible', () => {
    const { text } = withSandboxPanel(page, onArbitrum, undefined).body;
    expect(text.match(/<form method="post" action="\/checkout\/r\/p\/sandbox">/g)).toHaveLength(4);
    expect(withSandboxPanel(page, statusOf({ status: 'failed' }), undefined)).toBe(page);
  });

  it('uses the language of the page', () => {
    const language = new Language(languages.find(({ code }) => code === 'de')!);
    const { text } = withSandboxPanel({ ...page, language }, onArbitrum, undefined).body;
    for (const part of ['Genau bezahlen', 'Die Hälfte bezahlen', 'Zu spät bezahlen', 'Ablaufen lassen'])
      expect(text).toContain(part);
    expect(text).not.toContain('Pay late');
  });

  it('exists in the sandbox only', () => {
    expect(gatewayRoutes('sandbox')).toContain(useSandboxPanel);
    expect(gatewayRoutes('production')).not.toContain(useSandboxPanel);
  });
});

describe('expectSameOrigin', () => {
  const sent = (headers: object) => () => expectSameOrigin({ headers } as never, 'https://pay.example/base/');

  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://pay.example' }],
    [{ origin: 'null' }],
    [{}],
  ])('accepts %j', (headers) => expect(sent(headers)).not.toThrow());

  it.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://pay.example' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://pay.example' }],
  ])('rejects %j', (headers) => expect(sent(headers)).toThrow('sent by another site'));
});
