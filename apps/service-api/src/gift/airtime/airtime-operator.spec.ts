import { parse } from 'lossless-json';
import { Decimal } from '@tollbridge/money';
import { readOperator } from '../providers/reloadly/reloadly.airtime.wire';
import { highestCostOfTopUp, validateTopUp } from './airtime-operator';

const of = (text: string) => Decimal.of(text);
/** Parses a value as the HTTP client does. */
const wire = (value: object): unknown => parse(JSON.stringify(value));

describe('Airtime operator', () => {
  const operatorOf = (changes: object = {}) =>
    readOperator(
      wire({
        id: 3,
        name: 'Savanna',
        denominationType: 'RANGE',
        senderCurrencyCode: 'USD',
        destinationCurrencyCode: 'NGN',
        country: { isoName: 'NG' },
        supportsLocalAmounts: true,
        minAmount: 1,
        maxAmount: 50,
        localMinAmount: 1_500,
        localMaxAmount: 75_000,
        fx: { rate: 1_500 },
        fees: { international: 0.1, internationalPercentage: 1, local: 15, localPercentage: 2 },
        ...changes,
      }),
    );
  const asked = (amount: string, useLocalAmount = false) => ({
    amount: of(amount),
    useLocalAmount,
    countryCode: 'NG',
  });

  it('computes the cost of the amount and its fees, in the paying currency', () => {
    expect(highestCostOfTopUp(asked('10'), operatorOf())?.text).toBe('10.2');
    // (3000 + 60 + 15) / 1500
    expect(highestCostOfTopUp(asked('3000', true), operatorOf())?.text).toBe('2.05');
    for (const fx of [null, { rate: 0 }])
      expect(highestCostOfTopUp(asked('3000', true), operatorOf({ fx }))).toBeNull();
  });

  it('accepts amounts within the range of the chosen currency', () => {
    expect(validateTopUp(asked('50'), operatorOf())).toEqual([]);
    expect(validateTopUp(asked('1500', true), operatorOf())).toEqual([]);
    expect(validateTopUp(asked('1500'), operatorOf())).toHaveLength(1);
    expect(validateTopUp(asked('5'), operatorOf({ status: 'INACTIVE' }))).toHaveLength(1);
  });
});
