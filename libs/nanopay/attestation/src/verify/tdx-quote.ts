import type { X509Certificate } from 'node:crypto';
import { Rejected, rejectionOf, type Rejection } from '../rejection';
import { checkSignatures } from './check-signatures';
import { readTdxCollateral, type TdxCollateral } from './collateral';
import { quoteLayout, readTdxQuote, type TdReport } from './quote-v4';
import { readTcbStatus, worstOf, type TcbVerdict } from './tcb-status';
import { checkModule } from './tdx-module';
import { vendorRoot } from './vendor-root';

export interface VerifiedQuote extends TcbVerdict {
  ok: true;
  report: TdReport;
  /** The number of the vendor's TCB evaluation, which increases with each evaluation. */
  tcbEvaluationDataNumber: number;
}

export type QuoteVerdict = VerifiedQuote | Rejection;

/**
 * Verifies that genuine hardware signed a version 4 quote of a non-debug machine. `verifyAttestation` also verifies the
 * software of the machine. Nothing is fetched: without collateral the quote is rejected.
 *
 * @param collateral from the vendor's service or a cache, for the platform of this quote
 */
export function verifyTdxQuote(quote: Uint8Array, collateral: unknown, now: Date): Promise<QuoteVerdict> {
  return verifyTdxQuoteUnder(vendorRoot, quote, collateral, now);
}

/** `verifyTdxQuote` under another root, for tests, which lack the vendor's keys. */
export async function verifyTdxQuoteUnder(
  root: () => Promise<X509Certificate>,
  quote: Uint8Array,
  collateral: unknown,
  now: Date,
): Promise<QuoteVerdict> {
  try {
    const bytes = Buffer.from(quote);
    const read = readTdxQuote(bytes);
    if (collateral === undefined || collateral === null)
      throw new Rejected('collateral_missing', 'without collateral of the vendor nothing can be verified');
    const vendor = { root: await root(), now };
    const known = readTdxCollateral(collateral);
    const info = checkSignatures(read, known, vendor);
    checkNoDebug(read.report);
    const platform = await askLibrary(bytes, known, vendor);
    const tcb = worstOf(platform, checkModule(read.report, info));
    return {
      ok: true,
      ...tcb,
      report: read.report,
      tcbEvaluationDataNumber: info.tcbEvaluationDataNumber,
    };
  } catch (error) {
    return rejectionOf(error, 'quote_refused');
  }
}

/** The host can read and change the memory of a debug machine. */
function checkNoDebug({ tdAttributes }: TdReport): void {
  if (tdAttributes[0] !== 0) throw new Rejected('debug_enabled', 'the machine can be debugged by its host');
}

/**
 * Verifies the chain, the platform and the quoting enclave by the common library, independently of `checkSignatures`.
 */
export async function askLibrary(
  quote: Buffer,
  collateral: TdxCollateral,
  { root, now }: { root: X509Certificate; now: Date },
): Promise<TcbVerdict> {
  const { QuoteVerifier } = await import('@phala/dcap-qvl');
  const verifier = QuoteVerifier.newWithRootCa(root.raw);
  const nowS = Math.floor(now.getTime() / 1000);
  const { status, advisory_ids, report } = verifier.verify(quote, collateral, nowS);
  const seen = report.asTd10()?.reportData;
  if (!seen || !Buffer.from(seen).equals(quote.subarray(quoteLayout.reportData, quoteLayout.signedLength)))
    throw new Rejected('quote_refused', 'the library reads other report data from the quote');
  return { tcbStatus: readTcbStatus(status), advisoryIds: advisory_ids };
}
