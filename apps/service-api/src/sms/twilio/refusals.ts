/** Why a message was not sent, as the sender is told; by the provider's code. */
export const refusals: ReadonlyMap<number, [reason: string, sentence: string]> = new Map([
  [21211, ['INVALID_NUMBER', 'This number does not exist.']],
  [21614, ['NOT_MOBILE', 'This number cannot receive messages.']],
  [21612, ['NOT_REACHABLE', 'This number cannot be reached by messages from here.']],
  [21408, ['COUNTRY_NOT_ENABLED', 'Messages are not sent to this country.']],
  [21608, ['NOT_ALLOWED', 'Messages are not sent to this number.']],
  [21610, ['OPTED_OUT', 'Who has this number does not want messages from here.']],
  [21617, ['TOO_LONG', 'The message is too long.']],
]);

/** What the operator of this deployment has to mend: the account, the number that is sent from, its queue. */
export const accountCodes: readonly number[] = [20003, 20404, 21212, 21606, 21611, 21603, 30002];
