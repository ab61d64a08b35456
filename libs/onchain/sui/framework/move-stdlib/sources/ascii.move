module std::ascii;

public struct String has copy, drop, store {
    bytes: vector<u8>,
}

public fun length(string: &String): u64 {
    string.bytes.length()
}

public fun into_bytes(string: String): vector<u8> {
    let String { bytes } = string;
    bytes
}
