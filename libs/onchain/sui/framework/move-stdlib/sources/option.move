module std::option;

public struct Option<Element> has copy, drop, store {
    vec: vector<Element>,
}

public fun destroy_some<Element>(t: Option<Element>): Element {
    let Option { mut vec } = t;
    let element = vec.pop_back();
    vec.destroy_empty();
    element
}
