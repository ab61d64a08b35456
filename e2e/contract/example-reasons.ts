/**
 * Operations with a request example that cannot succeed by itself, grouped by reason. Every other example succeeds in
 * the sandbox.
 */
const byReason: Readonly<Record<string, readonly string[]>> = {
  'names an object that an earlier call has to create: a real id is in no document': [
    'getOrder',
    'getOrderWalletCall',
    'reportOrderTransaction',
    'getDepositStatus',
    'buildSwap',
    'executeSwap',
    'getSwapStatus',
    'getPaymentRequest',
    'cancelPaymentRequest',
    'setPaymentRequestReceiveAddress',
    'startPayment',
    'getPaymentStatus',
    'getTransaction',
    'getPayablePaymentRequest',
    'setPayLinkActive',
    'getPublicPayLink',
    'deletePayLink',
    'startPayLinkCheckout',
    'listPayLinkPayments',
    'confirmPayLinkPayment',
    'reportPayLinkPayment',
    'rejectPayLinkPayment',
    'resolveException',
    'deleteApiKey',
    'listApiKeySpends',
    'setApiKeyEnabled',
    'regenerateApiKey',
    'revokeSession',
    'getWebhook',
    'replayWebhook',
    'getPayout',
    'approvePayout',
    'rejectPayout',
    'getSmsCode',
    'revealCard',
    'getNanoPaymentReceipt',
    'getNanoPaymentWithdrawal',
    'rejectNanoPayment',
    'approveNanoPayment',
    'expireSwapDeadline',
    'simulateSwapDeposit',
  ],
  'is signed, for a challenge or a time that is over': [
    'verifyReceiver',
    'signIn',
    'cancelNanoPayment',
    'setNanoPaymentPolicy',
    'withdrawNanoPaymentBalance',
  ],
  'needs the token of a mailbox, which POST /email/account returns': ['listEmailMessages', 'getEmailMessage'],
  'needs a key of a TON wallet, and the demo merchant has one on EVM chains': ['listNanoPaymentWithdrawals'],
};

export const reasonOf: ReadonlyMap<string, string> = new Map(
  Object.entries(byReason).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
);

/** Sent before the others, because their examples refer to the objects that these create. */
export const preparing = ['createAgentInbox', 'replaceSettings'];

/** Another case may have created the object of the example, so the result of the example varies. */
export const createdElsewhere = ['deleteReceiver', 'sendTestWebhook', 'resumeWebhooks', 'sendFromAgentInbox'];
