import type { Chains } from '../api/chains';
import { parseUnits } from '../format/amounts';
import { SelectField, TextField } from './field';
import { Columns } from './form';

export interface Price {
  network: string;
  token: string;
  amount: string;
  /** The currency of the amount, an ISO 4217 code; empty for an amount of the token. */
  currency: string;
}

/** The currencies that most shops price in. The API accepts all currencies of ISO 4217. */
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'];

/** The offered currencies, with the merchant's own first. */
export const offeredCurrencies = (own: string): string[] =>
  own !== '' && !currencies.includes(own) ? [own, ...currencies] : currencies;

interface PriceFieldsProps {
  chains: Chains;
  price: Price;
  onPrice: (price: Price) => void;
  /** When false, the payer chooses the amount. */
  hasAmount?: boolean;
  /** Whether the amount may be in a currency. */
  canBePriced?: boolean;
  errors: { network?: string | undefined; token?: string | undefined; amount?: string | undefined };
}

/** The fields of a price: the token, its chain, and the amount in whole tokens. */
export function PriceFields({
  chains,
  price,
  onPrice,
  hasAmount = true,
  canBePriced = false,
  errors,
}: PriceFieldsProps) {
  const { network, token, amount, currency } = price;
  const tokens = chains.find(network)?.tokens ?? [];
  const setNetwork = (id: string) => {
    const there = chains.find(id)?.tokens ?? [];
    const isThere = there.some(({ symbol }) => symbol === token);
    onPrice({ ...price, network: id, token: isThere ? token : (there[0]?.symbol ?? '') });
  };
  return (
    <Columns>
      {hasAmount && (
        <TextField
          label="Amount"
          inputMode="decimal"
          value={amount}
          onText={(text) => onPrice({ ...price, amount: text })}
          error={errors.amount}
          required
        />
      )}
      {canBePriced && (
        <SelectField
          label="Priced in"
          options={[['', 'The token'], ...offeredCurrencies(currency).map((code) => [code, code] as const)]}
          value={currency}
          onText={(code) => onPrice({ ...price, currency: code })}
        />
      )}
      <SelectField
        label={currency === '' ? 'Token' : 'Token to receive'}
        options={tokens.map(({ symbol }) => [symbol, symbol])}
        value={token}
        onText={(symbol) => onPrice({ ...price, token: symbol })}
        error={errors.token}
      />
      <SelectField
        label="Chain"
        options={chains.direct.map(({ id, name }) => [id, name])}
        value={network}
        onText={setNetwork}
        error={errors.network}
      />
    </Columns>
  );
}

/** The amount in the smallest unit; undefined while the text is not an amount of the token. */
export function atomicOf(chains: Chains, { network, token, amount }: Price): string | undefined {
  const decimals = chains.decimalsOf(network, token);
  return decimals === undefined ? undefined : parseUnits(amount, decimals);
}

/** The merchant's defaults if they are usable, otherwise USDC on the first chain. */
export function firstPrice(
  chains: Chains,
  defaults: { defaultChain?: unknown; defaultToken?: unknown; defaultCurrency?: unknown },
): Price {
  const wanted = chains.find(String(defaults.defaultChain ?? ''));
  const chain =
    wanted && chains.direct.includes(wanted)
      ? wanted
      : (chains.direct.find(({ short_name }) => short_name === 'base') ?? chains.direct[0]);
  const symbols = chain?.tokens.map(({ symbol }) => symbol) ?? [];
  const token = [String(defaults.defaultToken ?? ''), 'USDC'].find((symbol) => symbols.includes(symbol));
  const { defaultCurrency } = defaults;
  const currency = typeof defaultCurrency === 'string' ? defaultCurrency : '';
  return { network: chain?.id ?? '', token: token ?? symbols[0] ?? '', amount: '', currency };
}
