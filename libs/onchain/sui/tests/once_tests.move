#[test_only]
module tollbridge::once_tests;

use tollbridge::pay;
use tollbridge::scene::{Self, FAKE, Terms, USDC};

#[test, expected_failure(abort_code = pay::EOrderAlreadyPaid, location = pay)]
fun second_payment_of_an_order_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::pay<USDC>(&mut scenario, scene::order());
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EOrderAlreadyPaid, location = pay)]
fun second_payment_by_another_payer_is_rejected() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::pay_from<USDC>(&mut scenario, scene::stranger(), scene::order(), 100, 0);
    scenario.end();
}

#[test, expected_failure(abort_code = pay::EOrderAlreadyPaid, location = pay)]
fun second_payment_with_a_wrong_coin_value_reports_the_paid_order() {
    let mut scenario = scene::publish();
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::pay_with<USDC>(&mut scenario, scene::order(), 1);
    scenario.end();
}

#[test]
fun stranger_may_pay_the_order_of_another() {
    let mut scenario = scene::publish();
    scene::pay_from<USDC>(&mut scenario, scene::stranger(), scene::order(), 100, 0);
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

/// Orders with the same id and one changed field each. An attacker pays them first.
fun look_alikes(): vector<Terms> {
    let order = scene::order();
    vector[
        order.with_tokens(b"USDT", b"USDC"),
        order.with_tokens(b"USDC", b"USDT"),
        order.with_tokens(b"", b"USDCUSDC"),
        order.with_tokens(b"USDCUSDC", b""),
        order.with_amounts(101, 97, 4),
        order.with_amounts(101, 98, 3),
        order.with_amounts(100, 96, 4),
        order.with_amounts(2, 1, 1),
        order.with_receivers(scene::stranger(), scene::fee_receiver()),
        order.with_receivers(scene::merchant(), scene::stranger()),
        order.with_receivers(scene::fee_receiver(), scene::merchant()),
        order.with_deadline(scene::deadline() + 1),
        order.with_deadline(scene::deadline() - 1),
        order.with_order_id(x"018f3b2c7d4e7a119c5500d1e2f30416"),
    ]
}

#[test]
fun look_alikes_of_an_order_do_not_block_it() {
    let mut scenario = scene::publish();
    let look_alikes = look_alikes();
    let mut i = 0;
    while (i < look_alikes.length()) {
        scene::pay<USDC>(&mut scenario, look_alikes[i]);
        i = i + 1;
    };
    scene::collect<USDC>(&mut scenario, scene::merchant());
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test]
fun every_field_changes_the_hash() {
    let (look_alikes, order_hash) = (look_alikes(), scene::hash<USDC>(scene::order()));
    assert!(order_hash.length() == 32);
    let mut i = 0;
    while (i < look_alikes.length()) {
        assert!(scene::hash<USDC>(look_alikes[i]) != order_hash);
        let mut j = 0;
        while (j < i) {
            assert!(scene::hash<USDC>(look_alikes[i]) != scene::hash<USDC>(look_alikes[j]));
            j = j + 1;
        };
        i = i + 1;
    };
    assert!(scene::hash<FAKE>(scene::order()) != order_hash);
}

#[test]
fun payment_in_a_fake_token_does_not_mark_the_order_as_paid() {
    let mut scenario = scene::publish();
    scene::pay<FAKE>(&mut scenario, scene::order());
    assert!(!scene::is_recorded(&mut scenario, scene::hash<USDC>(scene::order())));
    scene::pay<USDC>(&mut scenario, scene::order());
    scene::assert_holds<USDC>(&mut scenario, scene::merchant(), 1, 97);
    scene::assert_holds<FAKE>(&mut scenario, scene::merchant(), 1, 97);
    scenario.end();
}

#[test]
fun order_is_recorded_under_its_hash_only() {
    let mut scenario = scene::publish();
    let order_hash = scene::hash<USDC>(scene::order());
    assert!(!scene::is_recorded(&mut scenario, order_hash));
    scene::pay<USDC>(&mut scenario, scene::order());
    assert!(scene::is_recorded(&mut scenario, order_hash));
    assert!(!scene::is_recorded(&mut scenario, scene::hash<FAKE>(scene::order())));
    assert!(!scene::is_recorded(&mut scenario, x""));
    assert!(!scene::is_recorded(&mut scenario, x"00"));
    scenario.end();
}
