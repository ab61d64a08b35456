#[test_only]
module tollbridge::receivers_tests;

use tollbridge::pay;
use tollbridge::scene::{Self, USDC};

#[test]
fun first_address_above_the_system_addresses_is_accepted() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(@0x10000, @0x10001));
    scene::assert_holds<USDC>(&mut scenario, @0x10000, 1, 97);
    scene::assert_holds<USDC>(&mut scenario, @0x10001, 1, 3);
    scenario.end();
}

#[test]
fun largest_address_is_accepted() {
    let mut scenario = scene::publish();
    let largest = @0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(largest, scene::fee_receiver()));
    scene::assert_holds<USDC>(&mut scenario, largest, 1, 97);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun zero_merchant_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(@0x0, scene::fee_receiver()));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun zero_fee_receiver_of_a_fee_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::merchant(), @0x0));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun framework_package_as_merchant_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(@0x2, scene::fee_receiver()));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun clock_as_fee_receiver_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::merchant(), @0x6));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun last_system_address_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(@0xffff, scene::fee_receiver()));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun registry_as_merchant_is_rejected() {
    let mut scenario = scene::publish();
    let registry = scene::registry_address(&mut scenario);
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(registry, scene::fee_receiver()));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun registry_as_fee_receiver_is_rejected() {
    let mut scenario = scene::publish();
    let registry = scene::registry_address(&mut scenario);
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::merchant(), registry));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun package_as_merchant_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(@tollbridge, scene::fee_receiver()));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidReceiver, location = pay)]
fun package_as_fee_receiver_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_receivers(scene::merchant(), @tollbridge));
    scenario.end();
}
