import { createHash, randomBytes } from 'node:crypto';
import { plainAnswer, type Headers } from '../answers';
import { Grant, type Payment } from '../grant';
import type { Verdict } from '../paid-options';
import { signInName, type SignInOptions } from './sign-in-options';
import { canSignIn, isLine, readSignIn, walletOf, walletOn, type SignInMessage } from './sign-in-message';
import type { SignInStore } from './sign-in-store';

/** The paid resource that a sign-in makes accessible. */
export interface SignInResource {
  method: string;
  url: string;
}

/** Reasons for the rejection of a sign-in. They are codes of the 402. */
export type SignInRejection = 'sign_in_invalid' | 'sign_in_expired' | 'sign_in_nonce_used' | 'sign_in_unpaid';

const validityMs = 300_000;
/** Tolerance for messages from the future, because the clocks of sellers differ. */
const maxAheadMs = 5_000;
const nonceForm = /^[A-Za-z0-9]{16,128}$/;

/** The extension `sign-in-with-x` of one route. Only wallets that paid by an official scheme can sign in. */
export class SignIn {
  /** @throws TypeError for options without a time of access */
  constructor(
    private readonly options: SignInOptions,
    private readonly store: SignInStore,
    private readonly cors: Headers,
    private readonly clock: () => number,
  ) {
    const { accessS, statement } = options;
    if (!(accessS >= 1)) throw new TypeError('Missing duration of access. Set `accessS` of `signIn`.');
    if (statement !== undefined && !isLine(statement))
      throw new TypeError('The statement of sign-ins must be one line of printable ASCII.');
  }

  /** Returns the challenge of a 402, or undefined if no offered network supports signed messages. */
  challengeFor({ url }: SignInResource, networks: readonly string[]): Record<string, unknown> | undefined {
    const chains = [...new Set(networks)].filter(canSignIn);
    if (chains.length === 0) return undefined;
    const nowMs = this.clock();
    const { statement } = this.options;
    return {
      info: {
        domain: new URL(url).host,
        uri: url,
        version: '1',
        nonce: randomBytes(16).toString('hex'),
        issuedAt: new Date(nowMs).toISOString(),
        expirationTime: new Date(nowMs + validityMs).toISOString(),
        ...(statement === undefined ? {} : { statement }),
        resources: [url],
      },
      supportedChains: chains.map((chainId) => ({
        chainId,
        type: chainId.startsWith('solana:') ? 'ed25519' : 'eip191',
      })),
      schema,
    };
  }

  /**
   * Verifies a sign-in. Returns 503 when the store fails. It then returns no price, because the client may already have
   * paid.
   */
  async take(header: string, resource: SignInResource): Promise<Verdict | SignInRejection> {
    const message = readSignIn(header);
    const rejection = message ? this.rejectionOf(message, resource) : 'sign_in_invalid';
    if (!message || rejection) return rejection ?? 'sign_in_invalid';
    const wallet = walletOf(message);
    if (wallet === undefined) return 'sign_in_invalid';
    try {
      if (!(await this.store.hasAccess(accessOf(resource, wallet)))) return 'sign_in_unpaid';
      // The hash includes the wallet, so that no other wallet can use up its nonce.
      const nonce = hashOf(wallet, message.nonce);
      const endsMs = Date.parse(message.issuedAt) + validityMs + maxAheadMs;
      if (!(await this.store.useNonce(nonce, endsMs))) return 'sign_in_nonce_used';
      return { kind: 'granted', grant: this.grant(nonce, message) };
    } catch {
      return this.unavailable();
    }
  }

  /** Records a settled payment. */
  async keep(resource: SignInResource, network: string, payer: string): Promise<void> {
    const wallet = walletOn(network, payer);
    if (wallet === undefined) return;
    await this.store.keepAccess(accessOf(resource, wallet), this.clock() + this.options.accessS * 1_000);
  }

  private rejectionOf(message: SignInMessage, { url }: SignInResource): SignInRejection | undefined {
    const { domain, uri, version, nonce, issuedAt, expirationTime, notBefore } = message;
    if (domain !== new URL(url).host || uri !== url || version !== '1' || !nonceForm.test(nonce))
      return 'sign_in_invalid';
    const nowMs = this.clock();
    const ageMs = nowMs - Date.parse(issuedAt);
    // Every comparison with an invalid time is false.
    const isFresh = ageMs < validityMs && ageMs >= -maxAheadMs;
    const isBefore = expirationTime === undefined || nowMs < Date.parse(expirationTime);
    const isAfter = notBefore === undefined || nowMs >= Date.parse(notBefore);
    return isFresh && isBefore && isAfter ? undefined : 'sign_in_expired';
  }

  private grant(id: string, { address, chainId }: SignInMessage): Grant {
    const payment: Payment = {
      confirmationId: id,
      scheme: signInName,
      network: chainId,
      from: address,
      to: '',
      amount: '0',
      asset: '',
    };
    const headers = {
      'Cache-Control': 'private, no-store',
      Vary: 'Payment-Signature, Sign-In-With-X',
      ...this.cors,
    };
    return new Grant(payment, headers, { refund: async () => undefined, isRefunded: () => false });
  }

  private unavailable(): Verdict {
    const text = 'Sign-ins cannot be verified now: send the same request again.';
    const headers = { ...this.cors, 'Retry-After': '1' };
    return { kind: 'unknown', answer: plainAnswer(503, 'sign_in_unavailable', text, { headers }) };
  }
}

const accessOf = ({ method, url }: SignInResource, wallet: string): string => hashOf(method, url, wallet);

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const uri = { type: 'string', format: 'uri' };

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri,
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: time,
    expirationTime: time,
    notBefore: time,
    requestId: text,
    resources: { type: 'array', items: uri },
    signature: text,
  },
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
};
