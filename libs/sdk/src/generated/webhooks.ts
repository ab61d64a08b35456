// Generated from libs/contracts: npm run docs

import type * as schemas from './schemas';

/** A message to a merchant, discriminated by `type`. */
export type WebhookEvent =
  /** An order of the merchant waits for its payment */
  | {
    /** Type of the message */
    type: 'order.created';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** A payment was submitted or found, and waits for confirmations */
  | {
    /** Type of the message */
    type: 'order.settling';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** The merchant was paid, with the confirmations that the chain requires. Deliver the goods only now */
  | {
    /** Type of the message */
    type: 'order.settled';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** A submitted transaction does not pay the order (`last_report_reason`), which waits for its payment again */
  | {
    /** Type of the message */
    type: 'order.reopened';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** The payment failed: the deposit was sent back, or too little was delivered */
  | {
    /** Type of the message */
    type: 'order.failed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** Money of the order moved in another way than its status shows (`exception`): a plain transfer to the merchant, a second payment, or a deposit or refund after the order had ended */
  | {
    /** Type of the message */
    type: 'order.exception';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** No payment arrived in time */
  | {
    /** Type of the message */
    type: 'order.expired';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** The chain dropped the block of a settled payment; the order is settling again */
  | {
    /** Type of the message */
    type: 'order.reorged';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** A refund was forwarded to the sender of the deposit, because the payer gave no address */
  | {
    /** Type of the message */
    type: 'order.refunded';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.MerchantOrderChanged;
  }
  /** A payer started to pay a payment request */
  | {
    /** Type of the message */
    type: 'payment.executing';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaymentChanged;
  }
  /** A payment request was paid */
  | {
    /** Type of the message */
    type: 'payment.completed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaymentChanged;
  }
  /** A payment of a payment request failed */
  | {
    /** Type of the message */
    type: 'payment.failed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaymentChanged;
  }
  /** A payment request was not paid in time */
  | {
    /** Type of the message */
    type: 'payment.expired';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaymentChanged;
  }
  /** A payment of a PayLink was verified, or confirmed by the merchant, and counted */
  | {
    /** Type of the message */
    type: 'paylink.paid';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaylinkPaid;
  }
  /** A transaction was submitted for a PayLink on a network that this deployment cannot verify. It counts only after the merchant confirms it */
  | {
    /** Type of the message */
    type: 'paylink.payment_unverifiable';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaylinkPaymentUnverifiable;
  }
  /** A transaction submitted for a PayLink does not pay it, and was not counted */
  | {
    /** Type of the message */
    type: 'paylink.payment_rejected';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaylinkPaymentRejected;
  }
  /** A counted payment of a PayLink no longer counts: the chain dropped its transaction. `paylink.paid` follows when it is mined again */
  | {
    /** Type of the message */
    type: 'paylink.payment_reverted';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaylinkPaymentRejected;
  }
  /** Money arrived in another form than it was asked for, or such an exception was resolved */
  | {
    /** Type of the message */
    type: 'payment.exception';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PaymentException;
  }
  /** A set of transactions was completed */
  | {
    /** Type of the message */
    type: 'transaction.completed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.TransactionUpdate;
  }
  /** A set of transactions failed */
  | {
    /** Type of the message */
    type: 'transaction.failed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.TransactionUpdate;
  }
  /** A provider delivered a purchase */
  | {
    /** Type of the message */
    type: 'purchase.completed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PurchaseChanged;
  }
  /** A purchase was not delivered, and costs nothing */
  | {
    /** Type of the message */
    type: 'purchase.failed';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PurchaseChanged;
  }
  /** An API key spent 80 % of its monthly budget */
  | {
    /** Type of the message */
    type: 'key.budget_warning';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.KeyBudgetUsed;
  }
  /** An API key spent its whole monthly budget */
  | {
    /** Type of the message */
    type: 'key.budget_reached';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.KeyBudgetUsed;
  }
  /** A batch payout changed its status */
  | {
    /** Type of the message */
    type: 'payout.updated';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.PayoutUpdated;
  }
  /** A test message that the merchant requested */
  | {
    /** Type of the message */
    type: 'webhook.test';
    /** Creation time of the message */
    timestamp: string;
    /** `storeName` of the settings when the message was created, as payers see it; null without one */
    store_name?: string | null;
    data: schemas.WebhookTest;
  };

export type WebhookType = WebhookEvent['type'];
