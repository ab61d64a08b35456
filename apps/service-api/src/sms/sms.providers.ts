import type { FactoryProvider, Provider } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { ServiceApiConfig } from '../config';
import { callbackUrlOf } from '../hooks/hook-sources';
import { FiveSim } from './fivesim/fivesim';
import { Activations } from './numbers/activations';
import { CodeArrivals } from './numbers/code-arrivals';
import { NumberReturns } from './numbers/number-returns';
import { VirtualNumbers } from './numbers/virtual-numbers';
import { TextMessages } from './send/text-messages';
import type { SmsConfig } from './settings';
import { SmsActivate } from './sms-activate/sms-activate';
import { SmsRepository } from './sms.repository';
import { Twilio } from './twilio/twilio';
import { unconfiguredMessages, unconfiguredNumbers } from './unconfigured';

function numbersOf(config: SmsConfig): VirtualNumbers {
  const { SMS_NUMBERS_PROVIDER: provider, SMS_NUMBERS_URL: url, SMS_NUMBERS_KEY: key } = config;
  if (url === '' || key === '') return unconfiguredNumbers;
  return provider === '5sim' ? new FiveSim({ url, key }) : new SmsActivate({ url, key });
}

function messagesOf(config: ServiceApiConfig): TextMessages {
  const { TWILIO_URL: url, TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = config;
  const [from, callbackUrl] = [config.TWILIO_FROM, callbackUrlOf(config)];
  const isComplete = [url, accountSid, authToken, from].every((it) => it !== '');
  return isComplete ? new Twilio({ url, accountSid, authToken, from, callbackUrl }) : unconfiguredMessages;
}

const virtualNumbers: FactoryProvider<VirtualNumbers> = {
  ...{ provide: VirtualNumbers, inject: [ServiceConfig], useFactory: numbersOf },
};
const textMessages: FactoryProvider<TextMessages> = {
  ...{ provide: TextMessages, inject: [ServiceConfig], useFactory: messagesOf },
};
const activations: FactoryProvider<Activations> = {
  provide: Activations,
  inject: [VirtualNumbers, ServiceConfig],
  // Half of a pause: who looks again sees something new.
  useFactory: (numbers: VirtualNumbers, { SMS_NUMBERS_LOOK_MS: lookMs }: SmsConfig) =>
    new Activations(numbers, lookMs / 2),
};

/** Numbers and messages, beside their kinds of purchases. */
export const smsProviders: Provider[] = [
  ...[virtualNumbers, textMessages, activations, SmsRepository, NumberReturns, CodeArrivals],
];
