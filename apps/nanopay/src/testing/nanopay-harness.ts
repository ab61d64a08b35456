import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnyCaller, nanoVerificationApi } from '@tollbridge/contracts';
import { asset, Buyer, contract, paymentTerms, seller, TeeHarness } from '@tollbridge/app-tee/testing';
import { BusClient, callContext, DomainError, type BusOperation, type CallContext } from '@tollbridge/rpc';
import {
  digestOf,
  paymentBytes,
  resourceHash,
  signingKey,
  type PaymentTerms,
  type RawAccount,
} from '@tollbridge/nanopay-protocol';
import type { RunningService } from '@tollbridge/bootstrap';
import { start } from '../start';

export const publicUrl = 'https://pay.example.com';
export const url = 'https://api.example.com/premium-data';

/** Nanopay and the payment ledger service with production code. */
export class NanopayHarness {
  private readonly client: BusClient;
  private front: Server | undefined;

  private constructor(
    readonly tee: TeeHarness,
    private readonly app: RunningService,
  ) {
    this.client = new BusClient(tee.bus, new AnyCaller());
  }

  static async start(): Promise<NanopayHarness> {
    const tee = await TeeHarness.start();
    await tee.startApp();
    const app = await start({
      TOLLBRIDGE_ENV: 'sandbox',
      NANOPAY_NATS_URL: tee.nats.url,
      NANOPAY_MANAGEMENT_PORT_NUMBER: '0',
      SANDBOX_EXPOSED: 'on',
      GATEWAY_PUBLIC_URL: `${publicUrl}/`,
    });
    return new NanopayHarness(tee, app);
  }

  call<I, O>(operation: BusOperation<I, O>, input: unknown, context: Partial<CallContext> = {}): Promise<O> {
    return this.client.call(operation, input as I, { ...callContext(), ...context });
  }

  /** The key that signs receipts. */
  get enclaveKey(): Buffer {
    const seed = readFileSync(this.tee.environment().TEE_KEY_FILE!, 'utf8').trim();
    return signingKey(Buffer.from(seed, 'hex')).publicKey;
  }

  async funded(amountAtomic = 10_000n): Promise<Buyer> {
    const buyer = new Buyer();
    await this.tee.fund(buyer, amountAtomic);
    return buyer;
  }

  /** Serves the routes like the gateway: bodies pass unread, and failures have their code and status. */
  async listen(): Promise<string> {
    const operations = Object.values(nanoVerificationApi.operations);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const operation = operations.find(
        ({ method, path }) => method === request.method && path === request.url,
      );
      const chunks: Buffer[] = await request.toArray();
      const body = request.method === 'GET' ? Buffer.from('{}') : Buffer.concat(chunks);
      response.setHeader('content-type', 'application/json');
      try {
        const { bytes } = await this.client.callBytes(operation!, body, callContext());
        response.end(bytes);
      } catch (error) {
        const { status, code, message } = error as DomainError;
        response.writeHead(status).end(JSON.stringify({ error: message, code }));
      }
    };
    this.front = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => this.front!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.front?.closeAllConnections();
    this.front?.close();
    this.client.close();
    await this.app.close();
    await this.tee.close();
  }
}

export const termsOf = (from: RawAccount, changes: Partial<PaymentTerms> = {}): PaymentTerms =>
  paymentTerms(from, Date.now(), { resourceHash: resourceHash('GET', url), ...changes });

export const signatureOf = (buyer: Buyer, terms: PaymentTerms): Buffer =>
  buyer.key.sign(digestOf(paymentBytes(terms)));

/** The data that the payer of a payment signs, in the form that clients send. */
export const authorizationOf = ({ key }: Buyer, terms: PaymentTerms) => ({
  from: terms.from,
  to: terms.to,
  amount: terms.amountAtomic.toString(),
  asset: terms.asset,
  nonce: terms.nonce.toString('hex'),
  validAfter: terms.validAfterS.toString(),
  validBefore: terms.validBeforeS.toString(),
  publicKey: key.publicKey.toString('hex'),
});

/** The price of the sandbox: 1000 units to the seller. */
export const requirementsOf = (changes: object = {}) => ({
  scheme: 'ton-nanopay',
  network: 'tvm:-239',
  amount: '1000',
  asset,
  payTo: seller,
  maxTimeoutSeconds: 60,
  extra: { name: 'TonNanoPay', version: '1', verifyingContract: contract },
  ...changes,
});
