import './generators.test.ts';
