import './batches.test.ts';
