#[test_only]
module tollbridge::deadline_tests;

use tollbridge::pay;
use tollbridge::scene::{Self, USDC};

const MAX: u64 = 18_446_744_073_709_551_615;

#[test]
fun order_is_payable_in_the_last_millisecond_of_its_deadline() {
    let mut scenario = scene::publish();
    scene::pay_at<USDC>(&mut scenario, scene::order(), scene::deadline() * 1000 + 999);
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EOrderExpired, location = pay)]
fun order_is_not_payable_one_second_late() {
    let mut scenario = scene::publish();
    scene::pay_at<USDC>(&mut scenario, scene::order(), (scene::deadline() + 1) * 1000);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EOrderExpired, location = pay)]
fun deadline_in_milliseconds_of_the_past_is_not_taken_for_seconds() {
    let mut scenario = scene::publish();
    scene::pay_at<USDC>(&mut scenario, scene::order().with_deadline(0), 1000);
    scenario.end();
}

#[test]
fun largest_deadline_and_largest_time_do_not_overflow() {
    let mut scenario = scene::publish();
    scene::pay_at<USDC>(&mut scenario, scene::order().with_deadline(MAX), MAX);
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EOrderExpired, location = pay)]
fun expired_order_is_not_payable_after_its_storage_was_reclaimed() {
    let mut scenario = scene::publish();
    let late = (scene::deadline() + 1) * 1000;
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::reclaim(&mut scenario, scene::payer(), scene::hash<USDC>(scene::order()), late);
    scene::pay_at<USDC>(&mut scenario, scene::order(), late);
    scenario.end();
}

#[test]
fun reclaim_deletes_the_record_after_the_deadline() {
    let mut scenario = scene::publish();
    let order_hash = scene::hash<USDC>(scene::order());
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::reclaim(&mut scenario, scene::payer(), order_hash, (scene::deadline() + 1) * 1000);
    let effects = scenario.next_tx(scene::payer());
    // Only the field is deleted. The clock was created and deleted in one transaction.
    assert!(effects.deleted().length() == 1);
    assert!(effects.num_user_events() == 0);
    assert!(!scene::is_recorded(&mut scenario, order_hash));
    scenario.end();
}

#[test]
fun reclaim_leaves_other_records() {
    let mut scenario = scene::publish();
    let other = scene::order().with_amounts(2, 1, 1);
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::pay<USDC>(&mut scenario, other);
    let late = (scene::deadline() + 1) * 1000;
    scene::reclaim(&mut scenario, scene::payer(), scene::hash<USDC>(scene::order()), late);
    assert!(scene::is_recorded(&mut scenario, scene::hash<USDC>(other)));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EDeadlineNotPassed, location = pay)]
fun reclaim_is_rejected_while_the_order_can_be_paid() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    let order_hash = scene::hash<USDC>(scene::order());
    scene::reclaim(&mut scenario, scene::payer(), order_hash, scene::deadline() * 1000 + 999);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ENotThePayer, location = pay)]
fun reclaim_by_a_stranger_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    let order_hash = scene::hash<USDC>(scene::order());
    scene::reclaim(&mut scenario, scene::stranger(), order_hash, (scene::deadline() + 1) * 1000);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ENotThePayer, location = pay)]
fun reclaim_by_the_merchant_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    let order_hash = scene::hash<USDC>(scene::order());
    scene::reclaim(&mut scenario, scene::merchant(), order_hash, (scene::deadline() + 1) * 1000);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ENotPaid, location = pay)]
fun second_reclaim_is_rejected() {
    let mut scenario = scene::publish();
    let (order_hash, late) = (scene::hash<USDC>(scene::order()), (scene::deadline() + 1) * 1000);
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::reclaim(&mut scenario, scene::payer(), order_hash, late);
    scene::reclaim(&mut scenario, scene::payer(), order_hash, late);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ENotPaid, location = pay)]
fun reclaim_of_an_unpaid_order_is_rejected() {
    let mut scenario = scene::publish();
    let order_hash = scene::hash<USDC>(scene::order());
    scene::reclaim(&mut scenario, scene::payer(), order_hash, (scene::deadline() + 1) * 1000);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ENotPaid, location = pay)]
fun reclaim_of_an_empty_hash_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::reclaim(&mut scenario, scene::payer(), x"", (scene::deadline() + 1) * 1000);
    scenario.end();
}
