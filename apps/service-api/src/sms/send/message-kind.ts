import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { FoundBefore, PurchaseKind, PurchaseRequest } from '../../purchases/purchase-kind';
import type { Progress } from '../../purchases/purchase';
import type { SmsConfig } from '../settings';
import { SmsRepository } from '../sms.repository';
import { digestsOf, MessageTerms, type StoredMessage } from './message-terms';
import { TextMessages, type SentMessage } from './text-messages';

export const messageKind = 'sms-message';

// Tolerance for clock skew, and for the delay of the provider's list.
const earlierMs = 60_000;
const settleMs = 60_000;

/** Sends a message. The provider stores no reference, so a lost message is searched in the provider's list. */
@Injectable()
export class MessageKind implements PurchaseKind<MessageTerms> {
  readonly kind = messageKind;
  readonly spend = 'purchase' as const;
  readonly settleMs = settleMs;

  constructor(
    @Inject(TextMessages) private readonly messages: TextMessages,
    private readonly repository: SmsRepository,
    @Inject(ServiceConfig) private readonly config: SmsConfig,
  ) {}

  get provider(): string {
    return this.messages.name;
  }

  async buy(
    { to, body }: MessageTerms,
    _reference: string,
    { valueUsd }: PurchaseRequest,
  ): Promise<Progress> {
    if (valueUsd === null) throw new Error('a message cannot be sent without a known price');
    return sent(await this.messages.send({ to, body }, valueUsd));
  }

  /** @param terms in stored form */
  async find(
    reference: string,
    terms: MessageTerms | StoredMessage,
    { askedAtMs }: FoundBefore,
  ): Promise<Progress | undefined> {
    const { to, digest } = terms as StoredMessage;
    const { messages, isWhole } = await this.messages.lastTo(to);
    const recent = messages.filter(({ createdAtMs }) => createdAtMs >= askedAtMs - earlierMs);
    // A list that does not extend back to the time of the request proves nothing.
    const isCovered = isWhole || recent.length < messages.length;
    const alike = recent.filter(({ body }) =>
      digestsOf(this.config.TWILIO_AUTH_TOKEN, { to, body }).includes(digest),
    );
    const sids = alike.map(({ sid }) => sid);
    // Counted before the owned ids are read, so that a concurrent purchase appears in at least one of the two results.
    const others = await this.repository.countUnknown([messageKind], reference, [{ to, digest }]);
    const owned = await this.repository.ownedIds([messageKind], sids);
    const free = alike.filter(({ sid }) => !owned.has(sid));
    if (free.length === 0 && isCovered) return undefined;
    if (free.length !== 1 || others > 0)
      throw new Error('the lost message is ambiguous: the provider stores no reference');
    return sent(free[0]!);
  }
}

const sent = ({ sid, status }: SentMessage): Progress => ({
  status: 'completed',
  providerId: sid,
  result: { status },
});
