import { choice, ConfigurationError, integer, rotatingSecret, text, url } from '@tollbridge/config';

/** Settings of rented numbers and text messages. Each is disabled without its settings. */
export const smsSettings = {
  SMS_NUMBERS_PROVIDER: choice(['sms-activate', '5sim'], {
    description: 'protocol of the number provider',
    example: 'sms-activate',
    default: 'sms-activate',
  }),
  SMS_NUMBERS_URL: url(['http', 'https'], {
    description:
      'URL of the number provider; with sms-activate the whole URL of its handler; the account must be in dollars; empty turns numbers off',
    example: 'https://hero-sms.com/stubs/handler_api.php',
    default: '',
  }),
  SMS_NUMBERS_KEY: text({
    description: 'API key of the number provider',
    example: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
    default: '',
    isSecret: true,
  }),
  SMS_NUMBERS_LOOK_MS: integer({
    description: 'milliseconds between two polls for a code; providers ask for 3 to 5 seconds',
    example: '3000',
    default: 3_000,
    min: 50,
    max: 30_000,
  }),
  TWILIO_URL: url(['http', 'https'], {
    description: 'URL of Twilio without the version; empty turns messages off',
    example: 'https://api.twilio.com',
    default: '',
  }),
  TWILIO_ACCOUNT_SID: text({
    description: 'account SID of Twilio',
    example: 'AC00000000000000000000000000000000',
    default: '',
  }),
  TWILIO_AUTH_TOKEN: rotatingSecret({
    description: 'auth token of the Twilio account',
    example: '00112233445566778899aabbccddeeff',
    default: '',
  }),
  TWILIO_FROM: text({
    description: 'number that messages are sent from, or the sid of a messaging service (MG…)',
    example: '+15005550006',
    default: '',
  }),
  SMS_SEND_MAX_SEGMENT_USD: text({
    description:
      'maximum dollars per segment of a message: reserved in the budget of the key, and enforced by the provider',
    example: '0.25',
    default: '0.25',
  }),
  SMS_SEND_COUNTRIES: text({
    description:
      'countries that messages may be sent to, as ISO codes separated by commas, or `all`; list only countries of your customers: toll fraud uses the others',
    example: 'US,CA,GB',
    default: 'all',
  }),
};

export type SmsConfig = {
  readonly [K in keyof typeof smsSettings]: ReturnType<(typeof smsSettings)[K]['read']>;
};

/** @throws ConfigurationError for a value that would otherwise fail only with the first message */
export function requireSmsSettings(config: SmsConfig): void {
  const errors: string[] = [];
  if (!/^(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?$/.test(config.SMS_SEND_MAX_SEGMENT_USD))
    errors.push('SMS_SEND_MAX_SEGMENT_USD must be decimal dollars, with at most 4 digits after the point');
  if (!/^(all|[A-Z]{2}(,[A-Z]{2})*)$/.test(config.SMS_SEND_COUNTRIES))
    errors.push('SMS_SEND_COUNTRIES must be ISO codes such as US,CA,GB, or all');
  if (config.TWILIO_ACCOUNT_SID !== '' && !/^AC[0-9a-f]{32}$/.test(config.TWILIO_ACCOUNT_SID))
    errors.push('TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits');
  if (errors.length > 0) throw new ConfigurationError(errors);
}
