// Reads the payment in a request strictly, before any other use. Pure functions.
import { isObject, readNetwork, readPaymentPayload, schemeName } from '@tollbridge/nanopay-protocol';
import { isSolana, type PaymentIdentity } from './sale';

type Json = Record<string, unknown>;

/** A well-formed payment. The facilitator and the ledger verify it. */
export interface ReceivedPayment {
  identity: PaymentIdentity;
  accepted: { scheme: string; network: string; asset: string; payTo: string; amount: string };
  /** The signed offer of the 402. */
  offer: string;
  /** Unix seconds of the expiry; 0 on Solana, where a block height is the expiry. */
  validBeforeS: number;
  payload: Json;
}

export interface PaymentProblem {
  reason: string;
  message: string;
}

const permitProblem =
  'Payments by Permit2 buy nothing here. Pay by an entry in accepts. One that was settled already is refunded to its payer.';
const ledgerAsset = 'ledger';
const addressForm = /^0x[0-9a-fA-F]{40}$/;
const nonceForm = /^0x[0-9a-fA-F]{64}$/;

/** Reads transactions of Solana. */
export interface TransferReader {
  readTransfer(payload: Json, mint: string): { payer: string; nonce: string } | undefined;
}

/** @param solana undefined where Solana is not accepted */
export function readPayment(json: Json, solana?: TransferReader): ReceivedPayment | PaymentProblem {
  const { x402Version, accepted, payload, resource, extensions } = json;
  if (x402Version !== 2) return { reason: 'invalid_x402_version', message: 'Send x402 version 2.' };
  if (!isObject(accepted) || !isObject(payload)) return malformed('accepted or payload');
  const { scheme, network, asset, payTo, amount, extra } = accepted;
  const offer = isObject(extra) ? extra.offer : undefined;
  if (!isText(scheme) || !isText(network) || !isText(asset) || !isText(payTo) || !isText(amount))
    return malformed('accepted');
  if (typeof offer !== 'string' || offer.length > 200)
    return { reason: 'invalid_payment_requirements', message: 'Return extra.offer of the 402 in accepted.' };
  const whole: Json = {
    x402Version,
    accepted,
    payload,
    ...(resource !== undefined && { resource }),
    ...(extensions !== undefined && { extensions }),
  };
  if (scheme === 'upto' || payload.permit2Authorization !== undefined)
    return { reason: scheme === 'exact' ? 'invalid_payload' : 'unsupported_scheme', message: permitProblem };
  if (scheme !== 'exact' && scheme !== schemeName)
    return { reason: 'unsupported_scheme', message: 'Pay with a scheme in accepts.' };
  const isOnSolana = scheme === 'exact' && isSolana(network);
  if (isOnSolana && !solana) return { reason: 'invalid_network', message: 'Pay by an entry in accepts.' };
  const signed = isOnSolana
    ? readSolana(payload, asset, solana!)
    : scheme === 'exact'
      ? readExact(payload)
      : readNano(whole);
  if (!signed) return malformed('payload');
  return {
    identity: {
      scheme,
      // The ledger has one network and one asset, each with several names.
      network: scheme === 'exact' ? network : (readNetwork(network)?.caip2 ?? network),
      asset: isOnSolana ? asset : scheme === 'exact' ? asset.toLowerCase() : ledgerAsset,
      payer: signed.payer,
      nonce: signed.nonce,
    },
    validBeforeS: signed.validBeforeS,
    accepted: { scheme, network, asset, payTo, amount },
    offer,
    payload: whole,
  };
}

type Signed = Pick<PaymentIdentity, 'payer' | 'nonce'> & { validBeforeS: number };

/** Reads an authorization of EIP-3009. */
function readExact({ authorization }: Json): Signed | undefined {
  if (!isObject(authorization)) return undefined;
  const { from, nonce, validBefore } = authorization;
  if (typeof from !== 'string' || !addressForm.test(from)) return undefined;
  if (typeof nonce !== 'string' || !nonceForm.test(nonce)) return undefined;
  if (typeof validBefore !== 'string' || !/^\d{1,12}$/.test(validBefore)) return undefined;
  return { payer: from.toLowerCase(), nonce: nonce.toLowerCase(), validBeforeS: Number(validBefore) };
}

/** Reads a transaction of Solana. It expires at a block height instead of a time. */
function readSolana(payload: Json, mint: string, solana: TransferReader): Signed | undefined {
  const transfer = solana.readTransfer(payload, mint);
  return transfer && { payer: transfer.payer, nonce: transfer.nonce, validBeforeS: 0 };
}

function readNano(whole: Json): Signed | undefined {
  const presented = readPaymentPayload(whole);
  if (typeof presented === 'string' || presented.from === undefined) return undefined;
  const { from: payer, nonce, validBeforeS } = presented;
  return { payer, nonce: nonce.toString('hex'), validBeforeS: Number(validBeforeS) };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 128;

const malformed = (what: string): PaymentProblem => ({
  reason: 'invalid_payload',
  message: `The payment has no valid ${what}.`,
});
