import { base58 } from '@scure/base';
import { BcsReader, suiCreatedObjectId, type SuiPayContract } from '@tollbridge/onchain/sui';
import { coinBalance, coinContents, coinTypeIn, type Owner, type SuiObject } from './objects';
import { payArguments, type PayValues } from './pay-arguments';
import { recordOf, type PaymentRecord } from './payment-record';
import { SuiFailure, SuiRejection } from './sui-rejection';
import type { Argument, Command, Input, TransactionData } from './transaction-data';

/** An object during the execution of a transaction. */
export interface Working {
  readonly id: string;
  readonly type: string;
  contents: Uint8Array;
  /** Null while the object is a value of the transaction. */
  owner: Owner | null;
  /** Null for a new object. */
  readonly before: SuiObject | null;
  isTaken: boolean;
  isDeleted: boolean;
}

export interface EmittedEvent {
  readonly type: string;
  readonly contents: Uint8Array;
}

export interface ProgrammableParts {
  data: TransactionData;
  /** The input objects by id. */
  objects: ReadonlyMap<string, SuiObject>;
  /** Published payment packages. */
  contracts: readonly SuiPayContract[];
  /** Executes the payment module. @throws SuiFailure when it aborts */
  pay(values: PayValues & { contract: SuiPayContract; command: number }): Promise<EmittedEvent>;
}

/** Executes the commands of a transaction on copies of its objects. */
export class Programmable {
  readonly working = new Map<string, Working>();
  readonly events: EmittedEvent[] = [];
  readonly gasCoinId: string;
  private readonly results: string[][] = [];
  private created = 0;

  constructor(private readonly parts: ProgrammableParts) {
    const { data, objects } = parts;
    this.gasCoinId = data.gas.coins[0]!.objectId;
    for (const object of objects.values())
      this.working.set(object.id, {
        id: object.id,
        type: object.type,
        contents: object.contents,
        owner: object.owner,
        before: object,
        isTaken: false,
        isDeleted: false,
      });
    this.smashGas();
  }

  /** @throws SuiFailure, or SuiRejection for a command that the local network does not support */
  async run(): Promise<void> {
    for (const [at, command] of this.parts.data.commands.entries())
      this.results.push(await this.execute(command, at));
    const unused = [...this.working.values()].find(({ owner, isDeleted }) => owner === null && !isDeleted);
    if (unused) throw new SuiFailure('UnusedValueWithoutDrop', this.parts.data.commands.length - 1);
  }

  /** Merges all gas coins into the first one. */
  private smashGas(): void {
    const [first, ...rest] = this.parts.data.gas.coins.map(({ objectId }) => this.working.get(objectId)!);
    let sum = coinBalance(first!);
    for (const coin of rest) {
      sum += coinBalance(coin);
      coin.isDeleted = true;
    }
    first!.contents = coinContents(first!.id, sum);
  }

  private async execute(command: Command, at: number): Promise<string[]> {
    switch (command.kind) {
      case 'split':
        return command.amounts.map((amount) => this.split(command.coin, this.u64(amount, at), at));
      case 'merge':
        for (const coin of command.coins) this.merge(command.target, coin, at);
        return [];
      case 'transfer': {
        const to = new BcsReader(this.pure(command.to, at)).address();
        for (const object of command.objects) this.transfer(object, to, at);
        return [];
      }
      case 'call':
        return this.call(command, at);
    }
  }

  private split(from: Argument, amountAtomic: bigint, at: number): string {
    const coin = this.coin(from, at);
    const balance = coinBalance(coin);
    // The gas budget stays reserved in the gas coin.
    const reserved = coin.id === this.gasCoinId ? this.parts.data.gas.budget : 0n;
    if (balance - reserved < amountAtomic) throw new SuiFailure('InsufficientCoinBalance', at);
    coin.contents = coinContents(coin.id, balance - amountAtomic);
    return this.create(coin.type, (id) => coinContents(id, amountAtomic), null).id;
  }

  private merge(target: Argument, source: Argument, at: number): void {
    const [into, coin] = [this.coin(target, at), this.coin(source, at)];
    const isMergeable = into.id !== coin.id && into.type === coin.type && coin.id !== this.gasCoinId;
    if (!isMergeable) throw new SuiFailure('CommandArgumentError', at);
    into.contents = coinContents(into.id, coinBalance(into) + coinBalance(coin));
    coin.isTaken = true;
    coin.isDeleted = true;
  }

  private transfer(argument: Argument, to: string, at: number): void {
    const object = this.object(argument, at);
    object.isTaken = true;
    object.owner = { kind: 'address', id: to };
  }

  private async call({ target, types, args }: Command & { kind: 'call' }, at: number): Promise<string[]> {
    const contract = this.parts.contracts.find(({ packageId }) => target === `${packageId}::pay::pay`);
    if (!contract) throw new SuiRejection(`The local network does not execute ${target}`);
    const [type] = types;
    if (args.length !== 12 || types.length !== 1) throw new SuiFailure('CommandArgumentError', at);
    this.requireShared(args[0]!, contract.registryId, true, at);
    this.requireShared(args[11]!, clockId, false, at);
    const coin = this.coin(args[1]!, at);
    if (coin.id === this.gasCoinId || coinTypeIn(coin.type) !== type)
      throw new SuiFailure('CommandArgumentError', at);
    const values = payArguments(
      args.slice(2, 11).map((it) => this.pure(it, at)),
      {
        payer: this.parts.data.sender,
        coinType: type!,
        coinValueAtomic: coinBalance(coin),
      },
    );
    this.events.push(await this.parts.pay({ ...values, contract, command: at }));
    this.forward(coin, values, recordOf(contract, values));
    return [];
  }

  /** Transfers the coin as the module does, after the virtual machine has executed it. */
  private forward(coin: Working, { order, coinValueAtomic }: PayValues, record: PaymentRecord): void {
    coin.isTaken = true;
    coin.owner = { kind: 'address', id: order.merchant };
    coin.contents = coinContents(coin.id, coinValueAtomic - order.fee_amount);
    if (order.fee_amount > 0n)
      this.create(coin.type, (id) => coinContents(id, order.fee_amount), {
        kind: 'address',
        id: order.fee_receiver,
      });
    this.put({ ...record, before: null });
  }

  private create(type: string, contents: (id: string) => Uint8Array, owner: Owner | null): Working {
    const id = suiCreatedObjectId(base58.decode(this.parts.data.digest), this.created++);
    return this.put({ id, type, contents: contents(id), owner, before: null });
  }

  private put(object: Omit<Working, 'isTaken' | 'isDeleted'>): Working {
    const working = { ...object, isTaken: false, isDeleted: false };
    this.working.set(working.id, working);
    return working;
  }

  private coin(argument: Argument, at: number): Working {
    const object = this.object(argument, at);
    if (coinTypeIn(object.type) === undefined) throw new SuiFailure('CommandArgumentError', at);
    return object;
  }

  private object(argument: Argument, at: number): Working {
    const id = this.idOf(argument);
    const object = id === undefined ? undefined : this.working.get(id);
    if (!object || object.isTaken || object.isDeleted || object.owner?.kind === 'shared')
      throw new SuiFailure('CommandArgumentError', at);
    return object;
  }

  private idOf(argument: Argument): string | undefined {
    switch (argument.kind) {
      case 'gas':
        return this.gasCoinId;
      case 'input': {
        const input = this.input(argument);
        return input?.kind === 'owned' ? input.ref.objectId : undefined;
      }
      case 'result': {
        const results = this.results[argument.at];
        return results?.length === 1 ? results[0] : undefined;
      }
      case 'part':
        return this.results[argument.at]?.[argument.part];
    }
  }

  private requireShared(argument: Argument, id: string, isMutable: boolean, at: number): void {
    const input = argument.kind === 'input' ? this.input(argument) : undefined;
    const isFine = input?.kind === 'shared' && input.id === id && (input.isMutable || !isMutable);
    if (!isFine) throw new SuiFailure('CommandArgumentError', at);
  }

  private pure(argument: Argument, at: number): Uint8Array {
    const input = argument.kind === 'input' ? this.input(argument) : undefined;
    if (input?.kind !== 'pure') throw new SuiFailure('CommandArgumentError', at);
    return input.bytes;
  }

  private u64(argument: Argument, at: number): bigint {
    const bytes = this.pure(argument, at);
    if (bytes.length !== 8) throw new SuiFailure('CommandArgumentError', at);
    return new BcsReader(bytes).u64();
  }

  private input({ at }: { at: number }): Input | undefined {
    return this.parts.data.inputs[at];
  }
}

export const clockId = `0x${'6'.padStart(64, '0')}`;
