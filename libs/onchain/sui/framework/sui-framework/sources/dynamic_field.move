module sui::dynamic_field;

const EFieldAlreadyExists: u64 = 0;

public struct Field<Name: copy + drop + store, Value: store> has key {
    id: UID,
    name: Name,
    value: Value,
}

public fun add<Name: copy + drop + store, Value: store>(object: &mut UID, name: Name, value: Value) {
    let parent = object.to_address();
    let child = hash_type_and_key(parent, name);
    assert!(!has_child_object(parent, child), EFieldAlreadyExists);
    add_child_object(parent, Field { id: object::new_uid_from_hash(child), name, value })
}

public fun remove<Name: copy + drop + store, Value: store>(object: &mut UID, name: Name): Value {
    let parent = object.to_address();
    let child = hash_type_and_key(parent, name);
    let Field { id, name: _, value } = remove_child_object<Field<Name, Value>>(parent, child);
    id.delete();
    value
}

public fun exists_<Name: copy + drop + store>(object: &UID, name: Name): bool {
    let parent = object.to_address();
    has_child_object(parent, hash_type_and_key(parent, name))
}

native fun hash_type_and_key<K: copy + drop + store>(parent: address, k: K): address;

native fun add_child_object<Child: key>(parent: address, child: Child);

native fun remove_child_object<Child: key>(parent: address, id: address): Child;

native fun has_child_object(parent: address, id: address): bool;
