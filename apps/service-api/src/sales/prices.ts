import { UnusableValue, type Setting } from '@tollbridge/config';

/** The price of an operation that is not sold. */
const off = 'off';
const priceForm = /^(0|[1-9][0-9]{0,3})(\.[0-9]{1,6})?$/;

/** Declares a setting for a fixed price in dollars. */
export const price = ({
  description,
  ...values
}: Pick<Setting<string>, 'description' | 'default' | 'sandboxDefault'>): Setting<string> => ({
  ...values,
  description: `${description}, in dollars; off does not sell it`,
  example: '0.05',
  accepts: 'off, or above 0 and below 10000, with at most 6 decimals',
  read: (value: string) => {
    const isPrice = priceForm.test(value) && /[1-9]/.test(value);
    if (value !== off && !isPrice)
      throw new UnusableValue(
        'must be decimal dollars above 0 and below 10000, with at most 6 digits after the point, or off',
      );
    return value;
  },
});

/** @returns undefined for an operation that is not sold */
export const soldAt = (value: string): { priceUsd: string } | undefined =>
  value === off ? undefined : { priceUsd: value };
