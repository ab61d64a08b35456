import { Controller, Inject } from '@nestjs/common';
import {
  proofRejectionMessages,
  receiversApi,
  receiverStatement,
  type Receiver,
  type ReceiverChallengeReply,
  type ReceiverChallengeRequest,
  type ReceiverDeleted,
  type ReceiverRequest,
  type ReceiversQuery,
  type VerifyReceiverRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  Validates,
} from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { secretValues } from '@tollbridge/config';
import {
  NonceSeal,
  readWallet,
  type IssuedNonce,
  type ProofRejection,
  type Wallet,
} from '@tollbridge/wallet-proof';
import {
  validateChainId,
  challengeView,
  defaultChainId,
  expiryOf,
  validateProof,
  timeRejection,
  signInPage,
  validateWallet,
  type Challenge,
  type SignInPage,
} from '../auth/challenge';
import { ProofCheck } from '../auth/proof-check';
import type { MerchantConfig } from '../config';
import { ReceiversRepository, type ProvenReceiver } from './receivers.repository';

@Controller()
@Handles(receiversApi)
export class ReceiversHandlers {
  private readonly page: SignInPage;
  private readonly seal: NonceSeal;

  constructor(
    private readonly receivers: ReceiversRepository,
    private readonly proofs: ProofCheck,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: MerchantConfig,
  ) {
    this.page = signInPage(config.MERCHANT_SIGN_IN_URL || config.GATEWAY_PUBLIC_URL);
    this.seal = new NonceSeal(secretValues(config.MERCHANT_KEY_PEPPER), this.page.domain);
  }

  createReceiverChallenge(request: ReceiverChallengeRequest, context: CallContext): ReceiverChallengeReply {
    const { address: text, chainId = defaultChainId } = request;
    const [address, wallet] = [this.addressOf(text)!, merchantOf(context)];
    // The signed message contains the time in whole seconds.
    const issuedAtMs = Math.floor(this.clock.now() / 1000) * 1000;
    const issued = { issuedAtMs, chainId: address.scheme === 'eip4361' ? chainId : 0 };
    const nonce = this.seal.issue(sealedFor(address, wallet), issued);
    return {
      ...challengeView(this.challengeOf(address, wallet, nonce, issued)),
      address: address.address,
      wallet,
    };
  }

  @Validates(receiversApi.operations.createReceiverChallenge)
  validateCreateReceiverChallenge({
    address: text,
    chainId,
  }: Partial<ReceiverChallengeRequest>): FieldError[] {
    if (text === undefined) return [];
    const address = this.addressOf(text);
    return address ? validateChainId(address, chainId) : validateWallet(address, 'address');
  }

  async verifyReceiver(request: VerifyReceiverRequest, context: CallContext): Promise<Receiver> {
    const [address, wallet] = [this.addressOf(request.address)!, merchantOf(context)];
    const issued = this.seal.open(request.nonce, sealedFor(address, wallet));
    if (!issued) throw invalidSignature('nonce_unknown');
    const late = timeRejection(issued, this.clock.now());
    if (late) throw invalidSignature(late);
    const challenge = this.challengeOf(address, wallet, request.nonce, issued);
    const verdict = await this.proofs.check(challenge, request);
    if (!verdict.ok) throw invalidSignature(verdict.reason);
    const receiver: ProvenReceiver = {
      wallet,
      address: address.address,
      scheme: address.scheme,
      chainId: verdict.isContract ? issued.chainId : 0,
      provenAtMs: this.clock.now(),
    };
    const nonce = { nonce: request.nonce, nonceExpiresAtMs: expiryOf(issued) };
    const reply = viewOf(receiver);
    const isAdded = await this.receivers.add(receiver, nonce, (client) => storeReply(client, context, reply));
    if (!isAdded) throw invalidSignature('nonce_used');
    return reply;
  }

  @Validates(receiversApi.operations.verifyReceiver)
  validateVerifyReceiver(given: Partial<VerifyReceiverRequest>): FieldError[] {
    if (given.address === undefined) return [];
    const address = this.addressOf(given.address);
    return address ? validateProof(address, given) : validateWallet(address, 'address');
  }

  async listReceivers(_query: ReceiversQuery, context: CallContext): Promise<Receiver[]> {
    return (await this.receivers.list(merchantOf(context))).map(viewOf);
  }

  async deleteReceiver({ address: text }: ReceiverRequest, context: CallContext): Promise<ReceiverDeleted> {
    const address = this.addressOf(text)?.address;
    const isDeleted = address !== undefined && (await this.receivers.delete(merchantOf(context), address));
    if (!isDeleted) throw new DomainError('NOT_FOUND', 'This wallet has no proof of this address.');
    return { ok: true };
  }

  private addressOf(text: string): Wallet | undefined {
    return readWallet(text, this.config.environment);
  }

  private challengeOf(address: Wallet, wallet: string, nonce: string, issued: IssuedNonce): Challenge {
    const { environment } = this.config;
    const statement = receiverStatement(wallet);
    return { wallet: address, nonce, ...issued, ...this.page, environment, statement };
  }
}

/** No address contains a space, so a nonce of a sign-in is never valid for a receiver, and the reverse. */
const sealedFor = ({ address }: Wallet, wallet: string): string => `${address} receives for ${wallet}`;

function invalidSignature(reason: ProofRejection): DomainError {
  return new DomainError('INVALID_SIGNATURE', proofRejectionMessages[reason], { details: { reason } });
}

const viewOf = ({ address, scheme, chainId, provenAtMs }: ProvenReceiver): Receiver => ({
  address,
  scheme,
  chainId: chainId || null,
  verifiedAt: new Date(provenAtMs).toISOString(),
});
