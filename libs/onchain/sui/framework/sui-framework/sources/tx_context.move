module sui::tx_context;

public struct TxContext has drop {
    sender: address,
    tx_hash: vector<u8>,
    epoch: u64,
    epoch_timestamp_ms: u64,
    ids_created: u64,
}

public fun sender(_self: &TxContext): address {
    native_sender()
}

public fun fresh_object_address(_ctx: &mut TxContext): address {
    fresh_id()
}

native fun native_sender(): address;

native fun fresh_id(): address;

#[test_only]
public fun new_from_hint(sender: address, hint: u64): TxContext {
    let mut tx_hash = std::bcs::to_bytes(&hint);
    while (tx_hash.length() < 32) tx_hash.push_back(0);
    replace(sender, tx_hash, 0, 0, 0, 1, 1, 1_000_000_000, vector[]);
    TxContext { sender, tx_hash, epoch: 0, epoch_timestamp_ms: 0, ids_created: 0 }
}

#[test_only]
native fun replace(
    sender: address,
    tx_hash: vector<u8>,
    epoch: u64,
    epoch_timestamp_ms: u64,
    ids_created: u64,
    rgp: u64,
    gas_price: u64,
    gas_budget: u64,
    sponsor: vector<address>,
);
