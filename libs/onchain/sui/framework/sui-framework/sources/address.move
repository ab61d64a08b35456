module sui::address;

public native fun to_u256(a: address): u256;

public native fun from_u256(n: u256): address;
