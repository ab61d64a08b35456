import { rotatingSecret, secretValues } from './rotating-secret';
import { loadConfig } from './settings';

const settings = {
  SHOP_PEPPER: rotatingSecret({ description: 'the pepper', example: 'example-pepper', minLength: 8 }),
};
const load = (value: string) => () =>
  loadConfig(settings, { TOLLBRIDGE_ENV: 'production', SHOP_PEPPER: value }).SHOP_PEPPER;

describe('rotatingSecret', () => {
  it('accepts one or two values', () => {
    expect(secretValues(load('first-secret')())).toEqual(['first-secret']);
    expect(secretValues(load('first-secret,former-secret')())).toEqual(['first-secret', 'former-secret']);
    expect(secretValues('')).toEqual([]);
  });

  it.each([
    [
      'a,b,c of enough length',
      'first-secret,second-secret,third-secret',
      'must be one value, or two different',
    ],
    ['the same value twice', 'first-secret,first-secret', 'must be one value, or two different'],
    ['a short second value', 'first-secret,short', 'must have at least 8 characters'],
    ['an empty second value', 'first-secret,', 'must have at least 8 characters'],
    ['a public second value', 'first-secret,example-pepper', 'must not be a value from the examples'],
  ])('rejects %s', (_name, value, problem) => {
    expect(load(value)).toThrow(`SHOP_PEPPER ${problem}`);
    expect(load(value)).not.toThrow(/first-secret|third-secret/);
  });
});
