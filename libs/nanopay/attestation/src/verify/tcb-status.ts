/** TCB statuses of the vendor, best first. */
export const tcbStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const;
export type TcbStatus = (typeof tcbStatuses)[number];

/** Status and advisories of the whole platform. The worst component determines the status. */
export interface TcbVerdict {
  tcbStatus: TcbStatus;
  /** Security advisories of the vendor. */
  advisoryIds: string[];
}

/** Parses a status. An unknown status counts as `Revoked`. */
export const readTcbStatus = (text: string): TcbStatus =>
  tcbStatuses.find((status) => status === text) ?? 'Revoked';

export function worstOf(platform: TcbVerdict, part: TcbVerdict): TcbVerdict {
  const advisoryIds = [...new Set([...platform.advisoryIds, ...part.advisoryIds])];
  const isWorse = tcbStatuses.indexOf(part.tcbStatus) > tcbStatuses.indexOf(platform.tcbStatus);
  const needsConfiguration = platform.tcbStatus.startsWith('Configuration');
  if (isWorse && needsConfiguration && part.tcbStatus === 'OutOfDate')
    return { tcbStatus: 'OutOfDateConfigurationNeeded', advisoryIds };
  return { tcbStatus: isWorse ? part.tcbStatus : platform.tcbStatus, advisoryIds };
}

/**
 * Accepted statuses besides `UpToDate`, each with its accepted advisories. A platform with any other advisory is
 * rejected.
 */
export type AcceptedTcb = Partial<Record<TcbStatus, readonly string[]>>;

export function isAcceptable({ tcbStatus, advisoryIds }: TcbVerdict, accepted: AcceptedTcb = {}): boolean {
  if (tcbStatus === 'UpToDate') return true;
  const known = tcbStatus === 'Revoked' ? undefined : accepted[tcbStatus];
  return known !== undefined && advisoryIds.every((id) => known.includes(id));
}
