import { describe, expect, test } from 'vitest';
import { edd } from '../../packages/import/src/edd/source.ts';
import { absentTables, tableNames, tablePrefix } from '../../packages/import/src/prefix.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import { rowFilter, wantedRows } from '../../packages/import/src/source.ts';
import { woocommerce } from '../../packages/import/src/woocommerce/source.ts';

describe('The table prefix', () => {
  test.each(['wp_', 'wplo_', 'wp_2_', ''])(
    'is the text before the name of the orders table: "%s"',
    (prefix) => {
      expect(tablePrefix(sejoli, ['wp_users', `${prefix}sejolisa_orders`])).toBe(prefix);
    },
  );

  test('of WooCommerce is found by orders in tables and by orders among the posts', () => {
    const items = 'a_woocommerce_order_items';
    expect(tablePrefix(woocommerce, [items])).toBe('a_');
    expect(tablePrefix(woocommerce, [items, 'b_wc_orders'])).toBe('b_');
  });

  test('is asked for if there are several', () => {
    const tables = ['wp_edd_orders', 'old_edd_orders'];
    expect(() => tablePrefix(edd, tables)).toThrow('"wp_", "old_"');
    expect(tablePrefix(edd, tables, 'old_')).toBe('old_');
    expect(() => tablePrefix(edd, tables, 'new_')).toThrow('"wp_", "old_"');
    expect(() => tablePrefix(edd, ['wp_edd_orders'], 'new_')).toThrow('"wp_"');
  });

  test('is undefined if there is no such shop', () => {
    expect(() => tablePrefix(edd, ['wp_posts'])).toThrow(/no table's name ends in edd_orders/);
  });
});

describe('The tables of a shop', () => {
  test('are listed if a dump lacks them, because a plugin may be missing from it', () => {
    const all = Object.keys(woocommerce.tables).map((name) => `wp_${name}`);
    expect(absentTables(woocommerce, 'wp_', all)).toEqual([]);
    const dumped = all.filter((name) => !/^wp_(wc_orders|lic_key_tbl)$/.test(name));
    expect(absentTables(woocommerce, 'wp_', dumped)).toEqual(['wp_wc_orders', 'wp_lic_key_tbl']);
  });

  const names = (prefix: string) => Object.keys(sejoli.tables).map((name) => prefix + name);

  test('in a network include the people of the first site', () => {
    const present = [...names('wp_2_'), ...names('wp_')].filter(
      (name) => !name.startsWith('wp_2_user'),
    );
    const found = tableNames(sejoli, 'wp_2_', present);
    expect(found.get('users')).toBe('wp_users');
    expect(found.get('usermeta')).toBe('wp_usermeta');
    expect(found.get('posts')).toBe('wp_2_posts');
  });

  test('that are missing are listed, those of add-ons separately', () => {
    const present = names('wp_').filter(
      (name) => !['wp_users', 'wp_sejolisa_coupons', 'wp_sejolisa_wallet'].includes(name),
    );
    expect(() => tableNames(sejoli, 'wp_', present)).toThrow(
      /: wp_users, wp_sejolisa_coupons\. Export/,
    );
  });
});

test('Rows are selected by whole values, by beginnings, and by the prefix', () => {
  const values = ['_price', '_commission|*', '{p}capabilities'];
  const isWanted = rowFilter(wantedRows({ column: 'meta_key', values }, 'wp_2_'));
  expect(['_price', '_commission|a', 'wp_2_capabilities'].every(isWanted)).toBe(true);
  expect(['_price2', '_commission', 'wp_capabilities', '', null].some(isWanted)).toBe(false);
});

describe('Secret data of a shop', () => {
  const secrets = [
    ...['session_tokens', '_application_passwords', 'user_pass', 'user_activation_key'],
    ...['_moota_api_key', '_starsender_api_key', '_duitku_api_key', '_rajaongkir_pro_user'],
    ...['_fb_conversion_access_token', '_tiktok_conversion_access_token', '_order_key'],
    ...['woocommerce_stripe_settings', 'woocommerce_paypal_settings', 'slm_plugin_options'],
    ...['_sejoli_google_recaptcha_secreetkey', 'auth_key', 'secure_auth_salt', 'order_key'],
    ...['payment_key', 'ip_address', 'user_agent', 'ip', '_stripe_source_id'],
  ];

  test.each([sejoli, woocommerce, edd])('is never staged from $name', ({ tables }) => {
    for (const table of Object.values(tables)) {
      expect(secrets.filter((name) => (table.columns as readonly string[]).includes(name))).toEqual(
        [],
      );
      if (!('rows' in table)) continue;
      expect(secrets.filter(rowFilter(wantedRows(table.rows, 'wp_')))).toEqual([]);
    }
  });

  test('is not staged in a table of its own either', () => {
    const tables = [sejoli, woocommerce, edd].flatMap(({ tables }) => Object.keys(tables));
    for (const name of ['woocommerce_api_keys', 'wc_webhooks', 'woocommerce_payment_tokens'])
      expect(tables).not.toContain(name);
  });
});
