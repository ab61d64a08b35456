/// Pays an order only once and before its deadline. The merchant and the fee receiver get the exact amounts, or the
/// payment aborts. The package has no owner and no admin, is published immutable, and never holds coins.
module tollbridge::pay;

use std::ascii;
use std::bcs;
use std::string::String;
use std::type_name;
use sui::address;
use sui::clock::Clock;
use sui::coin::Coin;
use sui::dynamic_field;
use sui::event;
use sui::hash;

/// The deadline has passed.
const EOrderExpired: u64 = 1;
/// This order was already paid.
const EOrderAlreadyPaid: u64 = 2;
/// amount_in differs from merchant_amount + fee_amount.
const EAmountsDoNotAddUp: u64 = 3;
/// The merchant would receive nothing.
const EZeroMerchantAmount: u64 = 4;
/// token_in, token_out or the type of the coin is too long.
const ETokenNameTooLong: u64 = 5;
/// The address does not belong to an account, so the coins would be lost.
const EInvalidReceiver: u64 = 6;
/// The coin's value differs from amount_in.
const EWrongCoinValue: u64 = 7;
/// order_id does not have 16 bytes.
const EInvalidOrderId: u64 = 8;
/// No payment is recorded under this hash.
const ENotPaid: u64 = 9;
/// The sender is not the payer. Only the payer can reclaim the storage deposit.
const ENotThePayer: u64 = 10;
/// The order can still be paid, so its record must stay.
const EDeadlineNotPassed: u64 = 11;

const ORDER_ID_BYTES: u64 = 16;
/// Bounds, because an attacker could otherwise cheaply fill the event feed with huge events.
const MAX_TOKEN_NAME_BYTES: u64 = 128;
const MAX_COIN_TYPE_BYTES: u64 = 1024;
/// Lower addresses belong to system packages and objects (0x1, 0x2, 0x5, 0x6, 0x403, 0xdee9 ...) or do not belong to an
/// account.
const FIRST_ACCOUNT_ADDRESS: u256 = 0x10000;

/// Contains one record per paid order, as a dynamic field under the order's hash. It is shared once at publication, so
/// that an order can be paid only once per package.
public struct Registry has key {
    id: UID,
}

/// Name of the dynamic field of a paid order.
public struct OrderHash has copy, drop, store {
    bytes: vector<u8>,
}

/// The record of a paid order. The payer deposits the price of its storage, and reclaims it by `reclaim_storage`.
public struct Payment has drop, store {
    payer: address,
    deadline: u64,
}

/// The hashed fields of an order. Its hash is the keccak256 of the BCS encoding.
public struct Order has copy, drop {
    /// The UUID as 16 bytes.
    order_id: vector<u8>,
    /// Symbols of the pay token and the settle token. Informative, but part of the order's identity.
    token_in: String,
    token_out: String,
    /// The amount that the payer pays, in the coin's smallest unit: merchant_amount + fee_amount.
    amount_in: u64,
    /// Type of the coin: 64 hexadecimal digits without 0x, then ::module::NAME.
    token_in_address: ascii::String,
    merchant: address,
    merchant_amount: u64,
    fee_receiver: address,
    fee_amount: u64,
    /// The last Unix second when the order can be paid.
    deadline: u64,
}

/// An order was paid. The event contains every field, and a backend must compare all of them. Any account may pay an
/// invented order under a known order_id.
public struct OrderPaid has copy, drop {
    order_hash: vector<u8>,
    order_id: vector<u8>,
    payer: address,
    token_in: String,
    token_out: String,
    amount_in: u64,
    token_in_address: ascii::String,
    merchant: address,
    merchant_amount: u64,
    fee_receiver: address,
    fee_amount: u64,
    deadline: u64,
}

fun init(ctx: &mut TxContext) {
    transfer::share_object(Registry { id: object::new(ctx) })
}

/// Pays the order with `payment`, a coin of exactly amount_in. fee_receiver may be 0x0 if fee_amount is zero.
/// Reentrancy is impossible, because Move has no dynamic calls and a transfer runs no code of its receiver.
public fun pay<T>(
    registry: &mut Registry,
    payment: Coin<T>,
    order_id: vector<u8>,
    token_in: String,
    token_out: String,
    amount_in: u64,
    merchant: address,
    merchant_amount: u64,
    fee_receiver: address,
    fee_amount: u64,
    deadline: u64,
    clock: &Clock,
    ctx: &mut TxContext,
) {
    let order = Order {
        order_id,
        token_in,
        token_out,
        amount_in,
        token_in_address: coin_type<T>(),
        merchant,
        merchant_amount,
        fee_receiver,
        fee_amount,
        deadline,
    };
    assert!(!has_passed(deadline, clock), EOrderExpired);
    order.require_valid();
    registry.require_receiver(merchant);
    if (fee_amount > 0) registry.require_receiver(fee_receiver);

    let order_hash = order.hash();
    registry.record(order_hash, Payment { payer: ctx.sender(), deadline });
    forward(payment, &order, ctx);
    order.emit_paid(order_hash, ctx.sender());
}

/// Deletes the record of a payment after its deadline, when the order cannot be paid again. Sui returns the storage
/// deposit to the account that pays for this transaction's gas, so only the payer may send it.
public fun reclaim_storage(registry: &mut Registry, order_hash: vector<u8>, clock: &Clock, ctx: &mut TxContext) {
    assert!(registry.is_recorded(order_hash), ENotPaid);
    let payment: Payment = dynamic_field::remove(&mut registry.id, OrderHash { bytes: order_hash });
    assert!(payment.payer == ctx.sender(), ENotThePayer);
    assert!(has_passed(payment.deadline, clock), EDeadlineNotPassed);
}

/// Whether the order with this hash was paid and its storage is not reclaimed yet.
public fun is_recorded(registry: &Registry, order_hash: vector<u8>): bool {
    dynamic_field::exists_(&registry.id, OrderHash { bytes: order_hash })
}

/// Returns the key of the record for an order with these fields.
public fun hash_order<T>(
    order_id: vector<u8>,
    token_in: String,
    token_out: String,
    amount_in: u64,
    merchant: address,
    merchant_amount: u64,
    fee_receiver: address,
    fee_amount: u64,
    deadline: u64,
): vector<u8> {
    let order = Order {
        order_id,
        token_in,
        token_out,
        amount_in,
        token_in_address: coin_type<T>(),
        merchant,
        merchant_amount,
        fee_receiver,
        fee_amount,
        deadline,
    };
    order.hash()
}

/// Returns the coin's type in the form that nodes use. The ids are those of the package that defines the type.
fun coin_type<T>(): ascii::String {
    type_name::with_defining_ids<T>().into_string()
}

fun hash(order: &Order): vector<u8> {
    hash::keccak256(&bcs::to_bytes(order))
}

/// An order can still be paid in the second of its deadline.
fun has_passed(deadline: u64, clock: &Clock): bool {
    clock.timestamp_ms() / 1000 > deadline
}

fun require_valid(order: &Order) {
    assert!(order.order_id.length() == ORDER_ID_BYTES, EInvalidOrderId);
    assert!(order.token_in.length() <= MAX_TOKEN_NAME_BYTES, ETokenNameTooLong);
    assert!(order.token_out.length() <= MAX_TOKEN_NAME_BYTES, ETokenNameTooLong);
    assert!(order.token_in_address.length() <= MAX_COIN_TYPE_BYTES, ETokenNameTooLong);
    assert!(order.merchant_amount > 0, EZeroMerchantAmount);
    // In u128, because the sum of two u64 values may exceed a u64.
    let sum = (order.merchant_amount as u128) + (order.fee_amount as u128);
    assert!(sum == (order.amount_in as u128), EAmountsDoNotAddUp);
}

/// Rejects receivers that can never transfer a coin again: system addresses, the registry, and this package.
fun require_receiver(registry: &Registry, receiver: address) {
    assert!(address::to_u256(receiver) >= FIRST_ACCOUNT_ADDRESS, EInvalidReceiver);
    assert!(receiver != registry.id.to_address(), EInvalidReceiver);
    assert!(receiver != type_name::original_id<Registry>(), EInvalidReceiver);
}

/// The key is the hash of the whole order. With order_id as the key, an attacker could block the real payment by paying
/// one unit to themselves under a known id.
fun record(registry: &mut Registry, order_hash: vector<u8>, payment: Payment) {
    assert!(!registry.is_recorded(order_hash), EOrderAlreadyPaid);
    dynamic_field::add(&mut registry.id, OrderHash { bytes: order_hash }, payment);
}

/// The merchant receives the coin itself after the fee is split off. Its value is exactly merchant_amount, because the
/// amounts add up.
fun forward<T>(mut payment: Coin<T>, order: &Order, ctx: &mut TxContext) {
    assert!(payment.value() == order.amount_in, EWrongCoinValue);
    if (order.fee_amount > 0) {
        let fee = payment.split(order.fee_amount, ctx);
        transfer::public_transfer(fee, order.fee_receiver);
    };
    transfer::public_transfer(payment, order.merchant);
}

fun emit_paid(order: Order, order_hash: vector<u8>, payer: address) {
    let Order {
        order_id,
        token_in,
        token_out,
        amount_in,
        token_in_address,
        merchant,
        merchant_amount,
        fee_receiver,
        fee_amount,
        deadline,
    } = order;
    event::emit(OrderPaid {
        order_hash,
        order_id,
        payer,
        token_in,
        token_out,
        amount_in,
        token_in_address,
        merchant,
        merchant_amount,
        fee_receiver,
        fee_amount,
        deadline,
    })
}

#[test_only]
public fun publish_for_testing(ctx: &mut TxContext) {
    init(ctx)
}

#[test_only]
public fun registry_address(registry: &Registry): address {
    registry.id.to_address()
}
