import { base58 } from '@scure/base';
import { getBytes } from 'ethers';
import { tollbridgePaySuiDependencies, tollbridgePaySuiModule } from '../generated/tollbridge-pay-sui';
import type { PaymentOrder } from '../payment-order';
import { BcsWriter } from './bcs';
import { canonicalMoveType, parseMoveType, writeMoveType } from './move-type';
import type { SuiPayContract } from './sui-order';

/** A reference to one version of an object that an account owns. */
export interface SuiObjectRef {
  readonly objectId: string;
  readonly version: bigint;
  /** 32 bytes in base58, the form that nodes return. */
  readonly digest: string;
}

export interface SuiCoin extends SuiObjectRef {
  readonly balanceAtomic: bigint;
}

const sui = canonicalMoveType('0x2::sui::SUI');
const clockObject = { objectId: '0x6', version: 1n, isMutable: false };
// Sui allows 2,048 inputs and 16 KB per argument list, but wallets and fees set a lower practical limit.
const maxCoins = 250;

// Variants of Sui's enums, in the order of Sui's declarations.
const kind = { programmable: 0 };
const input = { pure: 0, object: 1 };
const object = { owned: 0, shared: 1 };
const argumentVariant = { gas: 0, input: 1, result: 2, part: 3 };
const command = { moveCall: 0, transferObjects: 1, splitCoins: 2, mergeCoins: 3, publish: 4 };
type Argument =
  | { kind: 'gas' }
  | { kind: 'input' | 'result'; at: number }
  | { kind: 'part'; at: number; part: number };

const gasCoin: Argument = { kind: 'gas' };

/** The inputs and commands of a programmable transaction. They are encoded when they are added. */
class TransactionKind {
  private readonly inputs: BcsWriter[] = [];
  private readonly commands: BcsWriter[] = [];

  pure(write: (writer: BcsWriter) => BcsWriter): Argument {
    return this.input(new BcsWriter().length(input.pure).byteVector(write(new BcsWriter()).bytes));
  }

  owned({ objectId, version, digest }: SuiObjectRef): Argument {
    const writer = new BcsWriter().length(input.object).length(object.owned);
    return this.input(writer.address(objectId).u64(version).byteVector(base58.decode(digest)));
  }

  shared({
    objectId,
    version,
    isMutable,
  }: {
    objectId: string;
    version: bigint;
    isMutable: boolean;
  }): Argument {
    const writer = new BcsWriter().length(input.object).length(object.shared);
    return this.input(writer.address(objectId).u64(version).bool(isMutable));
  }

  moveCall(target: string, typeArguments: readonly string[], args: readonly Argument[]): number {
    const [address, module, name] = target.split('::') as [string, string, string];
    const writer = new BcsWriter().length(command.moveCall).address(address).text(module).text(name);
    writer.vector(typeArguments.map(parseMoveType), writeMoveType);
    return this.command(writer.vector(args, writeArgument));
  }

  transfer(object: Argument, receiver: Argument): void {
    const writer = new BcsWriter().length(command.transferObjects).vector([object], writeArgument);
    writeArgument(receiver, writer);
    this.command(writer);
  }

  splitCoin(coin: Argument, amount: Argument): Argument {
    const writer = new BcsWriter().length(command.splitCoins);
    writeArgument(coin, writer);
    return { kind: 'part', at: this.command(writer.vector([amount], writeArgument)), part: 0 };
  }

  mergeCoins(target: Argument, coins: readonly Argument[]): void {
    const writer = new BcsWriter().length(command.mergeCoins);
    writeArgument(target, writer);
    this.command(writer.vector(coins, writeArgument));
  }

  publish(modules: readonly Uint8Array[], dependencies: readonly string[]): Argument {
    const writer = new BcsWriter().length(command.publish);
    writer.vector(modules, (module, to) => to.byteVector(module));
    return { kind: 'result', at: this.command(writer.vector(dependencies, (id, to) => to.address(id))) };
  }

  get bytes(): Uint8Array {
    const append = (part: BcsWriter, to: BcsWriter) => to.fixed(part.bytes);
    return new BcsWriter().length(kind.programmable).vector(this.inputs, append).vector(this.commands, append)
      .bytes;
  }

  private input = (writer: BcsWriter): Argument => ({ kind: 'input', at: this.inputs.push(writer) - 1 });
  private command = (writer: BcsWriter): number => this.commands.push(writer) - 1;
}

function writeArgument(argument: Argument, writer: BcsWriter): void {
  writer.length(argumentVariant[argument.kind]);
  if (argument.kind !== 'gas') writer.u16(argument.at);
  if (argument.kind === 'part') writer.u16(argument.part);
}

/**
 * Encodes the payment of an order as the kind of a transaction (BCS). A wallet adds sender and gas, signs the
 * transaction and sends it.
 * @param coins the payer's coins of the order's type from `chooseSuiCoins`. Empty for an order in SUI: the transaction
 * splits SUI from its own gas coin.
 * @throws when a field is malformed, or the coins are missing
 */
export function encodeSuiPayment(
  contract: SuiPayContract,
  order: PaymentOrder,
  coins: readonly SuiObjectRef[] = [],
): Uint8Array {
  const type = canonicalMoveType(order.token_in_address);
  const transaction = new TransactionKind();
  const source = type === sui ? gasCoin : mergedCoin(transaction, coins);
  const amountIn = transaction.pure((to) => to.u64(order.amount_in));
  const payment = transaction.splitCoin(source, amountIn);
  transaction.moveCall(
    `${contract.packageId}::pay::pay`,
    [type],
    [
      registryOf(contract, transaction),
      payment,
      transaction.pure((to) => to.byteVector(getBytes(order.order_id))),
      transaction.pure((to) => to.text(order.token_in)),
      transaction.pure((to) => to.text(order.token_out)),
      amountIn,
      transaction.pure((to) => to.address(order.merchant)),
      transaction.pure((to) => to.u64(order.merchant_amount)),
      transaction.pure((to) => to.address(order.fee_receiver)),
      transaction.pure((to) => to.u64(order.fee_amount)),
      transaction.pure((to) => to.u64(order.deadline)),
      transaction.shared(clockObject),
    ],
  );
  return transaction.bytes;
}

/**
 * Encodes a transfer as the kind of a transaction (BCS).
 * @param coins the sender's coins of one type from `chooseSuiCoins`. Empty for a transfer of SUI: the transaction
 * splits SUI from its own gas coin.
 */
export function encodeSuiTransfer(
  receiver: string,
  amountAtomic: bigint,
  coins: readonly SuiObjectRef[] = [],
): Uint8Array {
  const transaction = new TransactionKind();
  const source = coins.length === 0 ? gasCoin : mergedCoin(transaction, coins);
  const part = transaction.splitCoin(
    source,
    transaction.pure((to) => to.u64(amountAtomic)),
  );
  transaction.transfer(
    part,
    transaction.pure((to) => to.address(receiver)),
  );
  return transaction.bytes;
}

/**
 * Encodes the deletion of the records of expired orders. Their storage deposits go to the sender, who must be the
 * payer.
 * @param orderHashes at most 250. A record of another payer, or of an order that has not expired, makes the whole call
 * fail.
 */
export function encodeSuiReclaim(contract: SuiPayContract, orderHashes: readonly string[]): Uint8Array {
  const transaction = new TransactionKind();
  const registry = registryOf(contract, transaction);
  const clock = transaction.shared(clockObject);
  for (const orderHash of orderHashes) {
    const name = transaction.pure((to) => to.byteVector(getBytes(orderHash)));
    transaction.moveCall(`${contract.packageId}::pay::reclaim_storage`, [], [registry, name, clock]);
  }
  return transaction.bytes;
}

/**
 * Encodes the publication of the package. The same transaction makes it immutable, so that it can never be upgraded.
 */
export function encodeSuiPublish(): Uint8Array {
  const transaction = new TransactionKind();
  const modules = [Buffer.from(tollbridgePaySuiModule, 'base64')];
  const upgradeCap = transaction.publish(modules, tollbridgePaySuiDependencies);
  transaction.moveCall('0x2::package::make_immutable', [], [upgradeCap]);
  return transaction.bytes;
}

/** Returns the module's bytecode in the form that a node returns for a package with this id. */
export function publishedSuiModule(packageId: string): Uint8Array {
  const module = Buffer.from(tollbridgePaySuiModule, 'base64');
  // The compiler writes the package's own address only once, as the first address.
  const offset = module.indexOf(Buffer.alloc(32));
  module.set(new BcsWriter().address(packageId).bytes, offset);
  return Uint8Array.from(module);
}

/**
 * Chooses the largest coins that cover an amount.
 * @returns at most 250 coins; an empty list when they do not suffice
 */
export function chooseSuiCoins(coins: readonly SuiCoin[], amountAtomic: bigint): SuiCoin[] {
  const largestFirst = [...coins]
    .sort((a, b) => (a.balanceAtomic < b.balanceAtomic ? 1 : -1))
    .slice(0, maxCoins);
  let sumAtomic = 0n;
  for (const [index, { balanceAtomic }] of largestFirst.entries()) {
    sumAtomic += balanceAtomic;
    if (sumAtomic >= amountAtomic) return largestFirst.slice(0, index + 1);
  }
  return [];
}

function mergedCoin(transaction: TransactionKind, coins: readonly SuiObjectRef[]): Argument {
  const [first, ...rest] = coins.map((coin) => transaction.owned(coin));
  if (first === undefined) throw new Error('The payer has no coins for this order');
  if (rest.length > 0) transaction.mergeCoins(first, rest);
  return first;
}

const registryOf = (
  { registryId, registryVersion }: SuiPayContract,
  transaction: TransactionKind,
): Argument => transaction.shared({ objectId: registryId, version: registryVersion, isMutable: true });
