import type { CheckoutOption } from '@tollbridge/contracts';
import { exampleOfPayment } from '../testing/payment-fixture';
import { choicePage } from './choice-page';
import { heldOptions } from './held-options';
import { trustedHtml } from './html';
import { english as language } from './texts/languages';
import { visibleText } from '../testing/visible-text';

const details = exampleOfPayment();
const [usdc, bitcoin] = details.payment_options;
const found = (changes: Partial<CheckoutOption>) =>
  ({ blockchain: 'btc', token: 'BTC', balance: '2.5', sufficient: true, ...changes }) as CheckoutOption;
const tokensOf = (options: readonly { from_token: string }[]) => options.map(({ from_token }) => from_token);

describe('heldOptions', () => {
  it('puts what the payer holds enough of first, then what they hold, then the others', () => {
    const third = { ...usdc!, from_token: 'DAI' };
    const options = [usdc!, third, bitcoin!];
    const balances = [found({}), found({ blockchain: 'eip155:8453', token: 'DAI', sufficient: false })];
    expect(tokensOf(heldOptions(options, balances))).toEqual(['BTC', 'DAI', 'USDC']);
  });

  it('ignores balances of tokens that are no option', () => {
    expect(heldOptions([usdc!], [found({})])).toEqual([usdc]);
  });
});

describe('the page of a payer with a wallet', () => {
  const page = (sufficient: boolean) =>
    visibleText(
      choicePage(
        { ...details, payment_options: heldOptions(details.payment_options, [found({ sufficient })]) },
        { qr: trustedHtml('<svg></svg>'), language, payers: { evm: '0xf39F' } },
      ).body.text,
    );

  it('shows balances beside the options', () => {
    expect(page(true)).toContain('From your wallet');
    expect(page(true)).toContain('You hold 2.5 BTC');
    expect(page(true)).not.toContain('not enough');
    expect(page(false)).toContain('You hold 2.5 BTC: not enough');
  });

  it('refunds to the wallet of the chain of an option, and asks for an address elsewhere', () => {
    const swap = { ...usdc!, execution_strategy: 'swap' as const };
    const terms = { qr: trustedHtml(''), language, payers: { evm: '0xf39F' } };
    const { text } = choicePage({ ...details, payment_options: [swap, bitcoin!] }, terms).body;
    expect(text).toContain('<input type="hidden" name="payer_address" value="0xf39F" />');
    expect(text).toContain('id="payer-btc-BTC"');
    expect(text).not.toContain('id="payer-eip155-8453-USDC"');
  });
});
