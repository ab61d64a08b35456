import { Injectable } from '@nestjs/common';
import { smsApi, type CodeQuery, type RentNumberRequest, type SendSmsRequest } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { SoldRead, SoldService } from '../sales/sold-services';
import { checkedCountry, NumberRentals } from './numbers/number-rentals';
import { messageKind } from './send/message-kind';
import { MessageSending } from './send/message-sending';

/** Numbers and messages, as they are sold for payments. */
@Injectable()
export class SmsSales {
  constructor(
    private readonly rentals: NumberRentals,
    private readonly messages: MessageSending,
  ) {}

  get services(): [SoldService<RentNumberRequest>, SoldService<SendSmsRequest>] {
    const { rentals, messages } = this;
    return [
      {
        operation: smsApi.operations.rentNumber,
        purchaseKind: 'sms-number',
        costUsd: async ({ service, country }) =>
          (await rentals.priced({ service, country: checkedCountry(country) })).valueUsd,
        run: (input, context) => rentals.rent(input, context),
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
