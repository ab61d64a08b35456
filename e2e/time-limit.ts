// Two files share the cores: what takes 15 s alone takes a minute beside another file, and more on a slow machine.
jest.setTimeout(180_000);
