import { cancelledOf, readReply, stateOf } from './texts';

describe('sms-activate replies', () => {
  it.each<[string, unknown]>([
    ['STATUS_WAIT_CODE', { status: 'waiting' }],
    ['STATUS_WAIT_RETRY:1234', { status: 'waiting' }],
    ['STATUS_WAIT_RESEND', { status: 'waiting' }],
    [' STATUS_CANCEL\n', { status: 'cancelled' }],
    ['NO_ACTIVATION', { status: 'gone' }],
    ['WRONG_ACTIVATION_ID', { status: 'gone' }],
    ['STATUS_OK:482913', { status: 'received', code: '482913' }],
    ['STATUS_OK:Your code: 48-29-13', { status: 'received', code: '482913' }],
    ['FULL_SMS:Your code is 77120', { status: 'received', code: '77120' }],
    ['STATUS_OK:', undefined],
    ['STATUS_OK:null', undefined],
    ['<html>', undefined],
    ['', undefined],
  ])('reads the state %j', (text, state) => {
    expect(stateOf(readReply(text))).toEqual(state);
  });

  it.each([
    ['ACCESS_CANCEL', 'cancelled'],
    ['ACCESS_CANCEL_ALREADY', 'cancelled'],
    ['EARLY_CANCEL_DENIED', 'tooEarly'],
    // Ambiguous, so the state of the number decides.
    ['BAD_STATUS', undefined],
    ['NO_ACTIVATION', 'gone'],
    ['ERROR_SQL', undefined],
  ])('reads the reply to a cancellation %s', (text, cancelled) => {
    expect(cancelledOf(readReply(text))).toBe(cancelled);
  });
});
