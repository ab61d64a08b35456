#[test_only]
module tollbridge::amounts_tests;

use tollbridge::pay;
use tollbridge::scene::{Self, USDC};

const MAX: u64 = 18_446_744_073_709_551_615;

#[test]
fun merchant_and_fee_receiver_get_exact_amounts() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 1, 3);
    scene::assert_holds<USDC>(&mut scenario, scene::payer(), 0, 0);
    scenario.end();
}

#[test]
fun zero_fee_makes_no_second_coin_and_needs_no_receiver() {
    let mut scenario = scene::publish();
    let order = scene::order().with_amounts(100, 100, 0).with_receivers(scene::merchant(), @0x0);
    scene::pay<USDC>(&mut scenario, order);
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 100);
    scene::assert_holds<USDC>(&mut scenario, @0x0, 0, 0);
    scenario.end();
}

#[test]
fun zero_fee_sends_nothing_to_a_named_fee_receiver() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(100, 100, 0));
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 0, 0);
    scenario.end();
}

#[test]
fun smallest_amounts_are_exact() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(2, 1, 1));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 1);
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 1, 1);
    scenario.end();
}

#[test]
fun fee_above_the_merchants_share_is_exact() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(100, 1, 99));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 1);
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 1, 99);
    scenario.end();
}

#[test]
fun largest_amounts_are_exact() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(MAX, 1, MAX - 1));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 1);
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 1, MAX - 1);
    scenario.end();
}

#[test]
fun one_receiver_of_both_shares_gets_both() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::merchant(), scene::merchant()));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 2, 100);
    scenario.end();
}

#[test]
fun payer_may_be_the_merchant_because_no_balances_are_compared() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::payer(), scene::fee_receiver()));
    scene::assert_holds<USDC>(&mut scenario, scene::payer(), 1, 97);
    scene::assert_holds<USDC>(&mut scenario, scene::fee_receiver(), 1, 3);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EWrongCoinValue, location = pay)]
fun coin_of_one_unit_too_little_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay_with<USDC>(&mut scenario, scene::order(), 99);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EWrongCoinValue, location = pay)]
fun coin_of_one_unit_too_much_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay_with<USDC>(&mut scenario, scene::order(), 101);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EWrongCoinValue, location = pay)]
fun empty_coin_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay_with<USDC>(&mut scenario, scene::order(), 0);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EWrongCoinValue, location = pay)]
fun huge_coin_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay_with<USDC>(&mut scenario, scene::order(), MAX);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EAmountsDoNotAddUp, location = pay)]
fun sum_above_amount_in_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(100, 98, 3));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EAmountsDoNotAddUp, location = pay)]
fun sum_below_amount_in_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(100, 96, 3));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EAmountsDoNotAddUp, location = pay)]
fun sum_that_overflows_to_amount_in_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(1, MAX, 2));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EAmountsDoNotAddUp, location = pay)]
fun sum_of_two_largest_amounts_is_rejected_by_the_rule() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(MAX, MAX, MAX));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EZeroMerchantAmount, location = pay)]
fun merchant_amount_of_zero_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(3, 0, 3));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EZeroMerchantAmount, location = pay)]
fun order_of_nothing_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_amounts(0, 0, 0));
    scenario.end();
}
