import type { CheckoutOption } from '@tollbridge/contracts';
import { choicePage } from '../checkout/choice-page';
import { heldOptions } from './held-options';
import { trustedHtml } from '../parts/html';
import { english as language } from '../texts/languages';
import { visibleText } from '../../testing/visible-text';
import { aPaymentDetails } from '../testing/payment.builder';

const details = aPaymentDetails();
const [usdc, bitcoin] = details.payment_options;
const found = (changes: Partial<CheckoutOption>) =>
  ({ blockchain: 'btc', token: 'BTC', balance: '2.5', sufficient: true, ...changes }) as CheckoutOption;
const read = (...options: CheckoutOption[]) => ({ options, read_chains: ['btc'] });
const tokensOf = (options: readonly { from_token: string }[]) => options.map(({ from_token }) => from_token);

describe('heldOptions', () => {
  it('lists tokens with a sufficient balance first, then tokens with any balance, then the others', () => {
    const third = { ...usdc!, from_token: 'DAI' };
    const options = [usdc!, third, bitcoin!];
    const dai = { blockchain: 'eip155:8453', token: 'DAI', sufficient: false, pay_amount_formatted: '3' };
    const balances = read(found({}), found(dai));
    expect(tokensOf(heldOptions(options, balances))).toEqual(['BTC', 'DAI', 'USDC']);
  });

  it('ignores balances of tokens that the request does not accept', () => {
    expect(heldOptions([usdc!], read(found({})))).toEqual([usdc]);
  });
});

describe('the page of a payer with a wallet', () => {
  it('shows that a balance could not be read, and makes the script request it again', () => {
    const terms = { qr: trustedHtml(''), language, payers: { evm: '0xf39F' }, isIncomplete: true };
    const { body, enhancement } = choicePage(details, terms);
    expect(visibleText(body.text)).toContain('The balance of your wallet cannot be read right now');
    expect(enhancement).toMatchObject({ isIncomplete: true });
  });

  const page = (changes: Partial<CheckoutOption>) =>
    visibleText(
      choicePage(
        { ...details, payment_options: heldOptions(details.payment_options, read(found(changes))) },
        { qr: trustedHtml('<svg></svg>'), language, payers: { evm: '0xf39F' } },
      ).body.text,
    );

  it('shows balances next to the options', () => {
    expect(page({})).toContain('From your wallet');
    expect(page({})).toContain('You hold 2.5 BTC');
    expect(page({})).not.toContain('needed');
  });

  it('shows the needed amount if the balance of the wallet is too low or zero', () => {
    const short = { sufficient: false, balance: '0.00000001', pay_amount_formatted: '0.0000165' };
    expect(page(short)).toContain('You hold 0.00000001 BTC; 0.0000165 needed');
    expect(page({ token: 'OTHER' })).toContain('You hold 0 BTC; 0.0000165 needed');
    // No balance is shown for a chain that was not read.
    expect(page({ token: 'OTHER' })).not.toContain('USDC;');
  });

  it('shows the native coin when only the network fee is missing', () => {
    expect(page({ sufficient: false, pay_amount_formatted: '2.5' })).toContain(
      'You hold 2.5 BTC, but too little BTC for the network fee',
    );
  });

  it("uses the wallet on the option's chain for refunds, and otherwise asks for an address", () => {
    const swap = { ...usdc!, execution_strategy: 'swap' as const };
    const terms = { qr: trustedHtml(''), language, payers: { evm: '0xf39F' } };
    const { text } = choicePage({ ...details, payment_options: [swap, bitcoin!] }, terms).body;
    expect(text).toContain('<input type="hidden" name="payer_address" value="0xf39F" />');
    expect(text).toContain('id="payer-btc-BTC"');
    expect(text).not.toContain('id="payer-eip155-8453-USDC"');
  });
});
