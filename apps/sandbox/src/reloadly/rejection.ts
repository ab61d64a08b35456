/** An error in the provider's format. */
export class Rejection extends Error {
  constructor(
    readonly status: number,
    readonly errorCode: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const two = (part: number): string => String(part).padStart(2, '0');

/** `2026-03-01 10:20:30` in UTC, as the provider formats times. */
export function wireTime(ms: number): string {
  const at = new Date(ms);
  const day = [at.getUTCFullYear(), two(at.getUTCMonth() + 1), two(at.getUTCDate())].join('-');
  return `${day} ${[at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')}`;
}

export const rejectionBody = (
  rejection: Pick<Rejection, 'message' | 'errorCode'>,
  path: string,
  nowMs: number,
) => ({
  timeStamp: wireTime(nowMs),
  message: rejection.message,
  path,
  errorCode: rejection.errorCode,
  infoLink: null,
  details: [],
});
