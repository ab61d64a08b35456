import { fieldsOf, itemOf, type Operation } from '@tollbridge/rpc';
import { apiKeysApi } from './merchant/api-keys.api';
import { authApi } from './merchant/auth.api';
import { dashboardApi } from './merchant/dashboard.api';
import { exceptionsApi } from './merchant/exceptions.api';
import { paylinkPaymentsApi, paylinksApi, publicPaylinksApi } from './merchant/paylinks.api';
import { paymentRequestsApi } from './merchant/payment-requests.api';
import { paymentsApi } from './merchant/payments.api';
import { receiversApi } from './merchant/receivers.api';
import { webhooksApi } from './merchant/webhooks.api';
import { nanoAccountsApi } from './nanopay/accounts.api';
import { nanoApprovalsApi } from './nanopay/approvals.api';
import { nanoVerificationApi } from './nanopay/verification.api';
import { ordersApi } from './pay-orders/orders.api';
import { swapsApi } from './pay-orders/swaps.api';
import { sandboxControlsApi } from './sandbox/controls.api';
import { agentmailApi } from './service-api/agentmail.api';
import { cardsApi } from './service-api/cards.api';
import { catalogApi } from './service-api/catalog.api';
import { emailApi } from './service-api/email.api';
import { payoutsApi } from './service-api/payouts.api';
import { smsApi } from './service-api/sms.api';
import { swapQuotesApi } from './tx-engine/quotes.api';
import { transactionsApi } from './tx-engine/transactions.api';

type AnyOperation = Operation<any, any>;
type Target = readonly [operation: AnyOperation, field: string];

/** Links a value in a reply to an input field of another operation. */
export interface OperationLink {
  from: AnyOperation;
  /** JSON pointer into the reply, such as `/order_id`. */
  pointer: string;
  to: AnyOperation;
  /** Name of the input field; `a/0/b` for a field inside a body. */
  field: string;
}

const linksFrom = (
  from: AnyOperation,
  pointer: string,
  ...targets: readonly Target[]
): readonly OperationLink[] => targets.map(([to, field]) => ({ from, pointer, to, field }));

const ofId = (...operations: readonly AnyOperation[]): readonly Target[] =>
  operations.map((operation) => [operation, 'id']);

const { createOrder, getOrder, reportTransaction, walletCall } = ordersApi.operations;
const { buildTransactions, executeTransactions, transactionStatus, batchTransactions } =
  transactionsApi.operations;
const { quoteSwap } = swapQuotesApi.operations;
const requests = paymentRequestsApi.operations;
const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;
const dashboard = dashboardApi.operations;
const paylinks = paylinksApi.operations;
const { getPublicPayLink, startPayLinkCheckout } = publicPaylinksApi.operations;
const { recordPayLinkPayment, listPayLinkPayments, confirmPayLinkPayment, rejectPayLinkPayment } =
  paylinkPaymentsApi.operations;
const exceptions = exceptionsApi.operations;
const keys = apiKeysApi.operations;
const { createChallenge, verifyChallenge, revokeSession } = authApi.operations;
const receivers = receiversApi.operations;
const { listWebhooks, getWebhook, replayWebhook } = webhooksApi.operations;
const payouts = payoutsApi.operations;
const mail = emailApi.operations;
const { createAgentInbox, sendFromAgentInbox } = agentmailApi.operations;
const { verifyPayment } = nanoVerificationApi.operations;
const nano = nanoAccountsApi.operations;
const { approvePayment, rejectPayment } = nanoApprovalsApi.operations;
const deposit = sandboxControlsApi.operations;

const betweenOperations: readonly OperationLink[] = [
  linksFrom(createOrder, '/order_id', ...ofId(getOrder, reportTransaction, walletCall)),
  linksFrom(
    createOrder,
    '/cross_chain/deposit_address',
    [swapsApi.operations.getStatus, 'deposit_address'],
    [deposit.depositToLedger, 'deposit_address'],
    [deposit.passDeadline, 'deposit_address'],
  ),
  linksFrom(
    quoteSwap,
    '/data/quoteId',
    [buildTransactions, 'quoteId'],
    [batchTransactions, 'transactions/0/quoteId'],
  ),
  linksFrom(
    buildTransactions,
    '/data/transactionId',
    [executeTransactions, 'transactionId'],
    [transactionStatus, 'transactionId'],
  ),
  linksFrom(
    requests.createPaymentRequest,
    '/id',
    ...ofId(
      requests.getPaymentRequest,
      requests.cancelPaymentRequest,
      requests.setReceiveAddress,
      getPayment,
      executePayment,
    ),
  ),
  linksFrom(executePayment, '/payment_id', ...ofId(paymentStatus)),
  linksFrom(
    paylinks.createPayLink,
    '/id',
    ...ofId(paylinks.togglePayLink, paylinks.deletePayLink, getPublicPayLink),
    ...ofId(startPayLinkCheckout, recordPayLinkPayment, listPayLinkPayments),
    ...ofId(confirmPayLinkPayment, rejectPayLinkPayment),
  ),
  linksFrom(startPayLinkCheckout, '/payment_request_id', ...ofId(getPayment, executePayment)),
  linksFrom(exceptions.listExceptions, '/exceptions/0/id', ...ofId(exceptions.resolveException)),
  linksFrom(
    listPayLinkPayments,
    '/0/id',
    [confirmPayLinkPayment, 'paymentId'],
    [rejectPayLinkPayment, 'paymentId'],
  ),
  linksFrom(
    keys.createKey,
    '/id',
    ...ofId(keys.toggleKey, keys.regenerateKey, keys.deleteKey, keys.listSpends),
  ),
  linksFrom(createChallenge, '/nonce', [verifyChallenge, 'nonce']),
  linksFrom(createChallenge, '/message', [verifyChallenge, 'message']),
  linksFrom(verifyChallenge, '/sessionId', ...ofId(revokeSession)),
  linksFrom(receivers.createReceiverChallenge, '/nonce', [receivers.verifyReceiver, 'nonce']),
  linksFrom(receivers.createReceiverChallenge, '/message', [receivers.verifyReceiver, 'message']),
  linksFrom(receivers.verifyReceiver, '/address', [receivers.deleteReceiver, 'address']),
  linksFrom(listWebhooks, '/webhooks/0/id', ...ofId(getWebhook, replayWebhook)),
  linksFrom(catalogApi.operations.listServices, '/services/0/id', ...ofId(catalogApi.operations.getService)),
  linksFrom(dashboard.listTransactions, '/0/id', ...ofId(dashboard.getTransaction)),
  linksFrom(
    payouts.submitPayout,
    '/payoutId',
    ...ofId(payouts.getPayout, payouts.approvePayout, payouts.rejectPayout),
  ),
  linksFrom(
    mail.createEmailAccount,
    '/token',
    [mail.listEmailMessages, 'token'],
    [mail.getEmailMessage, 'token'],
  ),
  linksFrom(mail.listEmailMessages, '/messages/0/id', ...ofId(mail.getEmailMessage)),
  linksFrom(createAgentInbox, '/inbox_id', [sendFromAgentInbox, 'inbox_id']),
  linksFrom(smsApi.operations.rentNumber, '/id', ...ofId(smsApi.operations.codeStatus)),
  linksFrom(cardsApi.operations.getCard, '/cardId', [cardsApi.operations.cardData, 'card_id']),
  linksFrom(verifyPayment, '/confirmationId', ...ofId(nano.getNanoReceipt)),
  linksFrom(verifyPayment, '/extra/approvalId', ...ofId(approvePayment, rejectPayment)),
  linksFrom(nano.withdrawNano, '/withdrawalId', ...ofId(nano.getNanoWithdrawal)),
].flat();

const cursorFields = ['next_cursor', 'nextCursor'];

/** Links a list to its own next page. */
function toNextPage(operation: AnyOperation): readonly OperationLink[] {
  const { input, output } = operation;
  if (itemOf(output) || !fieldsOf(input).some(({ name }) => name === 'cursor')) return [];
  const next = fieldsOf(output).find(({ name }) => cursorFields.includes(name));
  return next ? linksFrom(operation, `/${next.name}`, [operation, 'cursor']) : [];
}

/** Returns the links from the reply of an operation. OpenAPI publishes them as `links`, and tests follow them. */
export function linksOf(operation: AnyOperation): readonly OperationLink[] {
  const own = betweenOperations.filter(({ from }) => from.subject === operation.subject);
  return [...own, ...toNextPage(operation)];
}
