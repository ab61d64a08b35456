import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { secretValues } from '@tollbridge/config';
import type { ServiceApiConfig } from '../config';
import { callbackUrlOf } from '../hooks/settings';
import { PurchasesModule } from '../purchases/purchases.module';
import { WaitingModule } from '../waiting/waiting.module';
import { FiveSim } from './fivesim/fivesim';
import { Activations } from './numbers/activations';
import { AwaitedNumbers } from './numbers/awaited-numbers';
import { CodeArrivals } from './numbers/code-arrivals';
import { AwaitedNumberKind, NumberKind } from './numbers/number-kinds';
import { NumberRentals } from './numbers/number-rentals';
import { NumberReturns } from './numbers/number-returns';
import { VirtualNumbers } from './numbers/virtual-numbers';
import { MessageKind } from './send/message-kind';
import { MessageSending } from './send/message-sending';
import { TextMessages } from './send/text-messages';
import type { SmsConfig } from './settings';
import { SmsActivate } from './sms-activate/sms-activate';
import { SmsSales } from './sms-sales';
import { SmsHandlers } from './sms.handlers';
import { SmsRepository } from './sms.repository';
import { Twilio } from './twilio/twilio';
import { unconfiguredMessages, unconfiguredNumbers } from './unconfigured';

function openNumbers(config: SmsConfig): VirtualNumbers {
  const { SMS_NUMBERS_PROVIDER: provider, SMS_NUMBERS_URL: url, SMS_NUMBERS_KEY: key } = config;
  if (url === '' || key === '') return unconfiguredNumbers;
  return provider === '5sim' ? new FiveSim({ url, key }) : new SmsActivate({ url, key });
}

function openMessages(config: ServiceApiConfig): TextMessages {
  const { TWILIO_URL: url, TWILIO_ACCOUNT_SID: accountSid } = config;
  const [authToken = ''] = secretValues(config.TWILIO_AUTH_TOKEN);
  const { TWILIO_FROM: from } = config;
  const callbackUrl = callbackUrlOf(config);
  const isComplete = [url, accountSid, authToken, from].every((value) => value !== '');
  return isComplete ? new Twilio({ url, accountSid, authToken, from, callbackUrl }) : unconfiguredMessages;
}

/** Rents numbers and sends text messages. */
@Module({
  imports: [PurchasesModule, WaitingModule],
  controllers: [SmsHandlers],
  providers: [
    { provide: VirtualNumbers, inject: [ServiceConfig], useFactory: openNumbers },
    { provide: TextMessages, inject: [ServiceConfig], useFactory: openMessages },
    {
      provide: Activations,
      inject: [VirtualNumbers, ServiceConfig],
      // Half of the poll interval, so that each poll sees a newer list.
      useFactory: (numbers: VirtualNumbers, { SMS_NUMBERS_LOOK_MS: pollMs }: SmsConfig) =>
        new Activations(numbers, pollMs / 2),
    },
    SmsRepository,
    NumberReturns,
    CodeArrivals,
    NumberKind,
    AwaitedNumberKind,
    MessageKind,
    NumberRentals,
    AwaitedNumbers,
    MessageSending,
    SmsSales,
  ],
  exports: [NumberKind, AwaitedNumberKind, MessageKind, CodeArrivals, SmsSales],
})
export class SmsModule {}
