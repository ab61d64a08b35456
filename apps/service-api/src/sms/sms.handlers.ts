import { Controller } from '@nestjs/common';
import {
  smsApi,
  type AwaitCodeRequest,
  type AwaitedCode,
  type CodeQuery,
  type CodeStatus,
  type RentNumberRequest,
  type SendSmsRequest,
  type SentSms,
  type VirtualNumber,
} from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { WaitingCalls } from '../waiting/waiting-calls';
import { AwaitedNumbers } from './numbers/awaited-numbers';
import { NumberRentals, validateCountry } from './numbers/number-rentals';
import { MessageSending } from './send/message-sending';

@Controller()
@Handles(smsApi)
export class SmsHandlers {
  constructor(
    private readonly rentals: NumberRentals,
    private readonly awaited: AwaitedNumbers,
    private readonly messages: MessageSending,
    private readonly waiting: WaitingCalls,
  ) {}

  @Validates(smsApi.operations.rentNumber)
  validateRentNumber({ country }: Partial<RentNumberRequest>): FieldError[] {
    return validateCountry(country);
  }

  rentNumber(request: RentNumberRequest, context: CallContext): Promise<VirtualNumber> {
    return this.rentals.rent(request, context);
  }

  codeStatus(query: CodeQuery, context: CallContext): Promise<CodeStatus> {
    return this.rentals.codeStatus(query, context);
  }

  @Validates(smsApi.operations.awaitCode)
  validateAwaitCode({ country }: Partial<AwaitCodeRequest>): FieldError[] {
    return validateCountry(country);
  }

  awaitCode(request: AwaitCodeRequest, context: CallContext): Promise<AwaitedCode> {
    const waitMs = request.timeout * 1_000;
    const untilMs = performance.now() + waitMs;
    // The call reserves its place among the waiting calls before it rents a number.
    return this.waiting.during(context, waitMs, async (signal) => {
      const purchase = await this.rentals.rentAwaited(request, context);
      return this.awaited.wait(purchase, request, { untilMs, signal }, context);
    });
  }

  @Validates(smsApi.operations.sendSms)
  validateSendSms(request: Partial<SendSmsRequest>): FieldError[] {
    return this.messages.validate(request);
  }

  sendSms(request: SendSmsRequest, context: CallContext): Promise<SentSms> {
    return this.messages.send(request, context);
  }
}
