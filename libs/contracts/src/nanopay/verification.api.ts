import {
  Amount,
  AnyObject,
  feature,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  OneOf,
  operation,
  Text,
} from '@tollbridge/rpc';
import { HexBytes, SecondsText, TonAccount } from './fields';

const payload = { maxBytes: 8_192, maxDepth: 6 };
const account = (byte: string): string => `0:${byte.repeat(32)}`;
const supportedExtra = {
  ...{ name: 'TonNanoPay', version: '1', verifyingContract: account('11') },
  teeEndpoint: 'https://pay.example.com',
};
const requirements = {
  ...{
    scheme: 'ton-nanopay',
    network: 'tvm:-239',
    amount: '1000',
    asset: account('b1'),
    payTo: account('22'),
  },
  ...{ maxTimeoutSeconds: 60, extra: supportedExtra },
};
const presented = {
  ...{ x402Version: 2, accepted: requirements, resource: { url: 'https://api.example.com/premium-data' } },
  payload: {
    authorization: {
      ...{ from: account('ab'), to: account('22'), amount: '1000', asset: account('b1') },
      ...{ nonce: 'a1'.repeat(32), validAfter: '1795348940', validBefore: '1795349000', flags: 1 },
    },
    ...{ signature: 'a1'.repeat(64), signatureKind: 'raw' },
  },
};
const x402 = 'As x402 version 2 has it';

const sessionExample = {
  ...{ publicKey: 'a1'.repeat(32), to: `0:${'22'.repeat(32)}`, maxPerPayment: '1000', maxTotal: '5000' },
  ...{ validAfter: '1795349000', validBefore: '1797941000', nonce: 'b2'.repeat(32) },
  signature: 'c3'.repeat(64),
};

const chainExample = {
  ...{ unit: '1000', length: '5000', anchor: 'd4'.repeat(32), nonce: 'b2'.repeat(32) },
  ...{ validAfter: '1795349000', validBefore: '1797941000', index: '17', link: 'e5'.repeat(32) },
};

/**
 * Either the fields of one authorization, or the body that facilitators of x402 take; which of both it is tells
 * `paymentPayload`.
 */
export class NanoVerifyRequest {
  /** Of the first form: both together are refused. */
  static readonly example = {
    ...{ from: account('ab'), to: account('22'), amount: '1000', signature: 'a1'.repeat(64) },
    ...{ nonce: 'a1'.repeat(32), validAfter: '1795348940', validBefore: '1795349000', asset: 'USDT' },
    ...{ network: 'ton-mainnet', resource: 'https://api.example.com/premium-data', mode: 'capture' },
  };
  @TonAccount({ description: 'Who pays', optional: true })
  from?: string;
  @TonAccount({ description: 'Receives the payment', optional: true, receivesMoney: true })
  to?: string;
  @Amount({ description: 'How much, smallest unit', optional: true, example: '1000' })
  amount?: string;
  @Text({
    description:
      'The signature (128 hexadecimal digits or base64), or the compact token, which holds the fields below',
    ...{ optional: true, maxLength: 240, example: 'a1'.repeat(64) },
  })
  signature?: string;
  @HexBytes(32, { description: 'Random; each authorization has its own', optional: true })
  nonce?: string;
  @SecondsText({ description: 'From when it is valid, Unix seconds', optional: true })
  validAfter?: string;
  @SecondsText({ description: 'Until when, at most ten minutes later', optional: true })
  validBefore?: string;
  @Text({ description: 'Symbol or master of the asset', optional: true, maxLength: 68, example: 'USDT' })
  asset?: string;
  @Text({ description: 'Name of the network', optional: true, maxLength: 40, example: 'ton-mainnet' })
  network?: string;
  @TonAccount({ description: 'The deployment that it is for', optional: true })
  verifyingContract?: string;
  @HexBytes(32, { description: 'Hash of the resource that it is bound to', optional: true })
  resourceHash?: string;
  @Text({
    description: 'Instead of the hash: the URL, as it was advertised',
    optional: true,
    maxLength: 2_048,
    example: 'https://api.example.com/premium-data',
  })
  resource?: string;
  @OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], {
    description: 'The method of the resource',
    default: 'GET',
    example: 'GET',
  })
  method: string;
  @Integer({
    description:
      'Bits: 1 bound to a resource, 2 the amount is a maximum, 4 signed by a session, 8 a link of a chain',
    optional: true,
    min: 0,
    max: 15,
    example: 1,
  })
  flags?: number;
  @HexBytes(32, { description: 'The public key of the payer, until the enclave knows it', optional: true })
  publicKey?: string;
  @Text({
    description: 'State-init of the wallet, base64, where it is no W5 wallet',
    optional: true,
    maxLength: 5_464,
    example: 'te6cckEC…',
  })
  stateInit?: string;
  @OneOf(['raw', 'tonconnect'], { description: 'How it was signed', default: 'raw', example: 'raw' })
  signatureKind: 'raw' | 'tonconnect';
  @Text({
    description: 'Of a wallet dialog: its domain',
    optional: true,
    maxLength: 127,
    example: 'pay.example.com',
  })
  domain?: string;
  @SecondsText({ description: 'Of a wallet dialog: its time', optional: true })
  timestamp?: string;
  @AnyObject({
    ...{ maxBytes: 1_024, maxDepth: 1, optional: true, example: sessionExample },
    description:
      'Where an agent has signed: the grant of the wallet, with publicKey, to, maxPerPayment, maxTotal, validAfter, validBefore, nonce and signature',
  })
  session?: Record<string, unknown>;
  @AnyObject({
    ...{ maxBytes: 1_024, maxDepth: 1, optional: true, example: chainExample },
    description:
      "Where a link of a chain pays: the grant with unit, length, anchor, validAfter, validBefore and nonce, and the index and link; `signature` is then the wallet's of the grant",
  })
  chain?: Record<string, unknown>;
  @OneOf(['capture', 'check'], {
    description: '`capture` charges, `check` changes nothing',
    default: 'capture',
    example: 'capture',
  })
  mode: 'capture' | 'check';
  @Integer({ description: `${x402}: 2`, optional: true, example: 2 })
  x402Version?: number;
  @AnyObject({ ...payload, description: `${x402}: what the buyer sent`, optional: true, example: presented })
  paymentPayload?: Record<string, unknown>;
  @AnyObject({
    ...payload,
    description: `${x402}: what was asked of him`,
    optional: true,
    example: requirements,
  })
  paymentRequirements?: Record<string, unknown>;
}

const extra = {
  description:
    'confirmationId, status, seq and receipt, as far as there are any; approvalId where somebody has to approve',
  example: { confirmationId: '10544e37a677a39143455b88b3d95d11', status: 'captured', seq: '1041' },
};
const invalidReason = { description: 'Why not: a code', optional: true, example: 'insufficient_funds' };

export class NanoVerifyReply {
  @Flag({ description: 'Whether it is a payment', example: true })
  isValid: boolean;
  @Flag({ description: 'The same', example: true })
  success: boolean;
  @Text({ description: 'Who pays, raw', optional: true, example: `0:${'ab'.repeat(32)}` })
  payer?: string;
  @Text(invalidReason)
  invalidReason?: string;
  @Text({
    description: 'The same for people',
    optional: true,
    example: 'The balance of the payer is too low. Deposit first.',
  })
  invalidMessage?: string;
  @Text({ ...invalidReason, description: 'The same as invalidReason' })
  error?: string;
  @HexBytes(16, {
    description: 'Name of the payment',
    optional: true,
    example: '10544e37a677a39143455b88b3d95d11',
  })
  confirmationId?: string;
  @Text({ description: 'What was charged or is held', optional: true, example: '1000' })
  amount?: string;
  @FreeForm({ type: 'object' }, extra)
  extra: Record<string, unknown>;
}

export class SettleRequest {
  @Integer({ description: 'The version of x402: 2', example: 2 })
  x402Version: number;
  @AnyObject({ ...payload, description: 'What the buyer sent', example: presented })
  paymentPayload: Record<string, unknown>;
  @AnyObject({
    ...payload,
    description:
      'What was asked of him. The amount may be lower than signed where that is a maximum; 0 lets a hold go',
    example: requirements,
  })
  paymentRequirements: Record<string, unknown>;
}

export class SettleReply {
  @Flag({ description: 'Whether it was charged', example: true })
  success: boolean;
  @Text({
    description: 'Name of the payment; empty where nothing was charged',
    minLength: 0,
    example: '10544e37a677a39143455b88b3d95d11',
  })
  transaction: string;
  @Text({ description: 'Network, as in the requirements', example: 'ton-mainnet' })
  network: string;
  @Text({ description: 'Who paid, raw', optional: true, example: `0:${'ab'.repeat(32)}` })
  payer?: string;
  @Text({ description: 'Why not: a code', optional: true, example: 'insufficient_funds' })
  errorReason?: string;
  @Text({
    description: 'The same for people',
    optional: true,
    example: 'The balance of the payer is too low. Deposit first.',
  })
  errorMessage?: string;
  @Text({ description: 'What was charged', optional: true, example: '1000' })
  amount?: string;
  @FreeForm({ type: 'object' }, extra)
  extra: Record<string, unknown>;
}

export class SupportedRequest {}

export class SupportedKind {
  @Integer({ description: 'The version of x402', example: 2 })
  x402Version: number;
  @Text({ description: 'The scheme', example: 'ton-nanopay' })
  scheme: string;
  @Text({ description: 'The network', example: 'ton-mainnet' })
  network: string;
  @FreeForm(
    { type: 'object' },
    { description: 'What sellers put into `extra` of their requirements', example: supportedExtra },
  )
  extra: Record<string, unknown>;
}

export class SupportedReply {
  @ListOf(() => SupportedKind, { description: 'What can be paid here', maxItems: 10 })
  kinds: SupportedKind[];
  @FreeForm(
    { type: 'array', items: { type: 'string' } },
    { description: 'Extensions of x402', example: ['payment-identifier'] },
  )
  extensions: string[];
  @FreeForm(
    { type: 'object' },
    { description: 'Who holds what is paid, by network', example: { 'tvm:*': [account('11')] } },
  )
  signers: Record<string, string[]>;
}

export const nanoVerificationApi = feature('nanopay', 'verification', 'Nano-payments', {
  verifyPayment: operation({
    operationId: 'verifyNanoPayment',
    ...{ method: 'POST', path: '/verify', auth: 'public' },
    summary: 'Charge an authorization, or check it',
    description:
      'By its fields it is charged at once, unless `mode` is `check`. In the form of x402 its amount is held for a minute at most, until `/settle`. Whatever was evaluated is answered 200; 503 means that nobody knows yet: repeat the same body with the same Idempotency-Key.',
    ...{ input: NanoVerifyRequest, output: NanoVerifyReply, errors: ['SERVICE_UNAVAILABLE'] },
  }),
  settlePayment: operation({
    operationId: 'settleNanoPayment',
    ...{ method: 'POST', path: '/settle', auth: 'public' },
    summary: 'Charge what was authorized, as facilitators of x402 do',
    description:
      'Charges what `/verify` has put on hold, or directly. With the same Idempotency-Key it is answered again; otherwise an authorization is good for one settlement.',
    ...{ input: SettleRequest, output: SettleReply, errors: ['SERVICE_UNAVAILABLE'] },
  }),
  getSupported: operation({
    operationId: 'listSupportedPayments',
    ...{ method: 'GET', path: '/supported', auth: 'public' },
    summary: 'Which payments are taken, as facilitators of x402 tell it',
    ...{ input: SupportedRequest, output: SupportedReply, errors: [] },
  }),
});
