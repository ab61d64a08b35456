import { readPhone } from './phone';

describe('readPhone', () => {
  it.each([
    ['08031234567', 'NG', '+2348031234567'],
    ['2348031234567', 'ng', '+2348031234567'],
    ['+2348031234567', 'NG', '+2348031234567'],
    ['612345678', 'ES', '+34612345678'],
    ['2015550123', 'US', '+12015550123'],
  ])('reads %s of %s as %s', (number, country, international) => {
    expect(readPhone(number, country)).toEqual({ phone: { international, digits: international.slice(1) } });
  });

  it.each([
    ['0803', 'NG', 'number', 'must be a phone number of NG'],
    ['9001234567', 'US', 'number', 'must be a phone number of US'],
    ['+34612345678', 'NG', 'number', 'must be a number of NG, not of another country'],
    ['+34803123456', 'ES', 'number', 'must be a mobile number'],
    ['912345678', 'ES', 'number', 'must be a mobile number'],
    ['900123456', 'ES', 'number', 'must be a mobile number'],
    ['2348031234567', 'XX', 'country', 'must be a country with phone numbers'],
  ])('rejects %s of %s: %s', (number, country, wrong, message) => {
    expect(readPhone(number, country)).toEqual({ wrong, message });
  });
});
