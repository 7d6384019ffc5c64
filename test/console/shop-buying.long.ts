import './shop-buying.test.ts';
