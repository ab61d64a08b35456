module std::unit_test;

public native fun poison();
