<?php
/** What the shop of Sejoli sells, to which groups, and for which coupons. */
function post(string $type, string $title, array $fields, string $content = ''): int
{
    $id = done(wp_insert_post(['post_type' => $type, 'post_title' => $title, 'post_content' => $content,
        'post_status' => 'publish', 'post_author' => 1]));
    foreach ($fields as $field => $value) carbon_set_post_meta($id, $field, $value);
    return $id;
}

function commission(array ...$tiers): array
{
    return ['sejoli_commission' => array_map(fn($tier) => ['number' => (string) $tier[0], 'type' => $tier[1]], $tiers)];
}

function products(): array
{
    at('2024-01-20 10:00:00');
    $plain = ['enable_sale' => true, 'product_type' => 'digital', 'payment_type' => 'one-time', 'sejoli_enable_affiliate' => true];
    $monthly = ['payment_type' => 'recurring', 'subscription_duration' => '1', 'subscription_period' => 'monthly',
        'subscription_max_renewal_days' => '14'];
    return [
        'ebook' => post('sejoli-product', 'Ebook "Contoh" 100% — é 📘', $plain + ['price' => '150000',
            'enable_quantity' => true] + commission([30, 'percentage'], [10, 'percentage'], [2500, 'fixed']),
            "Isi buku contoh.\n\nIt's made up."),
        'plugin' => post('sejoli-product', 'Plugin', $plain + ['price' => '499000', 'license_active' => true,
            'license_count' => '2', 'enable_ppn' => true] + commission([50000, 'fixed'])),
        'club' => post('sejoli-product', 'Klub bulanan', ['price' => '99000', 'license_active' => true,
            'license_count' => '0'] + $monthly + $plain + commission([20, 'percentage'], [5, 'percentage'])),
        'course' => post('sejoli-product', 'Kursus dengan masa coba', ['price' => '200000', 'subscription_duration' => '10',
            'subscription_period' => 'daily', 'subscription_has_tryout' => true, 'subscription_tryout_duration' => '7',
            'subscription_tryout_period' => 'daily', 'subscription_tryout_first_time_only' => true] + $monthly + $plain),
        'school' => post('sejoli-product', 'Sekolah tahunan', ['price' => '1200000', 'subscription_period' => 'yearly',
            'subscription_has_signup_fee' => true, 'subscription_signup_fee' => '350000'] + $monthly + $plain + commission([10,
            'percentage'])),
        'free' => post('sejoli-product', 'Gratis', $plain + ['price' => '0']),
        'shirt' => post('sejoli-product', 'Kaos', ['product_type' => 'physical', 'shipment_active' => true,
            'shipment_weight' => '250', 'shipment_input_own_value' => true, 'product_variants' => [['name' => 'Ukuran',
            'required' => true, 'variant' => [['name' => 'M', 'extra_price' => '0', 'extra_weight' => '0'],
            ['name' => 'XL; besar', 'extra_price' => '15000',
            'extra_weight' => '50']]]]] + $plain + ['price' => '85000'] + commission([10000, 'fixed'])),
        'closed' => post('sejoli-product', 'Tidak dijual lagi', ['enable_sale' => false] + $plain + ['price' => '50000']),
    ];
}

function groups(array $products): array
{
    $silver = post('sejoli-user-group', 'Silver', ['group_discount_enable' => true, 'group_discount_price' => '10',
        'group_discount_price_type' => 'percentage', 'can_view_affiliate' => true]);
    $gold = post('sejoli-user-group', 'Gold', ['can_view_affiliate' => true, 'group_commissions' => [['number' => '40',
        'type' => 'percentage'], ['number' => '15', 'type' => 'percentage']],
        'group_setup_per_product' => [['product' => (string) $products['ebook'], 'discount_enable' => true,
        'discount_price' => '20000', 'discount_price_type' => 'fixed']]]);
    carbon_set_post_meta($products['school'], 'user_group_update_check', true);
    carbon_set_post_meta($products['school'], 'user_group_update', (string) $gold);
    return [$silver, $gold];
}

function coupons(array $products): void
{
    at('2024-01-25 12:00:00');
    $rule = ['apply_only' => [], 'cant_apply' => [], 'max_discount' => 0.0, 'use_by_affiliate' => false,
        'limit_affiliate_coupon' => 0, 'renewal_coupon' => false];
    $coupons = [
        ['code' => 'hemat10', 'discount' => '10', 'discount_type' => 'percentage', 'rule' => ['use_by_affiliate' => true,
            'limit_affiliate_coupon' => 2]],
        ['code' => 'potong25', 'discount' => '25000', 'discount_type' => 'fixed', 'discount_usage' => 'grand_total'],
        ['code' => 'buku', 'discount' => '50', 'discount_type' => 'percentage', 'rule' => ['apply_only' => [$products['ebook']],
            'max_discount' => 60000.0]],
        ['code' => 'tiga', 'discount' => '30000', 'discount_type' => 'fixed', 'limit_use' => 3, 'rule' => ['cant_apply' => [$products['plugin']]]],
        ['code' => 'lebaran24', 'discount' => '15', 'discount_type' => 'percentage', 'limit_date' => '2024-05-01 23:59:59'],
        ['code' => 'gratis', 'discount' => '100', 'discount_type' => 'percentage'],
        ['code' => 'ongkir', 'discount' => '0', 'discount_type' => 'fixed', 'free_shipping' => true],
        ['code' => 'mati', 'discount' => '5', 'discount_type' => 'percentage', 'status' => 'pending'],
    ];
    foreach ($coupons as $coupon) {
        $made = sejolisa_create_coupon(['rule' => ($coupon['rule'] ?? []) + $rule] + $coupon + ['status' => 'active',
            'discount_usage' => 'per_item']);
        if (!$made['valid']) throw new Exception(json_encode($made));
    }
    $parent = sejolisa_get_coupon_by_code('hemat10')['coupon'];
    foreach ([1 => 'active', 3 => 'active', 7 => 'need-approve'] as $number => $status) {
        $made = sejolisa_create_affiliate_coupon(['code' => "hemat-p$number", 'user_id' => person_id($number),
            'coupon_parent_id' => $parent['ID'], 'status' => $status, 'limit_use' => 0, 'limit_date' => null, 'rule' => [],
            'discount' => 0]);
        if (!$made['valid']) throw new Exception(json_encode($made));
    }
}
