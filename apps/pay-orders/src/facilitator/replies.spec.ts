import { toRejection } from './official-rejection';
import { invalidReceiver, messageOf } from './replies';

const generic = messageOf('unknown_reason');

describe('messageOf', () => {
  it.each([
    'invalid_exact_evm_signature',
    'invalid_exact_evm_insufficient_balance',
    'invalid_exact_evm_authorization_value',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    'invalid_exact_evm_payload_authorization_valid_before',
    'invalid_exact_evm_recipient_mismatch',
    'permit2_allowance_required',
    'permit2_insufficient_balance',
    'invalid_exact_svm_payload_amount_mismatch',
    'insufficient_funds',
  ])('explains %s', (reason) => {
    expect(messageOf(reason)).not.toBe(generic);
  });

  it.each(['unsupported_scheme', 'invalid_network'])(
    'refers for %s to the operation that lists the schemes',
    (reason) => {
      expect(messageOf(reason)).toContain('GET /supported');
    },
  );
});

describe('toRejection', () => {
  it('replaces the message of the package for a reason that has a message here', () => {
    const reason = 'invalid_exact_evm_insufficient_balance';
    expect(toRejection(reason, 'ERC20: exceeds')).toEqual({ reason });
    expect(toRejection('erc20_approval_tx_failed', 'x'.repeat(500))).toEqual({
      reason: 'erc20_approval_tx_failed',
      message: 'x'.repeat(300),
    });
    expect(toRejection('Not a code', undefined)).toEqual({ reason: 'invalid_payload' });
  });
});

describe('invalidReceiver', () => {
  it('contains payTo and its problem', () => {
    expect(invalidReceiver('this is not an address')).toEqual({
      reason: 'invalid_payment_requirements',
      message: 'paymentRequirements.payTo is not valid: this is not an address.',
    });
  });
});
