/** Reason and message for the client, by the provider's error code. Nothing was sent. */
export const declines: ReadonlyMap<number, [reason: string, message: string]> = new Map([
  [21211, ['INVALID_NUMBER', 'This number does not exist.']],
  [21614, ['NOT_MOBILE', 'This number cannot receive messages.']],
  [21612, ['NOT_REACHABLE', 'This number cannot be reached by messages from here.']],
  [21408, ['COUNTRY_NOT_ENABLED', 'Messages are not sent to this country.']],
  [21608, ['NOT_ALLOWED', 'Messages are not sent to this number.']],
  [21610, ['OPTED_OUT', 'The owner of this number has opted out of messages.']],
  [21617, ['TOO_LONG', 'The message is too long.']],
]);

/** Errors of this deployment's account, sender number or queue, which its operator must fix. */
export const accountCodes: readonly number[] = [20003, 20404, 21212, 21606, 21611, 21603, 30002];
