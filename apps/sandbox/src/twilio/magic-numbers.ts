/** An error of Twilio, with code, status and message. */
export interface TwilioError {
  code: number;
  status: number;
  message: string;
}

const bad = (code: number, message: string): TwilioError => ({ code, status: 400, message });

const toErrors = {
  21211: bad(21211, "The 'To' number is not a valid phone number."),
  21612: bad(21612, "Message cannot be sent with the current combination of 'To' and/or 'From' parameters"),
  21408: bad(21408, 'Permission to send an SMS has not been enabled for the region indicated by the number'),
  21610: bad(21610, 'Attempt to send to unsubscribed recipient'),
  21614: bad(21614, "'To' number is not a valid mobile number"),
} as const;

/**
 * Rejected numbers: those of the provider's test credentials. Valid but unassigned numbers (+1 202 555 01xx) return the
 * same errors, for clients that validate the format first.
 */
export const rejectedTo: ReadonlyMap<string, TwilioError> = new Map([
  ['+15005550001', toErrors[21211]],
  ['+15005550002', toErrors[21612]],
  ['+15005550003', toErrors[21408]],
  ['+15005550004', toErrors[21610]],
  ['+15005550009', toErrors[21614]],
  ['+12025550111', toErrors[21211]],
  ['+12025550112', toErrors[21612]],
  ['+12025550108', toErrors[21408]],
  ['+12025550110', toErrors[21610]],
  ['+12025550114', toErrors[21614]],
  ['+12025550129', { code: 20429, status: 429, message: 'Too Many Requests' }],
]);

export const rejectedFrom: ReadonlyMap<string, TwilioError> = new Map([
  ['+15005550001', bad(21212, "The 'From' number is not a valid phone number.")],
  ['+15005550007', bad(21606, "The 'From' phone number is not a valid, SMS-capable number")],
  ['+15005550008', bad(21611, "This 'From' number has exceeded the maximum number of queued messages")],
]);

/** A number that accepts a message, and then closes the connection without a response. */
export const lostTo = '+12025550155';

/** A number that accepts a message which is never delivered. */
export const undeliverableTo = '+12025550130';
