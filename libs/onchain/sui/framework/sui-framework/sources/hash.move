module sui::hash;

public native fun keccak256(bytes: &vector<u8>): vector<u8>;
