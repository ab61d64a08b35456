// Generated from libs/contracts: npm run docs

/** Every type of webhook, with the time when it is sent. */
export const webhookTypes: Readonly<Record<string, string>> = {
  "order.created": "An order of the merchant waits for its payment",
  "order.settling": "A payment was submitted or found, and waits for confirmations",
  "order.settled": "The merchant was paid, with the confirmations that the chain requires. Deliver the goods only now",
  "order.reopened": "A submitted transaction does not pay the order (`last_report_reason`), which waits for its payment again",
  "order.failed": "The payment failed: the deposit was sent back, or too little was delivered",
  "order.exception": "Money of the order moved in another way than its status shows (`exception`): a plain transfer to the merchant, a second payment, or a deposit or refund after the order had ended",
  "order.expired": "No payment arrived in time",
  "order.reorged": "The chain dropped the block of a settled payment; the order is settling again",
  "order.refunded": "A refund was forwarded to the sender of the deposit, because the payer gave no address",
  "payment.executing": "A payer started to pay a payment request",
  "payment.completed": "A payment request was paid",
  "payment.failed": "A payment of a payment request failed",
  "payment.expired": "A payment request was not paid in time",
  "paylink.paid": "A payment of a PayLink was verified, or confirmed by the merchant, and counted",
  "paylink.payment_unverifiable": "A transaction was submitted for a PayLink on a network that this deployment cannot verify. It counts only after the merchant confirms it",
  "paylink.payment_rejected": "A transaction submitted for a PayLink does not pay it, and was not counted",
  "paylink.payment_reverted": "A counted payment of a PayLink no longer counts: the chain dropped its transaction. `paylink.paid` follows when it is mined again",
  "payment.exception": "Money arrived in another form than it was asked for, or such an exception was resolved",
  "transaction.completed": "A set of transactions was completed",
  "transaction.failed": "A set of transactions failed",
  "purchase.completed": "A provider delivered a purchase",
  "purchase.failed": "A purchase was not delivered, and costs nothing",
  "key.budget_warning": "An API key spent 80 % of its monthly budget",
  "key.budget_reached": "An API key spent its whole monthly budget",
  "payout.updated": "A batch payout changed its status",
  "webhook.test": "A test message that the merchant requested"
};
