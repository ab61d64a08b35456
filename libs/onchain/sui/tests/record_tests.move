#[test_only]
module tollbridge::record_tests;

use std::bcs;
use std::string::{Self, String};
use std::ascii;
use std::type_name;
use sui::event;
use sui::hash;
use sui::test_scenario;
use tollbridge::pay::{Self, OrderPaid, Registry};
use tollbridge::scene::{Self, USDC};

/// The event's fields, in the order of their decoding by clients.
public struct Expected has drop {
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

#[test]
fun event_contains_every_field() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_tokens(b"IN", b"OUT"));
    let events = event::events_by_type<OrderPaid>();
    assert!(events.length() == 1);
    let expected = Expected {
        order_hash: scene::hash<USDC>(scene::order().with_tokens(b"IN", b"OUT")),
        order_id: x"018f3b2c7d4e7a119c5500d1e2f30415",
        payer: scene::payer(),
        token_in: string::utf8(b"IN"),
        token_out: string::utf8(b"OUT"),
        amount_in: 100,
        token_in_address: type_name::with_defining_ids<USDC>().into_string(),
        merchant: scene::merchant(),
        merchant_amount: 97,
        fee_receiver: scene::fee_receiver(),
        fee_amount: 3,
        deadline: scene::deadline(),
    };
    assert!(bcs::to_bytes(&events[0]) == bcs::to_bytes(&expected));
    scenario.end();
}

#[test]
fun event_names_the_sender_as_payer() {
    let mut scenario = scene::publish();
    scene::pay_from<USDC>(&mut scenario, scene::stranger(), scene::order(), 100, 0);
    let bytes = bcs::to_bytes(&event::events_by_type<OrderPaid>()[0]);
    let payer = bcs::to_bytes(&scene::stranger());
    // The payer follows the hash (1 + 32 bytes) and the id (1 + 16 bytes).
    let mut i = 0;
    while (i < 32) {
        assert!(bytes[50 + i] == payer[i]);
        i = i + 1;
    };
    scenario.end();
}

#[test]
fun payment_makes_no_object_beyond_the_two_coins() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    let effects = scenario.next_tx(scene::payer());
    // The fee's coin, and the coin that the test minted. The record is a field of the registry.
    assert!(effects.created().length() == 2);
    // Only the registry, which the test has returned.
    assert!(effects.shared().length() == 1);
    assert!(effects.frozen().length() == 0);
    assert!(effects.num_user_events() == 1);
    scenario.end();
}

#[test]
fun publishing_shares_one_registry_and_gives_nothing_to_the_publisher() {
    let mut scenario = test_scenario::begin(scene::stranger());
    pay::publish_for_testing(scenario.ctx());
    let effects = scenario.next_tx(scene::stranger());
    assert!(effects.created().length() == 1);
    assert!(effects.shared().length() == 1);
    assert!(test_scenario::ids_for_address<Registry>(scene::stranger()).length() == 0);
    scenario.end();
}

/// 40 orders of pseudo-random amounts. Every coin of the payer reaches a receiver, and the registry never holds coins.
#[test]
fun sums_are_conserved_and_nothing_is_held() {
    let mut scenario = scene::publish();
    let registry = scene::registry_address(&mut scenario);
    let (mut paid, mut to_merchant, mut to_fee_receiver, mut i) = (0, 0, 0, 0u64);
    while (i < 40) {
        let digest = hash::keccak256(&bcs::to_bytes(&i));
        let (merchant_amount, fee_amount) = (amount(&digest, 0) + 1, amount(&digest, 6));
        let order = scene::order().with_amounts(merchant_amount + fee_amount, merchant_amount, fee_amount);
        scene::pay<USDC>(&mut scenario, order);
        paid = paid + merchant_amount + fee_amount;
        to_merchant = to_merchant + merchant_amount;
        to_fee_receiver = to_fee_receiver + fee_amount;
        i = i + 1;
    };
    let (_, merchant_sum) = scene::collect<USDC>(&mut scenario, scene::merchant());
    let (_, fee_sum) = scene::collect<USDC>(&mut scenario, scene::fee_receiver());
    assert!(merchant_sum == to_merchant);
    assert!(fee_sum == to_fee_receiver);
    assert!(merchant_sum + fee_sum == paid);
    scene::assert_holds<USDC>(&mut scenario, registry, 0, 0);
    scene::assert_holds<USDC>(&mut scenario, @tollbridge, 0, 0);
    scene::assert_holds<USDC>(&mut scenario, scene::payer(), 0, 0);
    let registry = scenario.take_shared<Registry>();
    assert!(bcs::to_bytes(&registry).length() == 32);
    test_scenario::return_shared(registry);
    scenario.end();
}

/// An amount of at most 40 bits, so that the sum of 80 amounts fits in a u64. Every fourth fee is zero.
fun amount(digest: &vector<u8>, offset: u64): u64 {
    if (offset > 0 && digest[31] < 64) return 0;
    let (mut value, mut i) = (0u64, 0);
    while (i < 1 + ((digest[30] % 5) as u64)) {
        value = value * 256 + (digest[offset + i] as u64);
        i = i + 1;
    };
    value
}
