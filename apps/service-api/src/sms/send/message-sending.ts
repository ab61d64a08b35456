import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { SendSmsRequest, SentSms } from '@tollbridge/contracts';
import { formatUnits, parseUnits } from '@tollbridge/money';
import type { CallContext, FieldError } from '@tollbridge/rpc';
import { Purchases } from '../../purchases/purchases';
import type { SmsConfig } from '../settings';
import { MessageKind } from './message-kind';
import { MessageTerms } from './message-terms';
import { validateRecipient } from './recipient';
import { segmentsOf } from './segments';

const usdDigits = 6;

/** Sends text messages. */
@Injectable()
export class MessageSending {
  constructor(
    private readonly purchases: Purchases,
    private readonly messageKind: MessageKind,
    @Inject(ServiceConfig) private readonly config: SmsConfig,
  ) {}

  validate({ to }: Partial<SendSmsRequest>): FieldError[] {
    const countries = this.config.SMS_SEND_COUNTRIES;
    const message =
      to === undefined
        ? undefined
        : validateRecipient(to, countries === 'all' ? countries : countries.split(','));
    return message === undefined ? [] : [{ field: 'to', message }];
  }

  /** Returns the maximum cost of a message, in decimal dollars. */
  valueUsd({ body }: SendSmsRequest): string {
    const perSegment = parseUnits(this.config.SMS_SEND_MAX_SEGMENT_USD, usdDigits);
    return formatUnits(perSegment * BigInt(segmentsOf(body)), usdDigits);
  }

  async send(request: SendSmsRequest, context: CallContext): Promise<SentSms> {
    const { to, body } = request;
    const segments = segmentsOf(body);
    const terms = new MessageTerms(to, body, this.config.TWILIO_AUTH_TOKEN);
    const valueUsd = this.valueUsd(request);
    const description = `Text message, ${segments} ${segments === 1 ? 'segment' : 'segments'}`;
    const wanted = { terms, provider: this.messageKind.provider, valueUsd, description };
    const { providerId, result } = await this.purchases.buy(this.messageKind, wanted, context);
    return { sid: providerId!, status: String(result?.['status']), segments };
  }
}
