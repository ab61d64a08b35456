import { Rejected } from '../rejection';
import type { ModuleIdentity, ModuleLevel, TcbInfo } from './collateral';
import type { TdReport } from './quote-v4';
import { readTcbStatus, type TcbVerdict } from './tcb-status';

/**
 * Verifies the vendor and version of the TDX module, which isolates virtual machines. The library compares the module's
 * version only within the levels of the platform.
 */
export function checkModule(report: TdReport, info: TcbInfo): TcbVerdict {
  const [svn, version] = report.tcbSvn as unknown as [number, number];
  if (version === 0) {
    checkIdentity(report, info.tdxModule);
    return { tcbStatus: 'UpToDate', advisoryIds: [] };
  }
  const id = `TDX_${version.toString(16).padStart(2, '0').toUpperCase()}`;
  const identity = info.tdxModuleIdentities?.find((it) => it.id === id);
  if (!identity) throw new Rejected('module_unknown', `the vendor lists no module ${id}`);
  checkIdentity(report, identity);
  const isReached = ({ tcb }: ModuleLevel): boolean => svn >= tcb.isvsvn;
  const levels = [...identity.tcbLevels].sort((a, b) => b.tcb.isvsvn - a.tcb.isvsvn);
  const level = levels.find(isReached);
  if (!level) throw new Rejected('module_unknown', `the vendor lists no module ${id} of this version`);
  return { tcbStatus: readTcbStatus(level.tcbStatus), advisoryIds: level.advisoryIDs ?? [] };
}

function checkIdentity(report: TdReport, { mrsigner, attributes, attributesMask }: ModuleIdentity): void {
  const [expected, mask] = [Buffer.from(attributes, 'hex'), Buffer.from(attributesMask, 'hex')];
  const isMasked = (byte: number, index: number): boolean =>
    (byte & (mask[index] ?? 0xff)) === ((expected[index] ?? 0) & (mask[index] ?? 0xff));
  if (report.seamSigner !== mrsigner.toLowerCase() || !report.seamAttributes.every(isMasked))
    throw new Rejected(
      'module_unknown',
      'the signer or attributes of the module differ from those that the vendor lists',
    );
}
