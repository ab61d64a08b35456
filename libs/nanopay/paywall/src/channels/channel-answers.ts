import { base64Json, rejectionMessage, schemeName, type Rejection } from '@tollbridge/nanopay-protocol';
import type { Answer, Headers } from '../answers';
import { Grant, type GrantSource } from '../grant';
import type { RecordedResponse, StoredResponse } from '../response-store';
import type { Channel, LinkRequest } from './channel';
import type { Channels } from './channels';

/** The values that all grants of a route share. */
export interface ChannelSale {
  channels: Channels;
  network: string;
  caip2: string;
  asset: string;
  cors: Headers;
  isRefunded(status: number): boolean;
}

/**
 * Creates the grant of a request that a link pays. It is created for each request, and a class without closures costs
 * least.
 */
export const channelGrant = (request: LinkRequest, amount: string, sale: ChannelSale): Grant => {
  const { channel, index } = request;
  const confirmationId = `${channel.id}-${index}`;
  const payment = {
    confirmationId,
    scheme: schemeName,
    network: sale.caip2,
    from: channel.payer,
    to: channel.seller,
    amount,
    asset: sale.asset,
    channel: { id: channel.id, index },
  };
  const headers = {
    'PAYMENT-RESPONSE': acceptedHeader(request, confirmationId, amount, sale.network),
    'Cache-Control': 'private, no-store',
    Vary: 'Payment-Signature',
    ...sale.cors,
  };
  return new Grant(payment, headers, new LinkSource(request, amount, sale));
};

/** A template instead of JSON.stringify (`bench:nanopay`, row `tollbridge channels: paid`). No value needs escaping. */
const acceptedHeader = (
  { channel, index }: LinkRequest,
  confirmationId: string,
  amount: string,
  network: string,
): string =>
  Buffer.from(
    `{"success":true,"transaction":"${confirmationId}","network":"${network}","payer":"${channel.payer}","amount":"${amount}",` +
      `"extra":{"channel":{"id":"${channel.id}","index":${index},"refunded":${channel.refunded}}}}`,
    'latin1',
  ).toString('base64');

class LinkSource implements GrantSource {
  constructor(
    private readonly request: LinkRequest,
    private readonly amount: string,
    private readonly sale: ChannelSale,
  ) {}

  isRefunded(status: number): boolean {
    return this.sale.isRefunded(status);
  }

  keep(response: StoredResponse | undefined): void {
    const record = response && { byteLength: response.body.length, take: () => response };
    this.sale.channels.answered(this.request, record);
  }

  keepRecord(record: RecordedResponse): void {
    this.sale.channels.answered(this.request, record);
  }

  release(): void {
    this.sale.channels.broken(this.request);
  }

  /** Refunds the link. If the record is not durable, the refund is lost when this process ends. */
  async refund(): Promise<Headers> {
    const isDurable = await this.sale.channels.refund(this.request).then(
      () => true,
      () => false,
    );
    const { channel, index } = this.request;
    return {
      'PAYMENT-RESPONSE': base64Json({
        success: false,
        errorReason: 'refunded',
        errorMessage: 'The seller could not serve the request: the payment is refunded.',
        transaction: '',
        network: this.sale.network,
        payer: channel.payer,
        extra: {
          confirmationId: `${channel.id}-${index}`,
          chargedAmount: '0',
          refundedAmount: this.amount,
          refund: isDurable ? 'done' : 'pending',
          channel: { id: channel.id, index, refunded: channel.refunded },
        },
      }),
    };
  }
}

/** Adds the state of the channel, so that the buyer can continue with it. */
export function withChannel(
  answer: Answer,
  reason: Rejection,
  network: string,
  { id, index, isClosing }: Channel,
): Answer {
  const failure = {
    success: false,
    errorReason: reason,
    errorMessage: rejectionMessage(reason),
    transaction: '',
    network,
    extra: { channel: { id, index, isOpen: !isClosing } },
  };
  return { ...answer, headers: { ...answer.headers, 'PAYMENT-RESPONSE': base64Json(failure) } };
}
