// Changes one rule of sui/sources/pay.move at a time and runs its tests, which must fail. The last line is "N killed, N
// survived".
import { readMoveFiles, testMovePackage } from '../sui/move-package.mjs';

/** The rule, its code, and the replacement without the rule. */
const mutations = [
  ['deadline', 'assert!(!has_passed(deadline, clock), EOrderExpired);', ''],
  ['deadline is inclusive', '/ 1000 > deadline', '/ 1000 >= deadline'],
  ['deadline is in seconds', 'clock.timestamp_ms() / 1000 >', 'clock.timestamp_ms() >'],
  ['once', 'assert!(!registry.is_recorded(order_hash), EOrderAlreadyPaid);', ''],
  ['record', 'registry.record(order_hash, Payment { payer: ctx.sender(), deadline });', ''],
  ['key is the whole order', 'hash::keccak256(&bcs::to_bytes(order))', 'hash::keccak256(&order.order_id)'],
  ['coin type of the payment', 'type_name::with_defining_ids<T>()', 'type_name::with_defining_ids<u64>()'],
  ['order id length', 'assert!(order.order_id.length() == ORDER_ID_BYTES, EInvalidOrderId);', ''],
  ['order id is not longer', 'order_id.length() == ORDER_ID_BYTES', 'order_id.length() >= ORDER_ID_BYTES'],
  ['order id is not shorter', 'order_id.length() == ORDER_ID_BYTES', 'order_id.length() <= ORDER_ID_BYTES'],
  ['token_in length', 'assert!(order.token_in.length() <= MAX_TOKEN_NAME_BYTES, ETokenNameTooLong);', ''],
  ['token_out length', 'assert!(order.token_out.length() <= MAX_TOKEN_NAME_BYTES, ETokenNameTooLong);', ''],
  ['token length is inclusive', 'order.token_in.length() <= MAX', 'order.token_in.length() < MAX'],
  ['coin type length', '<= MAX_COIN_TYPE_BYTES, ETokenNameTooLong', '<= 99999, ETokenNameTooLong'],
  ['coin type may be long', 'MAX_COIN_TYPE_BYTES: u64 = 1024', 'MAX_COIN_TYPE_BYTES: u64 = 200'],
  ['merchant amount', 'assert!(order.merchant_amount > 0, EZeroMerchantAmount);', ''],
  ['amounts add up', 'assert!(sum == (order.amount_in as u128), EAmountsDoNotAddUp);', ''],
  ['amounts do not exceed', 'sum == (order.amount_in as u128)', 'sum >= (order.amount_in as u128)'],
  ['amounts do not fall short', 'sum == (order.amount_in as u128)', 'sum <= (order.amount_in as u128)'],
  [
    'sum does not overflow',
    '(order.merchant_amount as u128) + (order.fee_amount as u128)',
    '((order.merchant_amount + order.fee_amount) as u128)',
  ],
  ['coin value', 'assert!(payment.value() == order.amount_in, EWrongCoinValue);', ''],
  ['coin is not larger', 'payment.value() == order.amount_in', 'payment.value() >= order.amount_in'],
  ['coin is not smaller', 'payment.value() == order.amount_in', 'payment.value() <= order.amount_in'],
  ['merchant is valid', 'registry.require_receiver(merchant);', ''],
  ['fee receiver is valid', 'if (fee_amount > 0) registry.require_receiver(fee_receiver);', ''],
  ['fee receiver without fee', 'if (fee_amount > 0) registry.require_receiver', 'registry.require_receiver'],
  ['system addresses', 'assert!(address::to_u256(receiver) >= FIRST_ACCOUNT_ADDRESS, EInvalidReceiver);', ''],
  ['last system address', '>= FIRST_ACCOUNT_ADDRESS', '>= FIRST_ACCOUNT_ADDRESS - 1'],
  ['first account', '>= FIRST_ACCOUNT_ADDRESS', '> FIRST_ACCOUNT_ADDRESS'],
  ['registry as receiver', 'assert!(receiver != registry.id.to_address(), EInvalidReceiver);', ''],
  ['package as receiver', 'assert!(receiver != type_name::original_id<Registry>(), EInvalidReceiver);', ''],
  ['fee amount', 'payment.split(order.fee_amount, ctx)', 'payment.split(order.fee_amount - 1, ctx)'],
  ['no coin for a zero fee', 'if (order.fee_amount > 0) {', 'if (order.amount_in > 0) {'],
  ['fee goes to its receiver', 'transfer(fee, order.fee_receiver)', 'transfer(fee, order.merchant)'],
  ['rest goes to the merchant', 'transfer(payment, order.merchant)', 'transfer(payment, order.fee_receiver)'],
  ['event', 'order.emit_paid(order_hash, ctx.sender());', ''],
  [
    'event names the payer',
    'order.emit_paid(order_hash, ctx.sender())',
    'order.emit_paid(order_hash, merchant)',
  ],
  ['reclaim after the deadline', 'assert!(has_passed(payment.deadline, clock), EDeadlineNotPassed);', ''],
  ['reclaim by the payer', 'assert!(payment.payer == ctx.sender(), ENotThePayer);', ''],
  [
    'record names the payer',
    'Payment { payer: ctx.sender(), deadline }',
    'Payment { payer: merchant, deadline }',
  ],
  ['reclaim of what is recorded', 'assert!(registry.is_recorded(order_hash), ENotPaid);', ''],
  ['one registry', 'fun init(ctx: &mut TxContext) {', 'fun init(ctx: &mut TxContext) { share(ctx);'],
];

const secondRegistry = `
#[allow(unused_function)]
fun share(ctx: &mut TxContext) { transfer::share_object(Registry { id: object::new(ctx) }) }`;

const [[path, source]] = Object.entries(readMoveFiles('sources'));
const survivors = [];
for (const [rule, code, mutated] of mutations) {
  if (source.split(code).length !== 2) throw new Error(`${rule}: the code is not in ${path} exactly once`);
  const sources = { [path]: `${source.replace(code, mutated)}${secondRegistry}` };
  const { failed } = await testMovePackage({ sources });
  if (failed.length === 0) survivors.push(rule);
  console.log(`${failed.length > 0 ? 'killed  ' : 'SURVIVED'}  ${rule}: ${failed.length} tests failed`);
}
console.log(`${mutations.length - survivors.length} killed, ${survivors.length} survived`);
process.exitCode = survivors.length > 0 ? 1 : 0;
