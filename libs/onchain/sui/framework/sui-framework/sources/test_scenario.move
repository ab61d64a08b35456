#[test_only]
module sui::test_scenario;

use sui::vec_map::VecMap;

public struct Scenario {
    txn_number: u64,
    ctx: TxContext,
}

public struct TransactionEffects has drop {
    created: vector<ID>,
    written: vector<ID>,
    deleted: vector<ID>,
    transferred_to_account: VecMap<ID, address>,
    transferred_to_object: VecMap<ID, ID>,
    shared: vector<ID>,
    frozen: vector<ID>,
    num_user_events: u64,
}

public fun begin(sender: address): Scenario {
    Scenario { txn_number: 0, ctx: tx_context::new_from_hint(sender, 0) }
}

public fun next_tx(scenario: &mut Scenario, sender: address): TransactionEffects {
    scenario.txn_number = scenario.txn_number + 1;
    scenario.ctx = tx_context::new_from_hint(sender, scenario.txn_number);
    end_transaction()
}

public fun end(scenario: Scenario): TransactionEffects {
    let Scenario { txn_number: _, ctx: _ } = scenario;
    end_transaction()
}

public fun ctx(scenario: &mut Scenario): &mut TxContext {
    &mut scenario.ctx
}

public fun created(effects: &TransactionEffects): vector<ID> {
    effects.created
}

public fun written(effects: &TransactionEffects): vector<ID> {
    effects.written
}

public fun deleted(effects: &TransactionEffects): vector<ID> {
    effects.deleted
}

public fun shared(effects: &TransactionEffects): vector<ID> {
    effects.shared
}

public fun frozen(effects: &TransactionEffects): vector<ID> {
    effects.frozen
}

public fun num_user_events(effects: &TransactionEffects): u64 {
    effects.num_user_events
}

public fun take_shared<T: key>(scenario: &Scenario): T {
    take_shared_by_id(scenario, most_recent_id_shared<T>().destroy_some())
}

public fun return_shared<T: key>(t: T) {
    transfer::share_object_impl(t)
}

public native fun ids_for_address<T: key>(account: address): vector<ID>;

public native fun take_from_address_by_id<T: key>(scenario: &Scenario, account: address, id: ID): T;

public native fun most_recent_id_shared<T: key>(): Option<ID>;

public native fun take_shared_by_id<T: key>(scenario: &Scenario, id: ID): T;

native fun end_transaction(): TransactionEffects;
