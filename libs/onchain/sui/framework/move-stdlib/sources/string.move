module std::string;

const EInvalidUTF8: u64 = 1;

public struct String has copy, drop, store {
    bytes: vector<u8>,
}

public fun utf8(bytes: vector<u8>): String {
    assert!(internal_check_utf8(&bytes), EInvalidUTF8);
    String { bytes }
}

public fun length(s: &String): u64 {
    s.bytes.length()
}

native fun internal_check_utf8(v: &vector<u8>): bool;
