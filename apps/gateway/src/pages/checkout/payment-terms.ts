import type { OrderReply, PaymentReviewReply } from '@tollbridge/contracts';
import type { Html } from '../parts/html';
import type { RemoteWallets } from '../wallets/remote-wallets';
import type { Language } from '../texts/language';

/** Data that the page of a payment shows in addition to its status. */
export interface PaymentTerms {
  /** The QR code of this page. */
  qr: Html;
  language: Language;
  /** Wallets on other devices. Without it, the page has none. */
  remote?: RemoteWallets;
  /** Undefined while it cannot be read. */
  order?: OrderReply | undefined;
  /** Undefined while it cannot be read. */
  review?: PaymentReviewReply | undefined;
  /** The payer's wallet addresses by chain family. */
  payers?: Readonly<Record<string, string>>;
}
