import { signingKey, type SigningKey } from '@tollbridge/nanopay-protocol';
import type { Evidence } from '../attesters/attester';
import { buildAttestation, type AttestationParts } from '../document/build-document';
import type { AttestationDocument } from '../document/document';
import { reportData } from '../document/report-data';
import { documentDigest } from '../document/sign-document';
import { digestOfEvent, replayEvents, runtimeEventType, type RuntimeEvent } from '../verify/event-log';
import { verifyTdxQuoteUnder, type verifyTdxQuote } from '../verify/tdx-quote';
import type { ExpectedAttestation } from '../verify/verify-attestation';
import type { MadeReport } from './quote-bytes';
import { soundReport, TestVendor, type TestVendorOptions } from './test-vendor';

export const event = (name: string, payload: string, version?: 2): RuntimeEvent => {
  const made: RuntimeEvent = {
    imr: 3,
    event_type: runtimeEventType,
    digest: '',
    event: name,
    event_payload: payload,
    ...(version ? { version } : {}),
  };
  return { ...made, digest: digestOfEvent(made).toString('hex') };
};

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Events that a dstack machine measures before the application runs. */
export const systemEvents: readonly RuntimeEvent[] = [
  event('system-preparing', ''),
  event('app-id', 'a0'.repeat(20)),
  event('compose-hash', 'c0'.repeat(32)),
  event('instance-id', '10'.repeat(20)),
  event('boot-mr-done', ''),
  event('os-image-hash', '05'.repeat(32)),
  event('key-provider', hex('{"name":"kms","id":"30"}')),
  event('storage-fs', hex('zfs')),
  event('system-ready', ''),
];

export const image = {
  mrtd: 'a1'.repeat(48),
  rtmr0: 'b0'.repeat(48),
  rtmr1: 'b1'.repeat(48),
  rtmr2: 'b2'.repeat(48),
};

/** Changes that a test makes to the document of the harness. */
export interface Made {
  now?: Date;
  nonce?: string | null;
  events?: readonly RuntimeEvent[];
  report?: Partial<MadeReport>;
  identity?: Partial<AttestationParts['identity']>;
  mode?: AttestationParts['mode'];
  evidence?: Partial<Evidence> | null;
}

/** An enclave on hardware of the test vendor, with a seller that expects it. */
export class AttestedHarness {
  readonly now: Date;
  readonly nonce = '5e'.repeat(16);
  readonly key: SigningKey = signingKey(Buffer.alloc(32, 3));
  readonly vendor: TestVendor;
  readonly identity = { network: 'tvm:-239', verifyingContract: `0:${'11'.repeat(32)}`, keyEpoch: 4 };

  constructor(options: Partial<TestVendorOptions> = {}) {
    this.now = options.now ?? new Date('2026-11-22T12:00:00.000Z');
    this.vendor = new TestVendor({ ...options, now: this.now });
  }

  /** Like `verifyTdxQuote`, but under the root of this harness. */
  readonly verifyQuote: typeof verifyTdxQuote = (quote, collateral, now) =>
    verifyTdxQuoteUnder(this.vendor.trust, quote, collateral, now);

  readonly expected = {
    network: 'ton-mainnet',
    verifyingContract: this.identity.verifyingContract,
    nonce: this.nonce,
    leastKeyEpoch: 4,
    machine: {
      images: [image],
      composeHashes: ['c0'.repeat(32)],
      appIds: ['a0'.repeat(20)],
      keyProviders: [hex('{"name":"kms","id":"30"}')],
      osImageHashes: ['05'.repeat(32)],
    },
  } satisfies ExpectedAttestation;

  /** A document of the enclave, with the changes of the test. */
  document(made: Made = {}): AttestationDocument {
    const nonce = made.nonce === undefined ? this.nonce : made.nonce;
    const identity = { ...this.identity, ...made.identity };
    const { now = this.now, mode = 'tdx' } = made;
    const teePublicKey = this.key.publicKey.toString('hex');
    const events = [...(made.events ?? systemEvents)];
    const evidence = this.evidence(reportData({ ...identity, teePublicKey, nonce }), events, made.report);
    const ledger = { seq: 7n, head: Buffer.alloc(32, 8) };
    return buildAttestation({
      identity,
      key: this.key,
      mode,
      nonce,
      ledger,
      now,
      evidence: made.evidence === null ? null : { ...evidence, ...made.evidence },
    });
  }

  /** The document, changed and signed again by the enclave's key: a false claim of the enclave itself. */
  resigned(
    document: AttestationDocument,
    change: Partial<AttestationDocument>,
    key = this.key,
  ): AttestationDocument {
    const changed = { ...document, ...change };
    return { ...changed, signature: key.sign(documentDigest(changed)).toString('base64') };
  }

  private evidence(data: Buffer, events: RuntimeEvent[], change: Partial<MadeReport> = {}): Evidence {
    const rtmr3 = replayEvents(events).toString('hex');
    const report: MadeReport = { ...image, rtmr3, reportData: data, ...soundReport, ...change };
    const { mrtd, rtmr0, rtmr1, rtmr2 } = report;
    return {
      attested: true,
      quote: this.vendor.quote(report).toString('hex'),
      eventLog: events,
      measurements: { mrtd, rtmr0, rtmr1, rtmr2, rtmr3: report.rtmr3 },
      appId: 'a0'.repeat(20),
      composeHash: 'c0'.repeat(32),
      collateral: this.vendor.collateral,
    };
  }
}
