import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusConnection } from '@tollbridge/rpc';
import type { Clock } from '@tollbridge/database';
import {
  accountBytes,
  decodeOutcomes,
  encodeFrame,
  paymentBytes,
  dialogDigest,
  digestOf,
  paymentsSubject,
  sessionGrantDigest,
  signingKey,
  w5Account,
  type FrameItem,
  type Outcome,
  type PaymentTerms,
  type PresentedSession,
  type Scope,
  type SigningKey,
} from '@tollbridge/nanopay-protocol';
import type { RunningService } from '@tollbridge/bootstrap';
import { aChargeItem } from '@tollbridge/nanopay-protocol/testing';
import { startNats, type FreshDatabase, type NatsServer, testConnections } from '@tollbridge/testing';
import { LedgerSumsRepository, type LedgerDifferences } from '../ledger/storage/ledger-sums.repository';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';

// The contract and the asset of the sandbox.
export const contract = '0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1';
export const asset = '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7';
export const seller = `0:${'22'.repeat(32)}`;

/** Returns the status or reason that the seller receives. */
export const statusOf = (outcome: Outcome): string =>
  outcome.status === 'rejected' ? outcome.reason : outcome.status;

/** A payment of 1000 units to the seller that is valid now. */
export function paymentTerms(from: string, nowMs: number, changes: Partial<PaymentTerms> = {}): PaymentTerms {
  const nowS = BigInt(Math.floor(nowMs / 1000));
  return {
    flags: 1,
    networkId: -239,
    verifyingContract: contract,
    asset,
    from,
    to: seller,
    amountAtomic: 1000n,
    validAfterS: nowS - 5n,
    validBeforeS: nowS + 60n,
    nonce: randomBytes(32),
    resourceHash: Buffer.alloc(32, 7),
    ...changes,
  };
}

/** A payer with a key and its W5 wallet. */
export class Buyer {
  readonly key: SigningKey = signingKey(randomBytes(32));
  readonly address = w5Account(this.key.publicKey);
  /** The first fields of this owner's signed messages. */
  readonly scope: Scope = { networkId: -239, verifyingContract: contract, asset, from: this.address };

  /** Returns a currently valid payment of this buyer, as a paywall sends it to the ledger service. */
  pay(nowMs: number, changes: Partial<PaymentTerms> = {}, call: Partial<FrameItem> = {}): FrameItem {
    const terms = paymentTerms(this.address, nowMs, changes);
    const payment = paymentBytes(terms);
    const item = aChargeItem({
      amountAtomic: terms.amountAtomic,
      holdS: 30,
      payment,
      signature: this.key.sign(digestOf(payment)),
      publicKey: this.key.publicKey,
    });
    return { ...item, ...call } as FrameItem;
  }

  /** A grant to an agent: at most 1000 per payment and 5000 in total, for a day. */
  grant(
    agent: SigningKey,
    nowS: bigint,
    changes: Partial<PresentedSession> = {},
    signer = this.key,
  ): PresentedSession {
    const terms = {
      publicKey: agent.publicKey,
      to: seller,
      maxPerPaymentAtomic: 1000n,
      maxTotalAtomic: 5000n,
      validAfterS: nowS - 5n,
      validBeforeS: nowS + 86_400n,
      nonce: randomBytes(32),
      dialog: undefined,
      ...changes,
    };
    const digest = sessionGrantDigest(this.scope, terms);
    const signed = terms.dialog ? dialogDigest(this.address, terms.dialog, digest) : digest;
    return { signature: signer.sign(signed), ...terms };
  }
}

/** The payment ledger service with production code, and the bus client of a paywall. */
export class TeeHarness {
  readonly apps: RunningService[] = [];
  readonly buyer = new Buyer();

  private constructor(
    readonly database: FreshDatabase,
    readonly nats: NatsServer,
    readonly bus: BusConnection,
    private readonly folder: string,
    private readonly clock: Clock | undefined,
  ) {}

  static async start(clock?: Clock): Promise<TeeHarness> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, nats] = await Promise.all([migratedDatabase(), startNats()]);
    const bus = await BusConnection.open({ app: 'gateway', url: nats.url });
    return new TeeHarness(database, nats, bus, mkdtempSync(join(tmpdir(), 'tee-')), clock);
  }

  get nowMs(): number {
    return this.clock?.now() ?? Date.now();
  }

  get nowS(): bigint {
    return BigInt(Math.floor(this.nowMs / 1000));
  }

  environment(settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return {
      TOLLBRIDGE_ENV: 'sandbox',
      TEE_NATS_URL: this.nats.url,
      TEE_DATABASE_URL: this.database.runtimeUrl,
      TEE_DATABASE_CONNECTIONS: testConnections,
      TEE_MANAGEMENT_PORT_NUMBER: '0',
      TEE_KEY_FILE: join(this.folder, 'tee.key'),
      TEE_VERIFY_THREADS: '1',
      // Long enough for every stall of the machine. Tests that need another holder expire or release the lease.
      TEE_LEASE_MS: '60000',
      ...settings,
    };
  }

  /** Starts the app, or replaces it. A superseded writer would end its process, which is the process of the test. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    await this.stopApp();
    const app = await start(this.environment(settings), this.clock ? { clock: this.clock } : {});
    this.apps.push(app);
    return app;
  }

  async stopApp(): Promise<void> {
    for (const app of this.apps.splice(0)) await app.close();
  }

  /** Credits money without a deposit. Must be called before the app starts or loads the account. */
  async fund(buyer: Buyer, amountAtomic: bigint): Promise<void> {
    await this.database.query(
      `INSERT INTO tee.accounts (account, deposited, available, updated_at) VALUES ($1, $2, $2, now())`,
      [accountBytes(buyer.address).subarray(4), amountAtomic],
    );
  }

  /** Clears the holder of the lease, so that the next process can acquire it. */
  async expireLease(): Promise<void> {
    await this.database.query(`UPDATE tee.lease SET holder = gen_random_uuid(), expires_at = '-infinity'`);
  }

  /** Returns the outcomes of a frame; all are `unknown` without a reply. */
  async send(items: readonly FrameItem[]): Promise<Outcome[]> {
    const answer = await this.bus
      .request(paymentsSubject, encodeFrame(items), { timeoutMs: 10_000 })
      .catch(() => undefined);
    return (answer && decodeOutcomes(answer.data)) ?? items.map(() => ({ status: 'unknown' }));
  }

  async sendOne(item: FrameItem): Promise<Outcome> {
    return (await this.send([item]))[0]!;
  }

  async balanceOf(address: string): Promise<Record<string, string> | undefined> {
    const [row] = await this.database.query<Record<string, string>>(
      'SELECT * FROM tee.accounts WHERE account = $1',
      [accountBytes(address).subarray(4)],
    );
    return row;
  }

  /** Returns the differences of the ledger's sums; all are zero when the sums balance. */
  differences(): Promise<LedgerDifferences> {
    return this.apps[0]!.context.get(LedgerSumsRepository).differences();
  }

  async close(): Promise<void> {
    await this.stopApp();
    await this.bus.close();
    await this.nats.stop();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
