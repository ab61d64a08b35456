module sui::transfer;

public fun public_transfer<T: key + store>(obj: T, recipient: address) {
    transfer_impl(obj, recipient)
}

public fun share_object<T: key>(obj: T) {
    share_object_impl(obj)
}

public(package) native fun share_object_impl<T: key>(obj: T);

public(package) native fun transfer_impl<T: key>(obj: T, recipient: address);
