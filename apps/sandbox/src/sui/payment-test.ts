import type { PaymentOrder } from '@tollbridge/onchain';
import {
  encodeSuiOrderPaid,
  hashSuiOrder,
  parseMoveType,
  type SuiPayContract,
} from '@tollbridge/onchain/sui';
import { getBytes, hexlify } from 'ethers';

/** A call of `pay` in a transaction. */
export interface PaymentCall {
  readonly contract: SuiPayContract;
  readonly payer: string;
  readonly order: PaymentOrder;
  /** Value of the paying coin. */
  readonly coinValueAtomic: bigint;
  readonly nowMs: number;
  /** Whether the registry has a record of the order. */
  readonly wasPaid: boolean;
}

/** Move sources, and the addresses that they refer to by name. */
export interface MoveTest {
  readonly packageId: string;
  readonly tests: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * Builds a unit test of the module for the payment. It passes when the module emits the event and pays the exact
 * amounts that the local network then shows.
 */
export function paymentTest(call: PaymentCall): MoveTest {
  const { contract, order } = call;
  const type = parseMoveType(order.token_in_address);
  if (type.kind !== 'struct') throw new Error('A coin has the type of a struct');
  const isSui = BigInt(type.address) === 2n;
  const named = isSui ? 'sui' : 'coin_package';
  const coin = `${named}::${type.module}::${type.name}`;
  return {
    packageId: contract.packageId,
    // The framework's address already has a name.
    addresses: isSui ? {} : { coin_package: type.address },
    tests: {
      'tests/coin_type.move': `#[test_only]
module ${named}::${type.module};
public struct ${type.name} has drop {}
`,
      'tests/local_payment.move': testModule(call, coin),
    },
  };
}

function testModule({ order, payer, coinValueAtomic, nowMs, wasPaid }: PaymentCall, coin: string): string {
  const pay = (value: bigint, atMs: number) =>
    `scene::pay_from<${coin}>(&mut scenario, @${payer}, terms, ${value}, ${atMs});`;
  const event = encodeSuiOrderPaid({ orderHash: hashSuiOrder(order), payer, order });
  return `#[test_only]
module tollbridge::local_payment;
use std::bcs;
use sui::event;
use tollbridge::pay::OrderPaid;
use tollbridge::scene;
#[test]
fun pays() {
    let mut scenario = scene::publish();
    let terms = scene::order()
        .with_order_id(${literal(order.order_id)})
        .with_tokens(${textLiteral(order.token_in)}, ${textLiteral(order.token_out)})
        .with_amounts(${order.amount_in}, ${order.merchant_amount}, ${order.fee_amount})
        .with_receivers(@${order.merchant}, @${order.fee_receiver})
        .with_deadline(${order.deadline});
    ${wasPaid ? pay(order.amount_in, 0) : ''}
    ${pay(coinValueAtomic, nowMs)}
    let events = event::events_by_type<OrderPaid>();
    assert!(events.length() == 1, 1000);
    assert!(bcs::to_bytes(&events[0]) == ${literal(hexlify(event))}, 1001);
    ${holdings(order, coin)}
    scenario.end();
}
`;
}

/** Returns statements that verify the exact amounts of the receivers. */
function holdings(
  { merchant, merchant_amount, fee_receiver, fee_amount }: PaymentOrder,
  coin: string,
): string {
  const holds = (account: string, coins: number, sum: bigint) =>
    `scene::assert_holds<${coin}>(&mut scenario, @${account}, ${coins}, ${sum});`;
  if (fee_amount === 0n) return holds(merchant, 1, merchant_amount);
  if (merchant === fee_receiver) return holds(merchant, 2, merchant_amount + fee_amount);
  return `${holds(merchant, 1, merchant_amount)} ${holds(fee_receiver, 1, fee_amount)}`;
}

const literal = (hex: string): string => `x"${hexlify(getBytes(hex)).slice(2)}"`;
const textLiteral = (text: string): string => `x"${Buffer.from(text, 'utf8').toString('hex')}"`;
