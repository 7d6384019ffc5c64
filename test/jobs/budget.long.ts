import './budget.test.ts';
