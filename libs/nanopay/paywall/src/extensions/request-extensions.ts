import { base64Json } from '@tollbridge/nanopay-protocol';
import type { Answer } from '../answers';
import type { PaidOptions, PaidRequest, Verdict } from '../paid-options';
import type { OfferInputSource, OfferReceipts } from './offer-receipts';
import { offerReceiptName } from './offer-receipts';
import { SignIn, type SignInRejection, type SignInResource } from './sign-in';
import { signInName } from './sign-in-options';
import type { SignInStore } from './sign-in-store';

/** The values that the extensions of all routes share. */
export interface ExtensionSurroundings {
  /** Undefined if offers and receipts are not signed. */
  receipts: OfferReceipts | undefined;
  signIns: SignInStore;
  cors: Readonly<Record<string, string>>;
  clock: () => number;
}

interface PaymentRequired {
  error: string;
  accepts: OfferInputSource[];
  extensions: Record<string, unknown>;
}

const requiredHeader = 'PAYMENT-REQUIRED';

const messages: Readonly<Record<SignInRejection, string>> = {
  sign_in_invalid:
    'The sign-in is not for this resource, or its signature is wrong. Sign the message of this answer.',
  sign_in_expired: 'The sign-in is over. Sign the message of this answer.',
  sign_in_nonce_used: 'The sign-in was used before. Sign the message of this answer.',
  sign_in_unpaid:
    'This wallet has not paid for the resource, or its access is over. Pay one of the options in accepts.',
};

/** The extensions of a route that differ for each request: signed offers and sign-ins. */
export class RequestExtensions {
  private constructor(
    private readonly signIn: SignIn | undefined,
    private readonly receipts: OfferReceipts | undefined,
  ) {}

  /**
   * Returns undefined for a route without such extensions.
   * @throws TypeError for a sign-in that no wallet could sign
   */
  static of({ signIn, url }: PaidOptions, around: ExtensionSurroundings): RequestExtensions | undefined {
    const { receipts, signIns, cors, clock } = around;
    // The sign-in message contains the host of the URL.
    if (signIn && url !== undefined) new URL(url);
    if (!signIn && !receipts) return undefined;
    return new RequestExtensions(signIn && new SignIn(signIn, signIns, cors, clock), receipts);
  }

  /** Decides on a request by its sign-in, or otherwise by its payment. */
  async decide(
    request: PaidRequest,
    url: string,
    decidePaid: () => Verdict | Promise<Verdict>,
  ): Promise<Verdict> {
    const resource = { method: request.method, url };
    const signedIn =
      request.signIn === undefined ? undefined : await this.signIn?.take(request.signIn, resource);
    if (typeof signedIn === 'object') return signedIn;
    const verdict = await decidePaid();
    if (verdict.kind === 'granted') return verdict;
    // The code of a failed payment is more useful than the code of a sign-in in the same request.
    const isPaid = 'PAYMENT-RESPONSE' in verdict.answer.headers;
    return { ...verdict, answer: await this.extend(verdict.answer, resource, isPaid ? undefined : signedIn) };
  }

  /** Records a settled payment, so that the payer can sign in later. */
  async keep(resource: SignInResource, network: string, payer: string | undefined): Promise<void> {
    if (payer !== undefined) await this.signIn?.keep(resource, network, payer);
  }

  private async extend(
    answer: Answer,
    resource: SignInResource,
    rejection: SignInRejection | undefined,
  ): Promise<Answer> {
    const header = answer.headers[requiredHeader];
    if (header === undefined) return answer;
    const document = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentRequired;
    const extensions = { ...document.extensions, ...(await this.extensionsFor(document, resource)) };
    const error = rejection ?? document.error;
    const headers = { ...answer.headers, [requiredHeader]: base64Json({ ...document, error, extensions }) };
    return rejection ? withCode({ ...answer, headers }, rejection) : { ...answer, headers };
  }

  private async extensionsFor({ accepts }: PaymentRequired, resource: SignInResource) {
    const offers = await this.receipts?.offersFor(resource.url, accepts);
    const networks = accepts.map(({ network }) => network);
    const challenge = this.signIn?.challengeFor(resource, networks);
    return {
      ...(offers ? { [offerReceiptName]: offers } : {}),
      ...(challenge ? { [signInName]: challenge } : {}),
    };
  }
}

function withCode(answer: Answer, code: SignInRejection): Answer {
  const json = JSON.parse(answer.body.toString()) as object;
  const body = JSON.stringify({ ...json, code, error: messages[code] });
  const headers = { ...answer.headers, 'Content-Length': Buffer.byteLength(body).toString() };
  return { ...answer, code, headers, body };
}
