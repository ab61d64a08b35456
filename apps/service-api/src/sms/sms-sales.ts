import { Injectable } from '@nestjs/common';
import {
  smsApi,
  type AwaitCodeRequest,
  type AwaitedCode,
  type CodeQuery,
  type RentNumberRequest,
  type SendSmsRequest,
} from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import type { Purchase } from '../purchases/purchase';
import type { SoldRead, SoldService } from '../sales/sold-services';
import { WaitingCalls } from '../waiting/waiting-calls';
import { AwaitedNumbers } from './numbers/awaited-numbers';
import { checkedCountry, NumberRentals } from './numbers/number-rentals';
import { messageKind } from './send/message-kind';
import { MessageSending } from './send/message-sending';

/** Defines numbers and messages as services that are sold for payments. */
@Injectable()
export class SmsSales {
  constructor(
    private readonly rentals: NumberRentals,
    private readonly awaited: AwaitedNumbers,
    private readonly waiting: WaitingCalls,
    private readonly messages: MessageSending,
  ) {}

  get services(): SoldService[] {
    const { rentals, messages } = this;
    const costUsd = async ({ service, country }: RentNumberRequest) =>
      (await rentals.priced({ service, country: checkedCountry(country) })).valueUsd;
    const services: [
      SoldService<RentNumberRequest>,
      SoldService<AwaitCodeRequest>,
      SoldService<SendSmsRequest>,
    ] = [
      {
        operation: smsApi.operations.rentNumber,
        purchaseKind: 'sms-number',
        costUsd,
        run: (input, context) => rentals.rent(input, context),
      },
      {
        operation: smsApi.operations.awaitCode,
        purchaseKind: 'sms-number-and-wait',
        costUsd,
        run: (input, context) => rentals.rentAwaited(input, context),
        finish: (purchase, input, context) => this.wait(purchase as Purchase, input, context),
      },
      {
        operation: smsApi.operations.sendSms,
        purchaseKind: messageKind,
        async costUsd(input) {
          const errors = messages.validate(input);
          if (errors.length > 0) throw DomainError.invalid(errors);
          return messages.valueUsd(input);
        },
        run: (input, context) => messages.send(input, context),
      },
    ];
    return services;
  }

  private wait(purchase: Purchase, input: AwaitCodeRequest, context: CallContext): Promise<AwaitedCode> {
    const waitMs = input.timeout * 1_000;
    const untilMs = performance.now() + waitMs;
    return this.waiting.during(context, waitMs, (signal) =>
      this.awaited.wait(purchase, input, { untilMs, signal }, context),
    );
  }

  get reads(): [SoldRead<CodeQuery>] {
    return [
      {
        operation: smsApi.operations.codeStatus,
        purchaseIdOf: ({ id }) => id,
        run: (input, context) => this.rentals.codeStatus(input, context),
      },
    ];
  }
}
