/// One published package, a payer, and an order of 100 coins: 97 for the merchant, 3 for the platform.
#[test_only]
module tollbridge::scene;

use std::string::{Self, String};
use sui::clock;
use sui::coin::{Self, Coin};
use sui::test_scenario::{Self, Scenario};
use tollbridge::pay::{Self, Registry};

const PAYER: address = @0xa11ce;
const STRANGER: address = @0xbadbad;
const MERCHANT: address = @0xbeef1;
const FEE_RECEIVER: address = @0xbeef2;
const DEADLINE: u64 = 1_800_000_000;

public struct USDC has drop {}
/// A coin with the same name but another type, and thus another token.
public struct FAKE has drop {}

public struct Terms has copy, drop {
    order_id: vector<u8>,
    token_in: vector<u8>,
    token_out: vector<u8>,
    amount_in: u64,
    merchant: address,
    merchant_amount: u64,
    fee_receiver: address,
    fee_amount: u64,
    deadline: u64,
}

public fun payer(): address { PAYER }

public fun stranger(): address { STRANGER }

public fun merchant(): address { MERCHANT }

public fun fee_receiver(): address { FEE_RECEIVER }

public fun deadline(): u64 { DEADLINE }

public fun order(): Terms {
    Terms {
        order_id: x"018f3b2c7d4e7a119c5500d1e2f30415",
        token_in: b"USDC",
        token_out: b"USDC",
        amount_in: 100,
        merchant: MERCHANT,
        merchant_amount: 97,
        fee_receiver: FEE_RECEIVER,
        fee_amount: 3,
        deadline: DEADLINE,
    }
}

public fun with_order_id(mut terms: Terms, order_id: vector<u8>): Terms {
    terms.order_id = order_id;
    terms
}

public fun with_tokens(mut terms: Terms, token_in: vector<u8>, token_out: vector<u8>): Terms {
    terms.token_in = token_in;
    terms.token_out = token_out;
    terms
}

public fun with_amounts(mut terms: Terms, amount_in: u64, merchant_amount: u64, fee_amount: u64): Terms {
    terms.amount_in = amount_in;
    terms.merchant_amount = merchant_amount;
    terms.fee_amount = fee_amount;
    terms
}

public fun with_receivers(mut terms: Terms, merchant: address, fee_receiver: address): Terms {
    terms.merchant = merchant;
    terms.fee_receiver = fee_receiver;
    terms
}

public fun with_deadline(mut terms: Terms, deadline: u64): Terms {
    terms.deadline = deadline;
    terms
}

public fun text(length: u64): vector<u8> {
    let mut text = vector[];
    while (text.length() < length) text.push_back(120);
    text
}

public fun publish(): Scenario {
    let mut scenario = test_scenario::begin(@0xdeb107e4);
    pay::publish_for_testing(scenario.ctx());
    scenario.next_tx(PAYER);
    scenario
}

/// Pays the order in its last hour with a coin of exactly amount_in.
public fun pay<T>(scenario: &mut Scenario, terms: Terms) {
    pay_from<T>(scenario, PAYER, terms, terms.amount_in, (DEADLINE - 3600) * 1000)
}

public fun pay_with<T>(scenario: &mut Scenario, terms: Terms, coin_value: u64) {
    pay_from<T>(scenario, PAYER, terms, coin_value, (DEADLINE - 3600) * 1000)
}

public fun pay_at<T>(scenario: &mut Scenario, terms: Terms, now_ms: u64) {
    pay_from<T>(scenario, PAYER, terms, terms.amount_in, now_ms)
}

public fun pay_from<T>(scenario: &mut Scenario, payer: address, terms: Terms, coin_value: u64, now_ms: u64) {
    scenario.next_tx(payer);
    let mut registry = scenario.take_shared<Registry>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(now_ms);
    let payment = coin::mint_for_testing<T>(coin_value, scenario.ctx());
    registry.pay(
        payment,
        terms.order_id,
        string::utf8(terms.token_in),
        string::utf8(terms.token_out),
        terms.amount_in,
        terms.merchant,
        terms.merchant_amount,
        terms.fee_receiver,
        terms.fee_amount,
        terms.deadline,
        &clock,
        scenario.ctx(),
    );
    clock.destroy_for_testing();
    test_scenario::return_shared(registry);
}

public fun reclaim(scenario: &mut Scenario, sender: address, order_hash: vector<u8>, now_ms: u64) {
    scenario.next_tx(sender);
    let mut registry = scenario.take_shared<Registry>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(now_ms);
    registry.reclaim_storage(order_hash, &clock, scenario.ctx());
    clock.destroy_for_testing();
    test_scenario::return_shared(registry);
}

public fun hash<T>(terms: Terms): vector<u8> {
    let (token_in, token_out): (String, String) = (string::utf8(terms.token_in), string::utf8(terms.token_out));
    pay::hash_order<T>(
        terms.order_id,
        token_in,
        token_out,
        terms.amount_in,
        terms.merchant,
        terms.merchant_amount,
        terms.fee_receiver,
        terms.fee_amount,
        terms.deadline,
    )
}

public fun is_recorded(scenario: &mut Scenario, order_hash: vector<u8>): bool {
    scenario.next_tx(PAYER);
    let registry = scenario.take_shared<Registry>();
    let answer = registry.is_recorded(order_hash);
    test_scenario::return_shared(registry);
    answer
}

public fun registry_address(scenario: &mut Scenario): address {
    scenario.next_tx(PAYER);
    let registry = scenario.take_shared<Registry>();
    let answer = registry.registry_address();
    test_scenario::return_shared(registry);
    answer
}

/// Removes all coins from an address, and returns their number and sum.
public fun collect<T>(scenario: &mut Scenario, account: address): (u64, u64) {
    scenario.next_tx(PAYER);
    let ids = test_scenario::ids_for_address<Coin<T>>(account);
    let (mut i, mut sum) = (0, 0);
    while (i < ids.length()) {
        sum = sum + coin::burn_for_testing(scenario.take_from_address_by_id<Coin<T>>(account, ids[i]));
        i = i + 1;
    };
    (i, sum)
}

public fun assert_holds<T>(scenario: &mut Scenario, account: address, coins: u64, sum: u64) {
    let (count, total) = collect<T>(scenario, account);
    assert!(count == coins);
    assert!(total == sum);
}
