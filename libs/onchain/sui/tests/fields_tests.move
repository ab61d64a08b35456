#[test_only]
module tollbridge::fields_tests;

use tollbridge::pay;
use tollbridge::scene::{Self, USDC};

/// A type that can be nested, to have a name of any length.
public struct Pair<phantom A, phantom B> has drop {}

#[test]
fun token_names_of_128_bytes_are_accepted() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_tokens(scene::text(128), scene::text(128)));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test]
fun empty_token_names_are_accepted() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_tokens(b"", b""));
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ETokenNameTooLong, location = pay)]
fun token_in_of_129_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_tokens(scene::text(129), b"USDC"));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ETokenNameTooLong, location = pay)]
fun token_out_of_129_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_tokens(b"USDC", scene::text(129)));
    scenario.end();
}

#[test]
fun coin_type_below_the_limit_is_accepted() {
    let mut scenario = scene::publish();
    scene::pay<Pair<Pair<USDC, USDC>, Pair<USDC, USDC>>>(&mut scenario, scene::order());
    scene::assert_holds<Pair<Pair<USDC, USDC>, Pair<USDC, USDC>>>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::ETokenNameTooLong, location = pay)]
fun coin_type_above_the_limit_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<
        Pair<
            Pair<Pair<USDC, USDC>, Pair<USDC, USDC>>,
            Pair<Pair<USDC, USDC>, Pair<USDC, USDC>>,
        >,
    >(&mut scenario, scene::order());
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidOrderId, location = pay)]
fun order_id_of_0_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_order_id(x""));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidOrderId, location = pay)]
fun order_id_of_15_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_order_id(x"018f3b2c7d4e7a119c5500d1e2f304"));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidOrderId, location = pay)]
fun order_id_of_17_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_order_id(x"018f3b2c7d4e7a119c5500d1e2f3041500"));
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EInvalidOrderId, location = pay)]
fun order_id_of_32_bytes_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order().with_order_id(x"018f3b2c7d4e7a119c5500d1e2f30415018f3b2c7d4e7a119c5500d1e2f30415"));
    scenario.end();
}
