import './attack.test.ts';
