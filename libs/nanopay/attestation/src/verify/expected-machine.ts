import type { AttestationDocument, Measurements } from '../document/document';
import { Rejected } from '../rejection';
import { eventsOfSystem, replayEvents } from './event-log';
import type { TdReport } from './quote-v4';

/** Measurements of the firmware and operating system of a reproducible image, on a machine of one size. */
export type PinnedImage = Omit<Measurements, 'rtmr3'>;

/** Allowed values of the machine. Hashes are lower-case hexadecimal digits. */
export interface ExpectedMachine {
  images: readonly PinnedImage[];
  /** Hash of the compose file: container images and their start parameters. */
  composeHashes: readonly string[];
  appIds: readonly string[];
  /** Payloads of the event `key-provider`, which identifies the source of the machine's keys. */
  keyProviders: readonly string[];
  /**
   * Null if the system does not measure its image, for example without a key management service. Then only `images`
   * pins the system.
   */
  osImageHashes: readonly string[] | null;
}

/** Verifies that the quote is from an allowed machine that runs an allowed application. */
export function checkMachine(
  report: TdReport,
  document: AttestationDocument,
  { images, composeHashes, appIds, keyProviders, osImageHashes }: ExpectedMachine,
): void {
  const isThis = ({ mrtd, rtmr0, rtmr1, rtmr2 }: PinnedImage): boolean =>
    report.mrtd === mrtd && report.rtmr0 === rtmr0 && report.rtmr1 === rtmr1 && report.rtmr2 === rtmr2;
  if (!images.some(isThis))
    throw new Rejected('measurements_mismatch', 'the firmware or operating system is not allowed');
  if (replayEvents(document.eventLog).toString('hex') !== report.rtmr3)
    throw new Rejected('event_log_mismatch', 'the event log does not match RTMR3 of the quote');
  const measured = eventsOfSystem(document.eventLog);
  checkEvent(measured, 'compose-hash', composeHashes);
  checkEvent(measured, 'app-id', appIds);
  checkEvent(measured, 'key-provider', keyProviders);
  if (osImageHashes) checkEvent(measured, 'os-image-hash', osImageHashes);
  checkClaims(report, document, measured);
}

function checkEvent(measured: Map<string, string>, name: string, allowed: readonly string[]): void {
  const payload = measured.get(name);
  if (payload === undefined)
    throw new Rejected('event_log_incomplete', `the system has not measured ${name} once`);
  if (!allowed.includes(payload)) throw new Rejected('event_mismatch', `${name} is not allowed`);
}

/** The claims of the document must match its quote, to protect clients that read only the claims. */
function checkClaims(
  report: TdReport,
  { measurements, appId, composeHash }: AttestationDocument,
  measured: Map<string, string>,
): void {
  const names = ['mrtd', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'] as const;
  const isSame =
    names.every((name) => measurements?.[name] === report[name]) &&
    appId === measured.get('app-id') &&
    composeHash === measured.get('compose-hash');
  if (!isSame)
    throw new Rejected('document_inconsistent', 'the claims of the document do not match its quote');
}
