import { feature, operation } from '@tollbridge/rpc';
import { Amount, AnyObject, Flag, FreeForm, Integer, ListOf, OneOf, Text } from '../decorators';
import { HexBytes, maxNanoAmount, SecondsText, TonAccount } from './fields';

// A payload repeats the extensions of the 402, such as the JSON schema of a bazaar declaration, in one HTTP header.
const payload = { maxBytes: 16_384, maxDepth: 20 };
const account = (byte: string): string => `0:${byte.repeat(32)}`;
const supportedExtra = {
  name: 'TonNanoPay',
  version: '1',
  verifyingContract: account('11'),
  teeEndpoint: 'https://pay.example.com',
};
const requirements = {
  scheme: 'ton-nanopay',
  network: 'tvm:-239',
  amount: '1000',
  asset: account('b1'),
  payTo: account('22'),
  maxTimeoutSeconds: 60,
  extra: supportedExtra,
};
const presented = {
  x402Version: 2,
  accepted: requirements,
  resource: { url: 'https://api.example.com/premium-data' },
  payload: {
    authorization: {
      from: account('ab'),
      to: account('22'),
      amount: '1000',
      asset: account('b1'),
      nonce: 'a1'.repeat(32),
      validAfter: '1795348940',
      validBefore: '1795349000',
      flags: 1,
    },
    signature: 'a1'.repeat(64),
    signatureKind: 'raw',
  },
};
const x402 = 'As x402 version 2 defines it';

const sessionExample = {
  publicKey: 'a1'.repeat(32),
  to: `0:${'22'.repeat(32)}`,
  maxPerPayment: '1000',
  maxTotal: '5000',
  validAfter: '1795349000',
  validBefore: '1797941000',
  nonce: 'b2'.repeat(32),
  signature: 'c3'.repeat(64),
};

const chainExample = {
  unit: '1000',
  length: '5000',
  anchor: 'd4'.repeat(32),
  nonce: 'b2'.repeat(32),
  validAfter: '1795349000',
  validBefore: '1797941000',
  index: '17',
  link: 'e5'.repeat(32),
};

const paidMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/**
 * Contains either the fields of one authorization, or the body of an x402 facilitator request. `paymentPayload`
 * distinguishes them.
 */
export class NanoVerifyRequest {
  /** Fields of the first form. A body with both forms is rejected. */
  static readonly example = {
    from: account('ab'),
    to: account('22'),
    amount: '1000',
    signature: 'a1'.repeat(64),
    nonce: 'a1'.repeat(32),
    validAfter: '1795348940',
    validBefore: '1795349000',
    asset: 'USDT',
    network: 'ton-mainnet',
    resource: 'https://api.example.com/premium-data',
    mode: 'capture',
  };
  @TonAccount('Account of the payer', { optional: true }) from?: string;
  @TonAccount('Account that receives the payment', { optional: true, receivesMoney: true }) to?: string;
  @Amount('Amount, smallest unit', { max: maxNanoAmount, optional: true, example: '1000' }) amount?: string;
  @Text(
    'Signature (128 hexadecimal digits or base64), or the compact token, which contains the fields below',
    { optional: true, maxLength: 240, example: 'a1'.repeat(64) },
  )
  signature?: string;
  @HexBytes(32, 'Random nonce, unique for each authorization', { optional: true }) nonce?: string;
  @SecondsText('Start of validity, Unix seconds', { optional: true }) validAfter?: string;
  @SecondsText('End of validity, Unix seconds; at most ten minutes later', { optional: true })
  validBefore?: string;
  @Text('Symbol or jetton master of the asset', { optional: true, maxLength: 68, example: 'USDT' })
  asset?: string;
  @Text('Network name', { optional: true, maxLength: 40, example: 'ton-mainnet' }) network?: string;
  @TonAccount('Deployment that the authorization is for', { optional: true }) verifyingContract?: string;
  @HexBytes(32, 'Hash of the resource that the payment is bound to', { optional: true })
  resourceHash?: string;
  @Text('Alternative to the hash: the advertised URL', {
    optional: true,
    maxLength: 2_048,
    example: 'https://api.example.com/premium-data',
  })
  resource?: string;
  @OneOf(paidMethods, 'HTTP method of the resource', { default: 'GET' }) method: (typeof paidMethods)[number];
  @Integer(
    'Bit flags: 1 bound to a resource, 2 the amount is a maximum, 4 signed by a session, 8 a link of a hash chain',
    { optional: true, min: 0, max: 15, example: 1 },
  )
  flags?: number;
  @HexBytes(32, 'Public key of the payer; required until the payment ledger stored it', { optional: true })
  publicKey?: string;
  @Text('State-init of the wallet, base64; required for wallets other than W5', {
    optional: true,
    maxLength: 5_464,
    example: 'te6cckEC…',
  })
  stateInit?: string;
  @OneOf(['raw', 'tonconnect'], 'Signing method', { default: 'raw' }) signatureKind: 'raw' | 'tonconnect';
  @Text('With a wallet dialog: its domain', { optional: true, maxLength: 127, example: 'pay.example.com' })
  domain?: string;
  @SecondsText('With a wallet dialog: its time', { optional: true }) timestamp?: string;
  @AnyObject(
    "With an agent's signature: the wallet's session grant, with publicKey, to, maxPerPayment, maxTotal, validAfter, validBefore, nonce and signature",
    { maxBytes: 1_024, maxDepth: 1, optional: true, example: sessionExample },
  )
  session?: Record<string, unknown>;
  @AnyObject(
    "With a hash-chain payment: the grant with unit, length, anchor, validAfter, validBefore and nonce, and the index and link. `signature` is then the wallet's signature of the grant",
    { maxBytes: 1_024, maxDepth: 1, optional: true, example: chainExample },
  )
  chain?: Record<string, unknown>;
  @OneOf(['capture', 'check'], '`capture` charges; `check` changes nothing', { default: 'capture' })
  mode: 'capture' | 'check';
  @Integer(`${x402}: 2`, { optional: true, example: 2 }) x402Version?: number;
  @AnyObject(`${x402}: payload from the buyer`, { ...payload, optional: true, example: presented })
  paymentPayload?: Record<string, unknown>;
  @AnyObject(`${x402}: requirements of the seller`, { ...payload, optional: true, example: requirements })
  paymentRequirements?: Record<string, unknown>;
}

const Extra = () =>
  FreeForm(
    { type: 'object' },
    'confirmationId, status, seq and receipt where present; approvalId when the payment needs approval',
    { example: { confirmationId: '10544e37a677a39143455b88b3d95d11', status: 'captured', seq: '1041' } },
  );
const invalidReason = { description: 'Error code', optional: true, example: 'insufficient_funds' };

export class NanoVerifyReply {
  @Flag('Whether the payment is valid') isValid: boolean;
  @Flag('Same as isValid') success: boolean;
  @Text('Account of the payer, raw form', { optional: true, example: `0:${'ab'.repeat(32)}` }) payer?: string;
  @Text(invalidReason) invalidReason?: string;
  @Text('Human-readable reason', {
    optional: true,
    example: 'The balance of the payer is too low. Deposit first.',
  })
  invalidMessage?: string;
  @Text('Same as invalidReason', invalidReason) error?: string;
  @HexBytes(16, 'Id of the payment', { optional: true, example: '10544e37a677a39143455b88b3d95d11' })
  confirmationId?: string;
  @Text('Charged or held amount', { optional: true, example: '1000' }) amount?: string;
  @Extra() extra: Record<string, unknown>;
}

export class SettleRequest {
  @Integer('x402 version: 2', { example: 2 }) x402Version: number;
  @AnyObject('Payload from the buyer', { ...payload, example: presented })
  paymentPayload: Record<string, unknown>;
  @AnyObject(
    'Requirements of the seller. The amount may be below the signed one when that is a maximum; 0 releases a hold',
    { ...payload, example: requirements },
  )
  paymentRequirements: Record<string, unknown>;
}

export class SettleReply {
  @Flag('Whether the payment was charged') success: boolean;
  @Text(
    'Id of the payment, or hash of the transaction that settles it on its chain; empty when nothing was charged',
    { minLength: 0, example: '10544e37a677a39143455b88b3d95d11' },
  )
  transaction: string;
  @Text('Network, as in the requirements', { example: 'ton-mainnet' }) network: string;
  @Text('Account of the payer, raw form', { optional: true, example: `0:${'ab'.repeat(32)}` }) payer?: string;
  @Text('Error code', { optional: true, example: 'insufficient_funds' }) errorReason?: string;
  @Text('Human-readable reason', {
    optional: true,
    example: 'The balance of the payer is too low. Deposit first.',
  })
  errorMessage?: string;
  @Text('Charged amount', { optional: true, example: '1000' }) amount?: string;
  @Extra() extra: Record<string, unknown>;
}

export class SupportedRequest {}

export class SupportedKind {
  @Integer('x402 version', { example: 2 }) x402Version: number;
  @Text('Scheme', { example: 'ton-nanopay' }) scheme: string;
  @Text('Network', { example: 'ton-mainnet' }) network: string;
  @FreeForm({ type: 'object' }, "Values for `extra` of the seller's requirements", {
    example: supportedExtra,
  })
  extra: Record<string, unknown>;
}

export class SupportedReply {
  @ListOf(() => SupportedKind, 'Supported payment kinds', { maxItems: 210 }) kinds: SupportedKind[];
  @FreeForm({ type: 'array', items: { type: 'string' } }, 'x402 extensions', {
    example: ['payment-identifier'],
  })
  extensions: string[];
  @FreeForm(
    { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    'Accounts that hold payments or send settlements, by network',
    { example: { 'tvm:*': [account('11')] } },
  )
  signers: Record<string, string[]>;
  @FreeForm(
    { type: 'array', items: { type: 'string' } },
    'Public keys of receipts that sellers should trust, while the key is being replaced: attestation proves the present one',
    { optional: true, example: ['ab'.repeat(32)] },
  )
  receiptKeys?: string[];
}

export const nanoVerificationApi = feature('nanopay', 'verification', 'Nano-payments', {
  verifyPayment: operation('POST /verify', {
    operationId: 'verifyNanoPayment',
    auth: 'public',
    summary: 'Charge or check a payment authorization',
    description:
      'Sent as fields, the payment is charged immediately unless `mode` is `check`. Sent in x402 form, its amount is held until `/settle`, at most one minute. Every evaluated request returns 200. 503 means that the outcome is not known yet: repeat the same body with the same Idempotency-Key.',
    input: NanoVerifyRequest,
    output: NanoVerifyReply,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  settlePayment: operation('POST /settle', {
    operationId: 'settleNanoPayment',
    auth: 'public',
    summary: 'Charge an authorized payment, as an x402 facilitator',
    description:
      'Charges the amount that `/verify` put on hold, or charges directly. Idempotent under the same Idempotency-Key; otherwise an authorization settles once. Payments of the schemes `exact`, `upto` and `batch-settlement` are settled on their chain: `settlement_pending` means that the transaction was sent and its outcome is not known yet; repeat the same body.',
    // The underlying bus operation waits for a block.
    timeoutMs: 40_000,
    input: SettleRequest,
    output: SettleReply,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getSupported: operation('GET /supported', {
    operationId: 'listSupportedPayments',
    auth: 'public',
    summary: 'List the supported payment kinds, as an x402 facilitator',
    input: SupportedRequest,
    output: SupportedReply,
  }),
});
