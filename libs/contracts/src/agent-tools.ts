import type { Operation } from '@tollbridge/rpc';

const personDecides = 'A person decides: an agent must not approve what it asked for itself.';
const credential = 'Its reply is a credential, which would become part of the context of a model.';
const longWait = 'It waits for minutes, longer than clients of tools do.';
const forServers = 'Servers of sellers call it, with payments of their buyers.';

/** Operations without a tool on `/mcp`, by operation id, with the reason. */
export const withheldTools: Readonly<Record<string, string>> = {
  approvePayout: personDecides,
  approveNanoPayment: personDecides,
  setNanoPaymentPolicy: personDecides,
  createApiKey: credential,
  regenerateApiKey: credential,
  rotateWebhookSecret: credential,
  createSignInChallenge: 'A wallet signs in with it.',
  signIn: credential,
  createEmailAccountAndWait: `${longWait} Use createEmailAccount and listEmailMessages.`,
  rentPhoneNumberAndAwaitCode: `${longWait} Use rentPhoneNumber and getSmsCode.`,
  verifyNanoPayment: forServers,
  settleNanoPayment: forServers,
};

/** Operations that spend the operator's or the merchant's money. Their tools state the cost before the purchase. */
export const purchaseTools: ReadonlySet<string> = new Set([
  'orderGiftCard',
  'topUpPhone',
  'payBill',
  'rentPhoneNumber',
  'sendSms',
  'buyCard',
  'submitPayout',
]);

/** POST operations without an effect that clients can see. */
const readingPosts: ReadonlySet<string> = new Set([
  'quotePayment',
  'quotePaymentOptions',
  'getWalletBalances',
  'listCheckoutOptions',
  'quoteSwap',
  'previewPayout',
]);

/** POST operations that end or move an existing object. All others add an object. */
const destructivePosts: ReadonlySet<string> = new Set([
  'cancelPaymentRequest',
  'confirmPayLinkPayment',
  'rejectPayLinkPayment',
  'resolveException',
  'rejectPayout',
  'rejectNanoPayment',
  'cancelNanoPayment',
  'withdrawNanoPaymentBalance',
  'executeSwap',
  'sendEmail',
  'sendFromAgentInbox',
]);

/** `ToolAnnotations` of MCP: hints for a client that asks a person before it runs a tool. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

type Declared = Pick<Operation, 'operationId' | 'method' | 'app'>;

export const isTool = ({ operationId }: Pick<Declared, 'operationId'>): boolean =>
  !Object.hasOwn(withheldTools, operationId);

export const isPurchase = ({ operationId }: Pick<Declared, 'operationId'>): boolean =>
  purchaseTools.has(operationId);

export function hintsOf({ operationId, method, app }: Declared): ToolHints {
  const readOnlyHint = method === 'GET' || readingPosts.has(operationId);
  const replaces = method === 'PUT' || method === 'DELETE';
  return {
    readOnlyHint,
    destructiveHint: replaces || purchaseTools.has(operationId) || destructivePosts.has(operationId),
    idempotentHint: readOnlyHint || replaces,
    // Data of the merchant app stays in this deployment. Other apps access chains and providers.
    openWorldHint: app !== 'merchant',
  };
}
