module std::type_name;

use std::ascii::String;

public struct TypeName has copy, drop, store {
    name: String,
}

public native fun with_defining_ids<T>(): TypeName;

public native fun original_id<T>(): address;

public fun into_string(self: TypeName): String {
    let TypeName { name } = self;
    name
}
