import type { OrderReply, PaymentReviewReply } from '@tollbridge/contracts';
import type { Html } from '../parts/html';
import type { RemoteWallets } from '../wallets/remote-wallets';
import type { Language } from '../texts/language';

/** What the page of a payment shows beside its status. */
export interface PaymentTerms {
  /** The code of this page. */
  qr: Html;
  language: Language;
  /** Wallets on other devices. Absent: none. */
  remote?: RemoteWallets;
  /** Undefined while it cannot be read. */
  order?: OrderReply | undefined;
  /** Undefined while it cannot be read. */
  review?: PaymentReviewReply | undefined;
  /** The wallets of the payer: family to address. */
  payers?: Readonly<Record<string, string>>;
}
