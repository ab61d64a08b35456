import { Injectable } from '@nestjs/common';
import type { SwapQuoteRequest } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { RouteToken, SwapRequest } from '@tollbridge/routing';
import { chainFailure } from '../chains/chain-failure';
import { badAddress, canonical, Tokens } from '../chains/tokens';

/** Fields with an alias. */
const names = [
  ['inputToken', 'tokenIn'],
  ['outputToken', 'tokenOut'],
  ['inputAmount', 'amountIn'],
] as const;

/** Requires each field exactly once, by its name or its alias. A field with an error in `found` counts as present. */
export function validateAliases(
  request: Partial<SwapQuoteRequest>,
  found: readonly FieldError[],
): FieldError[] {
  const wrong = new Set(found.map(({ field }) => field.split('.')[0]));
  return names.flatMap(([name, other]): FieldError[] => {
    if (wrong.has(name) || wrong.has(other)) return [];
    if (request[name] === undefined && request[other] === undefined)
      return [{ field: name, message: 'is missing' }];
    const isTwice = request[name] !== undefined && request[other] !== undefined;
    return isTwice ? [{ field: other, message: `is an alias of ${name}; send only one of them` }] : [];
  });
}

/** Validates the form of all addresses, without a node. */
export function validateAddresses(request: Partial<SwapQuoteRequest>): FieldError[] {
  const tokens = names.flat().flatMap((name): FieldError[] => {
    const token = request[name];
    const isBad = typeof token === 'object' && canonical(token.address) === undefined;
    return isBad ? [{ field: `${name}.address`, message: badAddress }] : [];
  });
  const { userAddress } = request;
  const isInvalid = userAddress !== undefined && !canonical(userAddress);
  return isInvalid ? [...tokens, { field: 'userAddress', message: badAddress }] : tokens;
}

/** Reads quote requests of clients, with tokens by symbol or address. */
@Injectable()
export class SwapRequests {
  constructor(private readonly tokens: Tokens) {}

  /** @throws DomainError with the errors of all invalid fields */
  async read(request: SwapQuoteRequest): Promise<SwapRequest> {
    const { slippageBps, userAddress } = request;
    const [givenName, wantedName] = [
      request.inputToken ? 'inputToken' : 'tokenIn',
      request.outputToken ? 'outputToken' : 'tokenOut',
    ] as const;
    const [from, to] = await Promise.all([
      this.tokens.find(request[givenName]!, givenName),
      this.tokens.find(request[wantedName]!, wantedName),
    ]).catch((error: unknown) => {
      throw chainFailure(error);
    });
    const problems = [from, to].flatMap((found) => (Array.isArray(found) ? found : []));
    if (problems.length === 0 && isSame(from as RouteToken, to as RouteToken))
      problems.push({ field: wantedName, message: `is the same token as ${givenName}` });
    if (problems.length > 0) throw DomainError.invalid(problems);
    return {
      from: from as RouteToken,
      to: to as RouteToken,
      amountInAtomic: BigInt(request.inputAmount ?? request.amountIn!),
      slippageBps,
      sender: userAddress === undefined ? null : canonical(userAddress)!,
    };
  }
}

const isSame = (one: RouteToken, other: RouteToken): boolean =>
  one.chain === other.chain && one.address === other.address;
