import type { NanoVerifyRequest } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import {
  flags,
  maxLifeS,
  readAccount,
  readAmount,
  readCompactToken,
  readNetwork,
  readPaymentPayload,
  resourceHash,
  termsFor,
  type CompactToken,
  type Deployment,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { ClaimedPayment } from './claimed-payment';

// The request form of the specification: the fields of one authorisation.

type Fields = Partial<NanoVerifyRequest>;

/** A compact token contains all other fields. */
const neededFields = ['from', 'to', 'amount', 'signature'] as const;
const accountFields = ['from', 'to', 'verifyingContract'] as const;

/** Errors for fields that the declared schema cannot express. */
export function validateAuthorization(fields: Fields, { network }: Deployment): FieldError[] {
  const isTestnet = network.globalId === -3;
  const errors: FieldError[] = neededFields
    .filter((field) => fields[field] === undefined)
    .map((field) => ({ field, message: 'is missing' }));
  for (const field of accountFields)
    if (fields[field] !== undefined && readAccount(fields[field], isTestnet) === undefined)
      errors.push({
        field,
        message: 'is not an account of the base workchain of this network, or its checksum is wrong',
      });
  const { amount, signature, stateInit, signatureKind, domain, timestamp } = fields;
  if (amount !== undefined && readAmount(amount) === undefined)
    errors.push({ field: 'amount', message: 'must be from 1 to 9223372036854775807' });
  if (signature !== undefined && !isSignature(signature) && !readCompactToken(signature))
    errors.push({ field: 'signature', message: 'must be 64 bytes, or a compact token' });
  if (stateInit !== undefined && !isBase64(stateInit))
    errors.push({ field: 'stateInit', message: 'must be base64' });
  if (signatureKind === 'tonconnect' && domain === undefined)
    errors.push({ field: 'domain', message: 'is missing; a wallet dialog signs it' });
  if (signatureKind === 'tonconnect' && timestamp === undefined)
    errors.push({ field: 'timestamp', message: 'is missing; a wallet dialog signs it' });
  if (lacksBoundResource(fields))
    errors.push({ field: 'flags', message: 'bind a resource; send resourceHash or resource' });
  return errors;
}

function lacksBoundResource({
  signature = '',
  flags: bits = 0,
  resourceHash: hash,
  resource,
}: Fields): boolean {
  const isBound = (bits & flags.resourceBound) !== 0;
  return isBound && hash === undefined && resource === undefined && !readCompactToken(signature);
}

/** The claimed payment of a valid request, or the reason of its rejection. */
export function readAuthorization(
  request: NanoVerifyRequest,
  deployment: Deployment,
  nowS: number,
): ClaimedPayment | Rejection {
  const { network, verifyingContract } = request;
  if (network !== undefined && readNetwork(network) !== deployment.network) return 'invalid_network';
  if (
    verifyingContract !== undefined &&
    readAccount(verifyingContract, true) !== deployment.verifyingContract
  )
    return 'invalid_ton_nanopay_contract_mismatch';
  if (namesTwoResources(request)) return 'invalid_ton_nanopay_resource_mismatch';
  const token = readCompactToken(request.signature!);
  const presented = readPaymentPayload(payloadOf(request, token));
  // The fields are validated, so the payload cannot be malformed.
  if (typeof presented === 'string') return presented === 'malformed' ? 'invalid_payload' : presented;
  const amountAtomic = presented.amountAtomic!;
  const hash = resourceOf(request) ?? token?.resourceHash ?? Buffer.alloc(32);
  const price = { to: presented.to!, amountAtomic, resourceHash: hash, url: '', maxTimeoutS: maxLifeS };
  const terms = termsFor({ ...presented, resourceHash: token?.resourceHash }, price, deployment, nowS);
  return typeof terms === 'string' ? terms : { presented, terms, amountAtomic };
}

function resourceOf({ resourceHash: hash, resource, method }: NanoVerifyRequest): Buffer | undefined {
  if (hash !== undefined) return Buffer.from(hash, 'hex');
  return resource === undefined ? undefined : resourceHash(method, resource);
}

/** Whether the seller sent a resource URL that does not match the signed hash. */
const namesTwoResources = ({ resourceHash: hash, resource, method }: NanoVerifyRequest): boolean =>
  hash !== undefined &&
  resource !== undefined &&
  !resourceHash(method, resource).equals(Buffer.from(hash, 'hex'));

/** Converts to the x402 payload, so that one parser reads both forms. */
function payloadOf(request: NanoVerifyRequest, token: CompactToken | undefined): Record<string, unknown> {
  const { amount, asset, nonce, validAfter, validBefore, publicKey, stateInit, session, chain } = request;
  const { signature, signatureKind, domain, timestamp } = request;
  const { flags: bits = resourceOf(request) ? flags.resourceBound : 0 } = request;
  const terms = token
    ? {
        nonce: token.nonce.toString('hex'),
        flags: token.flags,
        validAfter: String(token.validAfterS),
        validBefore: String(token.validBeforeS),
        publicKey: token.publicKey.toString('hex'),
      }
    : { nonce, validAfter, validBefore, flags: bits, publicKey };
  return {
    authorization: {
      from: readAccount(request.from!, true),
      to: readAccount(request.to!, true),
      amount,
      asset,
      stateInit,
      session,
      chain,
      ...terms,
    },
    signature: token ? token.signature.toString('hex') : signature,
    signatureKind,
    domain,
    timestamp,
  };
}

const hexForm = /^[0-9a-fA-F]{128}$/;
const base64Form = /^[A-Za-z0-9+/_-]+={0,2}$/;

const isBase64 = (text: string): boolean => base64Form.test(text);

const isSignature = (text: string): boolean =>
  hexForm.test(text) || (text.length <= 88 && isBase64(text) && Buffer.from(text, 'base64').length === 64);
