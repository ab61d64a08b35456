import { DomainError, decode, type BusOperation, type CallContext, type Operation } from '@tollbridge/rpc';
import { responseKind } from './sale';

/** A service for sale. It defines how a call is priced and executed. */
export interface SoldService<Input = any> {
  operation: Operation<Input, any>;
  /** The kind of its purchases; `responseKind` for a response. */
  purchaseKind: string;
  /** For a service without a purchase. The operator sets its price in decimal dollars, and its reply is stored. */
  response?: { priceUsd: string };
  /**
   * Returns the highest cost of a valid input at the provider, in decimal dollars. For a response, returns its price.
   * @throws DomainError for an input that cannot be bought
   */
  costUsd(input: Input): Promise<string>;
  /** Makes the purchase, or returns the purchase of an earlier call. */
  run(input: Input, context: CallContext): Promise<unknown>;
  /**
   * Waits for the purchased result of `run`, and returns the output. A payer that disconnects can repeat the call.
   * @param context its signal is aborted when the payer disconnects, or the service stops
   */
  finish?(bought: unknown, input: Input, context: CallContext): Promise<unknown>;
}

/** A service that produces its own response, without a purchase. */
export interface SoldResponse<Input> extends Pick<SoldService<Input>, 'operation' | 'run'> {
  priceUsd: string;
  /** @throws DomainError VALIDATION_ERROR, before anything is paid */
  check?(input: Input): unknown;
}

export const responseService = <Input>({
  operation,
  priceUsd,
  check,
  run,
}: SoldResponse<Input>): SoldService<Input> => ({
  operation,
  purchaseKind: responseKind,
  response: { priceUsd },
  async costUsd(input) {
    await check?.(input);
    return priceUsd;
  },
  run,
});

/** A read operation of a purchase. */
export interface SoldRead<Input = any> {
  operation: Operation<Input, any>;
  /** Returns the id of the purchase in the input. */
  purchaseIdOf(input: Input): string;
  run(input: Input, context: CallContext): Promise<unknown>;
}

/** The services of every feature that sells. */
export class SoldServices {
  private readonly services: ReadonlyMap<string, SoldService>;
  private readonly reads: ReadonlyMap<string, SoldRead>;

  constructor(services: readonly SoldService[], reads: readonly SoldRead[]) {
    this.services = bySubject(services);
    this.reads = bySubject(reads);
  }

  /** @throws DomainError NOT_FOUND */
  service(operation: string): SoldService {
    return this.services.get(operation) ?? notSold();
  }

  /** @throws DomainError NOT_FOUND */
  read(operation: string): SoldRead {
    return this.reads.get(operation) ?? notSold();
  }
}

const bySubject = <T extends { operation: BusOperation<any, any> }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [one.operation.subject, one]));

function notSold(): never {
  throw new DomainError('NOT_FOUND', 'This operation is not sold.');
}

/** @throws DomainError VALIDATION_ERROR */
export function decodedInput<Input>(
  { operation }: Pick<SoldService<Input>, 'operation'>,
  input: object,
): Input {
  const decoded = decode(operation.input, input);
  if (!decoded.ok) throw DomainError.invalid(decoded.errors);
  // The payment identifies the purchase. Two payments with the same reference would buy only once.
  if ((decoded.value as { customIdentifier?: unknown }).customIdentifier !== undefined)
    throw DomainError.invalid([
      {
        field: 'customIdentifier',
        message: 'must not be sent with a payment, which identifies the purchase',
      },
    ]);
  return decoded.value;
}
