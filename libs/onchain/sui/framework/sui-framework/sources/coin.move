module sui::coin;

use sui::balance::{Self, Balance};

public struct Coin<phantom T> has key, store {
    id: UID,
    balance: Balance<T>,
}

public fun value<T>(self: &Coin<T>): u64 {
    self.balance.value()
}

public fun split<T>(self: &mut Coin<T>, split_amount: u64, ctx: &mut TxContext): Coin<T> {
    Coin { id: object::new(ctx), balance: self.balance.split(split_amount) }
}

#[test_only]
public fun mint_for_testing<T>(value: u64, ctx: &mut TxContext): Coin<T> {
    Coin { id: object::new(ctx), balance: balance::create_for_testing(value) }
}

#[test_only]
public fun burn_for_testing<T>(c: Coin<T>): u64 {
    let Coin { id, balance } = c;
    id.delete();
    balance.destroy_for_testing()
}
