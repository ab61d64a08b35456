import { StrictFields } from '../document/strict-fields';
import { Rejected } from '../rejection';

/**
 * The vendor's signed collateral for a platform. The field names are those of common verifiers, and bytes are in
 * hexadecimal digits.
 */
export type TdxCollateral = {
  pck_crl_issuer_chain: string;
  root_ca_crl: string;
  pck_crl: string;
  tcb_info_issuer_chain: string;
  tcb_info: string;
  tcb_info_signature: string;
  qe_identity_issuer_chain: string;
  qe_identity: string;
  qe_identity_signature: string;
};

const chains = ['pck_crl_issuer_chain', 'tcb_info_issuer_chain', 'qe_identity_issuer_chain'] as const;
const lists = ['root_ca_crl', 'pck_crl'] as const;
const documents = ['tcb_info', 'qe_identity'] as const;
const signatures = ['tcb_info_signature', 'qe_identity_signature'] as const;

// About eight times the current sizes. All texts and lists together fit into a document.
const maxTextLength = 24 * 1024;
const maxListBytes = 24 * 1024;
const signatureBytes = 64;

/**
 * Parses untrusted collateral. Omits the certificates of the platform that some caches add, because the quote contains
 * them.
 */
export function readTdxCollateral(
  value: unknown,
  fields: StrictFields = new StrictFields('collateral_malformed'),
): TdxCollateral {
  const names = [...chains, ...lists, ...documents, ...signatures];
  const all = fields.object(value, 'collateral', names, ['pck_certificate_chain']);
  const text = (name: string): [string, string] => [name, fields.text(all[name], name, maxTextLength)];
  const hex = (name: string, bytes: { most: number } | { exactly: number }): [string, string] => [
    name,
    fields.hex(hexOf(all[name], maxListBytes), name, bytes),
  ];
  return Object.fromEntries([
    ...chains.map(text),
    ...documents.map(text),
    ...lists.map((name) => hex(name, { most: maxListBytes })),
    ...signatures.map((name) => hex(name, { exactly: signatureBytes })),
  ]) as unknown as TdxCollateral;
}

/** Converts bytes that some clients send as arrays of numbers or in upper-case digits. */
function hexOf(value: unknown, maxBytes: number): unknown {
  if (typeof value === 'string') return value.length <= maxBytes * 2 ? value.toLowerCase() : value;
  const isBytes = (it: unknown): it is number[] =>
    Array.isArray(it) &&
    it.length <= maxBytes &&
    it.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes(value) ? Buffer.from(value).toString('hex') : value;
}

/** The fields of the vendor's TCB information that this code uses. The library evaluates the others. */
export interface TcbInfo {
  id: 'TDX';
  issueDate: string;
  nextUpdate: string;
  fmspc: string;
  pceId: string;
  tcbEvaluationDataNumber: number;
  tdxModule: ModuleIdentity;
  tdxModuleIdentities?: (ModuleIdentity & { id: string; tcbLevels: ModuleLevel[] })[];
}

export interface ModuleIdentity {
  mrsigner: string;
  attributes: string;
  attributesMask: string;
}

export interface ModuleLevel {
  tcb: { isvsvn: number };
  tcbStatus: string;
  advisoryIDs?: string[];
}

/** Parses a signed document and verifies its period of validity. */
export function readSigned<T>(text: string, name: string, now: Date): T {
  const value = parsed(text, name) as { issueDate?: unknown; nextUpdate?: unknown };
  const [issued, next] = [value?.issueDate, value?.nextUpdate].map((time) => Date.parse(String(time)));
  if (Number.isNaN(issued) || Number.isNaN(next))
    throw new Rejected('collateral_malformed', `${name} has no valid times`);
  if (now.getTime() < issued!) throw new Rejected('collateral_not_yet_valid', `${name} is not valid yet`);
  if (now.getTime() > next!) throw new Rejected('collateral_expired', `${name} expired`);
  return value as T;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Rejected('collateral_malformed', `${name} is not JSON`);
  }
}
