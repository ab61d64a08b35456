import { generateKeyPairSync, sign, X509Certificate, type KeyObject } from 'node:crypto';
import type { TdxCollateral } from '../verify/collateral';
import { write } from './der-writer';
import { makeQuote, p256Signature, type MadeReport } from './quote-bytes';

type Keys = { publicKey: KeyObject; privateKey: KeyObject };
const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Certificate {
  name: string;
  serial: number;
  keys: Keys;
  isAuthority: boolean;
  notAfter?: Date;
  extensions?: Buffer[];
}

const ecdsa = write.sequence(write.objectId('1.2.840.10045.4.3.2'));
const nameOf = (name: string): Buffer =>
  write.sequence(write.set(write.sequence(write.objectId('2.5.4.3'), write.text(name))));
const day = 86_400_000;
const svns = Buffer.alloc(16, 5);

/** Faults in the signed data of the test vendor. */
export interface TestVendorOptions {
  now: Date;
  tcbStatus?: string;
  advisoryIds?: string[];
  moduleStatus?: string;
  moduleAdvisoryIds?: string[];
  /** Serial numbers: 2 platform authority, 3 collateral signer, 4 platform. */
  revokedByRoot?: number[];
  revokedByAuthority?: number[];
  listsExpireAt?: Date;
  listsAreForged?: boolean;
  listsIssuedAt?: Date;
  identityExpiresAt?: Date;
  infoId?: string;
  moduleLevels?: object[];
  authorityIsNone?: boolean;
  platformNameIsWrong?: boolean;
  platformIsAuthority?: boolean;
  platformIsForged?: boolean;
  chainLacksRoot?: boolean;
  platformExpiresAt?: Date;
  fmspc?: string;
  pceId?: string;
}

/**
 * A fake hardware vendor with its own root. It signs platforms, revocation lists and collateral like the real vendor,
 * for cases that recorded quotes do not cover. Only these tests trust its root.
 */
export class TestVendor {
  readonly root: X509Certificate;
  readonly collateral: TdxCollateral;
  private readonly keys = { root: newKeys(), authority: newKeys(), signer: newKeys(), platform: newKeys() };
  private readonly attestationKey = newKeys();
  private readonly platformChain: string;

  constructor(private readonly options: TestVendorOptions) {
    const { root, authority, signer, platform } = this.keys;
    const rootName = 'Test Root CA';
    const rootDer = this.certificate(
      { name: rootName, serial: 1, keys: root, isAuthority: true },
      rootName,
      root,
    );
    this.root = new X509Certificate(rootDer);
    const authorityName = 'Test Platform CA';
    const isAuthority = !options.authorityIsNone;
    const authorityDer = this.certificate(
      { name: authorityName, serial: 2, keys: authority, isAuthority },
      rootName,
      root,
    );
    const signerDer = this.certificate(
      { name: 'Intel SGX TCB Signing', serial: 3, keys: signer, isAuthority: false },
      rootName,
      root,
    );
    const name = options.platformNameIsWrong ? 'Intel SGX Something' : 'Intel SGX PCK Certificate';
    const platformDer = this.certificate(
      {
        name,
        serial: 4,
        keys: platform,
        isAuthority: options.platformIsAuthority === true,
        extensions: [platformExtension()],
        ...(options.platformExpiresAt ? { notAfter: options.platformExpiresAt } : {}),
      },
      authorityName,
      options.platformIsForged ? platform : authority,
    );
    this.platformChain = pem(platformDer, authorityDer, ...(options.chainLacksRoot ? [] : [rootDer]));
    this.collateral = this.makeCollateral({
      signers: pem(signerDer, rootDer),
      authorities: pem(authorityDer, rootDer),
      ofRoot: this.list(rootName, root, options.revokedByRoot),
      ofAuthority: this.list(authorityName, authority, options.revokedByAuthority),
    });
  }

  /** The root of trust to pass to `verifyTdxQuoteUnder`. */
  readonly trust = async (): Promise<X509Certificate> => this.root;

  quote(report: MadeReport): Buffer {
    const qeReport = Buffer.alloc(384);
    qeReport.writeUInt16LE(2, 256);
    qeReport.writeUInt16LE(4, 258);
    return makeQuote(report, {
      attestationKey: this.attestationKey,
      platformKey: this.keys.platform.privateKey,
      certificates: this.platformChain,
      qeReport,
    });
  }

  private makeCollateral(made: {
    signers: string;
    authorities: string;
    ofRoot: Buffer;
    ofAuthority: Buffer;
  }) {
    const tcb_info = JSON.stringify(this.tcbInfo());
    const qe_identity = JSON.stringify(this.qeIdentity());
    const signature = (text: string): string =>
      p256Signature(Buffer.from(text), this.keys.signer.privateKey).toString('hex');
    return {
      pck_crl_issuer_chain: made.authorities,
      root_ca_crl: made.ofRoot.toString('hex'),
      pck_crl: made.ofAuthority.toString('hex'),
      tcb_info_issuer_chain: made.signers,
      tcb_info,
      tcb_info_signature: signature(tcb_info),
      qe_identity_issuer_chain: made.signers,
      qe_identity,
      qe_identity_signature: signature(qe_identity),
    };
  }

  private tcbInfo(): object {
    const { tcbStatus = 'UpToDate', advisoryIds = [], moduleStatus = 'UpToDate' } = this.options;
    const { infoId = 'TDX', fmspc = 'B0C06F000000', pceId = '0000', moduleAdvisoryIds = [] } = this.options;
    const identity = { mrsigner: '0'.repeat(96), attributes: '0'.repeat(16), attributesMask: 'F'.repeat(16) };
    const components = Array.from({ length: 16 }, () => ({ svn: 0 }));
    const moduleLevel = { tcb: { isvsvn: 3 }, tcbStatus: moduleStatus, advisoryIDs: moduleAdvisoryIds };
    return {
      id: infoId,
      version: 3,
      ...this.window(),
      fmspc,
      pceId,
      tcbType: 0,
      tcbEvaluationDataNumber: 17,
      tdxModule: identity,
      tdxModuleIdentities: [
        { id: 'TDX_01', ...identity, tcbLevels: this.options.moduleLevels ?? [moduleLevel] },
      ],
      tcbLevels: [
        {
          tcb: { sgxtcbcomponents: components, pcesvn: 5, tdxtcbcomponents: components },
          tcbDate: '2024-03-13T00:00:00Z',
          tcbStatus,
          advisoryIDs: advisoryIds,
        },
      ],
    };
  }

  private qeIdentity(): object {
    const expires = this.options.identityExpiresAt;
    const zeros = (bytes: number): string => '00'.repeat(bytes);
    return {
      id: 'TD_QE',
      version: 2,
      ...this.window(),
      tcbEvaluationDataNumber: 17,
      ...(expires ? { nextUpdate: expires.toISOString() } : {}),
      miscselect: zeros(4),
      miscselectMask: 'FF'.repeat(4),
      attributes: zeros(16),
      attributesMask: zeros(16),
      mrsigner: zeros(32),
      isvprodid: 2,
      tcbLevels: [{ tcb: { isvsvn: 4 }, tcbDate: '2024-03-13T00:00:00Z', tcbStatus: 'UpToDate' }],
    };
  }

  private window(): { issueDate: string; nextUpdate: string } {
    const at = (ms: number): string => new Date(this.options.now.getTime() + ms).toISOString();
    return { issueDate: at(-day), nextUpdate: at(29 * day) };
  }

  private certificate(subject: Certificate, issuerName: string, issuer: Keys): Buffer {
    const { name, serial, keys, isAuthority, extensions = [] } = subject;
    const { now } = this.options;
    const constraints = write.sequence(
      write.objectId('2.5.29.19'),
      write.yes(),
      write.octets(write.sequence(...(isAuthority ? [write.yes()] : []))),
    );
    const notAfter = subject.notAfter ?? new Date(now.getTime() + 365 * day);
    const signed = write.sequence(
      write.wrapped(0xa0, write.integer(2)),
      write.integer(serial),
      ecdsa,
      nameOf(issuerName),
      write.sequence(write.time(new Date(now.getTime() - 365 * day)), write.time(notAfter)),
      nameOf(name),
      keys.publicKey.export({ format: 'der', type: 'spki' }),
      write.wrapped(0xa3, write.sequence(constraints, ...extensions)),
    );
    return write.sequence(signed, ecdsa, write.bits(sign('sha256', signed, issuer.privateKey)));
  }

  private list(issuerName: string, issuer: Keys, serials: number[] = []): Buffer {
    const { now, listsExpireAt, listsIssuedAt, listsAreForged } = this.options;
    const entry = (serial: number): Buffer => write.sequence(write.integer(serial), write.time(now));
    const signed = write.sequence(
      write.integer(1),
      ecdsa,
      nameOf(issuerName),
      write.time(listsIssuedAt ?? new Date(now.getTime() - day)),
      write.time(listsExpireAt ?? new Date(now.getTime() + day)),
      ...(serials.length > 0 ? [write.sequence(...serials.map(entry))] : []),
    );
    const by = listsAreForged ? this.attestationKey : issuer;
    return write.sequence(signed, ecdsa, write.bits(sign('sha256', signed, by.privateKey)));
  }
}

/** The certificate extension with the vendor's description of a platform. */
function platformExtension(): Buffer {
  const id = '1.2.840.113741.1.13.1';
  const field = (under: string, value: Buffer): Buffer =>
    write.sequence(write.objectId(`${id}.${under}`), value);
  const versions = write.sequence(
    ...Array.from({ length: 16 }, (_, index) => field(`2.${index + 1}`, write.integer(svns[index]!))),
    field('2.17', write.integer(11)),
    field('2.18', write.octets(svns)),
  );
  const fields = write.sequence(
    field('1', write.octets(Buffer.alloc(16))),
    field('2', versions),
    field('3', write.octets(Buffer.alloc(2))),
    field('4', write.octets(Buffer.from('b0c06f000000', 'hex'))),
  );
  return write.sequence(write.objectId(id), write.octets(fields));
}

const pem = (...certificates: Buffer[]): string =>
  certificates.map((der) => new X509Certificate(der).toString()).join('');

/** Report fields of a non-debug machine with a TDX module of version 1.5. */
export const soundReport = {
  tdAttributes: Buffer.from('0000001000000000', 'hex'),
  tcbSvn: Buffer.from('06010300000000000000000000000000', 'hex'),
};
