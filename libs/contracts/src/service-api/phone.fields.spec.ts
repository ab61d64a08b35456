import { decode } from '@tollbridge/rpc';
import { DetectQuery, RecipientPhone } from './gift.api';
import { SendSmsRequest } from './sms.api';

describe('PhoneNumber', () => {
  it.each([
    [' 2348031234567', '+2348031234567'],
    ['002348031234567', '+2348031234567'],
    ['+234 803 123-4567', '+2348031234567'],
    [' 234 803 123 4567', '+2348031234567'],
    ['08031234567', '08031234567'],
  ])('reads %j in a query as %s', (phone, read) => {
    expect(decode(DetectQuery, { phone, country: 'NG' }, { fromText: true })).toEqual({
      ok: true,
      value: { phone: read, country: 'NG' },
    });
  });

  it.each([
    ['0044 7400 123456', '+447400123456'],
    ['+44.7400.123456', '+447400123456'],
    ['+44 (7400) 123456', '+447400123456'],
  ])('reads %j in a body as %s', (number, to) => {
    expect(decode(SendSmsRequest, { to: number, body: 'Hello' })).toMatchObject({ ok: true, value: { to } });
    expect(decode(RecipientPhone, { number, countryCode: 'GB' })).toMatchObject({ value: { number: to } });
  });

  it('rejects a number that may belong to several countries', () => {
    expect(decode(SendSmsRequest, { to: '447400123456', body: 'Hello' }).ok).toBe(false);
    expect(decode(SendSmsRequest, { to: '+44 (0) 7400 123456', body: 'Hello' }).ok).toBe(false);
  });
});
