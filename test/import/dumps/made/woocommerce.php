<?php
/**
 * php woocommerce.php <folder of WordPress> <name> [posts]: the shop of WooCommerce, AffiliateWP and SLM Plus, by
 * their own functions; its orders in tables of their own or, as they once were, among the posts.
 */
require __DIR__ . '/shop.php';
require __DIR__ . '/woocommerce-products.php';
require __DIR__ . '/woocommerce-figures.php';

use Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer;

const ORDERS = 120;

function settings(bool $posts): void
{
    at('2024-01-16 09:00:00');
    if (!$posts) wc_get_container()->get(DataSynchronizer::class)->create_database_tables();
    $options = [
        'custom_orders_table_enabled' => $posts ? 'no' : 'yes', 'custom_orders_table_data_sync_enabled' => 'no',
            'currency' => 'EUR', 'calc_taxes' => 'yes',
        'default_country' => 'DE:DE-BE', 'prices_include_tax' => 'no', 'manage_stock' => 'yes', 'tax_based_on' => 'billing',
    ];
    foreach ($options as $name => $value) update_option("woocommerce_$name", $value);
    affiliate_wp()->settings->set(['currency' => 'EUR'], true);
    WC_Tax::_insert_tax_rate(['tax_rate_country' => 'DE', 'tax_rate' => '19', 'tax_rate_name' => 'USt.', 'tax_rate_priority' => 1,
        'tax_rate_shipping' => 1, 'tax_rate_class' => '']);
    WC_Tax::_insert_tax_rate(['tax_rate_country' => 'DE', 'tax_rate' => '7', 'tax_rate_name' => 'USt. 7 %',
        'tax_rate_priority' => 1, 'tax_rate_shipping' => 0, 'tax_rate_class' => 'reduced-rate']);
    WC_Tax::_insert_tax_rate(['tax_rate_country' => 'ID', 'tax_rate' => '11', 'tax_rate_name' => 'PPN', 'tax_rate_priority' => 1,
        'tax_rate_shipping' => 0, 'tax_rate_class' => '']);
}

function affiliates(): array
{
    $made = [];
    foreach ([['active', []], ['active', ['rate' => '12.5', 'rate_type' => 'percentage']], ['active', ['rate' => '3',
        'rate_type' => 'flat', 'flat_rate_basis' => 'per_order']], ['inactive', []], ['pending', []]] as $index => [$status,
        $rate]) {
        at("2024-01-2$index 23:30:00");
        $made[] = done(affwp_add_affiliate(['user_id' => user(900 + $index, 'customer'), 'status' => $status] + $rate));
    }
    return $made;
}

function coupons(array $products, array $affiliates): void
{
    at('2024-01-25 12:00:00');
    [$mug, $book] = array_map(fn($product) => $product->get_id(), $products);
    $coupons = [
        ['code' => 'Ten', 'discount_type' => 'percent', 'amount' => '10'],
        ['code' => 'five', 'discount_type' => 'fixed_cart', 'amount' => '5', 'description' => 'Five "off"'],
        ['code' => 'mugs', 'discount_type' => 'fixed_product', 'amount' => '2', 'product_ids' => [$mug], 'limit_usage_to_x_items' => 2],
        ['code' => 'only4', 'discount_type' => 'percent', 'amount' => '25', 'usage_limit' => 4],
        ['code' => 'once', 'discount_type' => 'percent', 'amount' => '50', 'usage_limit_per_user' => 1, 'individual_use' => true],
        ['code' => 'spring', 'discount_type' => 'percent', 'amount' => '15', 'date_expires' => '2024-06-01'],
        ['code' => 'prints', 'discount_type' => 'fixed_product', 'amount' => '3.33',
            'product_categories' => wc_get_product($book)->get_category_ids(), 'excluded_product_ids' => [$mug]],
        ['code' => 'freight', 'discount_type' => 'fixed_cart', 'amount' => '0', 'free_shipping' => true, 'minimum_amount' => '40'],
        ['code' => 'friends', 'discount_type' => 'percent', 'amount' => '100', 'email_restrictions' => ['*@example.com']],
        ['code' => 'partner', 'discount_type' => 'percent', 'amount' => '5'],
        ['code' => 'never', 'discount_type' => 'percent', 'amount' => '5', 'status' => 'draft'],
    ];
    foreach ($coupons as $props) {
        $coupon = new WC_Coupon();
        $coupon->set_props($props);
        done($coupon->save());
    }
    // As in the form of a coupon, where AffiliateWP adds a field for the affiliate.
    $_POST['user_name'] = get_userdata(affwp_get_affiliate_user_id($affiliates[1]))->user_login;
    do_action('woocommerce_coupon_options_save', wc_get_coupon_id_by_code('partner'));
    unset($_POST['user_name']);
}

function address(array $person): array
{
    $of = $person['address'];
    return ['first_name' => $person['first_name'], 'last_name' => $person['last_name'], 'company' => '',
        'email' => $person['email'], 'phone' => '+49 30 000000', 'address_1' => $of['line1'], 'address_2' => $of['line2'],
        'city' => $of['city'], 'state' => $of['state'], 'postcode' => $of['zip'], 'country' => $of['country']];
}

function customer(int $number): int
{
    $buyer = person($number);
    $known = get_user_by('email', $buyer['email']);
    if ($known) return $known->ID;
    $id = done(wc_create_new_customer($buyer['email'], "person$number", "made-up password $number",
        ['first_name' => $buyer['first_name'], 'last_name' => $buyer['last_name']]));
    $customer = new WC_Customer($id);
    foreach (address($buyer) as $part => $value) $customer->{"set_billing_$part"}($value);
    $customer->save();
    return $id;
}

/** An order as the checkout makes it, not yet paid for. */
function order(int $index, array $products, ?string $code): WC_Order
{
    $number = $index % 30 === 4 ? 900 : mt_rand(1, 50);
    $order = wc_create_order(['customer_id' => $number % 2 ? 0 : customer($number),
        'created_via' => $index % 11 === 5 ? 'admin' : 'checkout',
        'customer_note' => $index % 9 ? '' : "Please ring; it's the \"rear\" house\nThanks"]);
    $order->set_address(address(person($number)), 'billing');
    if ($index % 4) $order->set_address(array_diff_key(address(person($number + $index % 2)), ['email' => 0]), 'shipping');
    if ($index % 40 === 11) $order->set_currency('USD');
    $order->set_payment_method(pick(['bacs', 'cod', 'stripe', 'paypal']));
    $order->set_payment_method_title('Made-up way');
    foreach (range(1, pick([1, 1, 1, 2, 3])) as $line) $order->add_product(pick($products), pick([1, 1, 1, 2, 3]));
    if ($code === 'mugs' || $code === 'prints') $order->add_product($products[$code === 'mugs' ? 0 : 1], 3);
    if ($index % 3 === 0) {
        $shipping = new WC_Order_Item_Shipping();
        $shipping->set_props(['method_title' => 'Flat rate', 'method_id' => 'flat_rate', 'instance_id' => 1, 'total' => pick(['4.90', '12'])]);
        $order->add_item($shipping);
    }
    if ($index % 20 === 17) {
        $fee = new WC_Order_Item_Fee();
        $fee->set_props($index % 40 === 17 ? ['name' => 'Handling', 'total' => '3.50',
            'tax_status' => 'taxable'] : ['name' => 'Goodwill', 'total' => '-2', 'tax_status' => 'none']);
        $order->add_item($fee);
    }
    $order->calculate_totals();
    if ($code) $order->apply_coupon($code);
    $order->save();
    do_action('woocommerce_checkout_update_order_meta', $order->get_id(), []);
    return wc_get_order($order->get_id());
}

/** What becomes of the order of this number. */
function follow(int $index, WC_Order $order, string $time): void
{
    $ends = ['completed', 'completed', 'processing', 'completed', 'refunded', 'completed', 'pending', 'part', 'completed',
        'cancelled', 'completed', 'on-hold', 'failed', 'completed', 'amount', 'completed', 'checkout-draft', 'completed', 'trash',
        'half'];
    $end = $ends[$index % count($ends)];
    if ($end === 'pending') return;
    if (in_array($end, ['checkout-draft', 'on-hold', 'failed'], true)) {
        $order->update_status($end, 'By hand. ');
        return;
    }
    at(later($time, 0));
    $order->payment_complete($index % 2 ? "tx_madeup$index" : '');
    if ($end !== 'processing' && $end !== 'cancelled') {
        at(later($time, $index % 9 ? 1 : 4));
        $order->update_status('completed');
    }
    at(later($time, $index % 2 ? 6 : 20));
    if ($end === 'cancelled') $order->update_status('cancelled', 'Asked for. ');
    elseif ($end === 'trash') $order->delete(false);
    elseif (in_array($end, ['refunded', 'part', 'amount', 'half'], true) && $order->get_total() > 0) refund($end, wc_get_order($order->get_id()));
}

/** All of an order, the half of its first line (twice for 'part'), or an amount that names no line. */
function refund(string $kind, WC_Order $order): void
{
    if ($kind === 'amount') {
        done(wc_create_refund(['order_id' => $order->get_id(), 'amount' => '1.00', 'reason' => "It's late"]));
        return;
    }
    foreach ($kind === 'part' ? [0.5, 0.25] : [$kind === 'half' ? 0.5 : 1] as $share) {
        $lines = [];
        foreach ($order->get_items(['line_item', 'shipping', 'fee']) as $id => $item) {
            if ($kind !== 'refunded' && ($lines || $item->get_total() <= 0)) continue;
            $taxes = array_map(fn($tax) => round((float) $tax * $share, 2), $item->get_taxes()['total']);
            $lines[$id] = ['qty' => $share === 1 ? $item->get_quantity() : 0,
                'refund_total' => round((float) $item->get_total() * $share, 2), 'refund_tax' => $taxes];
        }
        $amount = $share === 1 ? $order->get_total() : round(array_sum(array_map(fn($line) => $line['refund_total'] + array_sum($line['refund_tax']),
            $lines)), 2);
        if ($amount > 0) done(wc_create_refund(['order_id' => $order->get_id(), 'amount' => $amount, 'reason' => 'Broken',
            'line_items' => $lines, 'restock_items' => $share === 1]));
        at(gmdate('Y-m-d H:i:s', time() + 86400 * 3));
    }
}

function orders(array $products, array $affiliates): void
{
    $codes = [null, 'ten', null, 'five', 'mugs', null, 'only4', 'once', 'spring', null, 'prints', 'freight', 'friends', 'partner', null, 'ten', null];
    for ($index = 0; $index < ORDERS; $index++) {
        $time = moment($index, ORDERS);
        at($time);
        referred_by($index % 3 === 1 ? $affiliates[$index % 4] : 0);
        follow($index, order($index, $products, $codes[$index % 17]), $time);
    }
}

class Answered extends Exception
{
}

/** Asks the interface of SLM Plus, which means to end the script when it has answered. */
function ask_for_keys(array $question): void
{
    $_REQUEST = $question + ['secret_key' => get_option('slm_plugin_options')['lic_verification_secret']];
    try {
        new SLM_API_Listener();
    } catch (Answered) {
    }
    $_REQUEST = [];
}

/** Keys are used on sites and devices, and some are blocked or run out. */
function licences(): void
{
    at('2025-12-20 08:00:00');
    add_filter('slm_ap_response_args', fn($answer) => throw new Answered($answer['message']));
    global $wpdb;
    $keys = $wpdb->get_col('select license_key from ' . SLM_TBL_LICENSE_KEYS . ' order by id');
    foreach ($keys as $index => $key) {
        for ($use = 0; $use < $index % 4; $use++) ask_for_keys(['slm_action' => 'slm_activate', 'license_key' => $key,
            'registered_domain' => "site$use.example.org"]);
        if ($index % 3 === 1) ask_for_keys(['slm_action' => 'slm_activate', 'license_key' => $key, 'registered_devices' => "device-$index"]);
        if ($index === 3) ask_for_keys(['slm_action' => 'slm_deactivate', 'license_key' => $key, 'registered_domain' => 'site0.example.org']);
    }
    ob_start();
    SLM_Utility::do_auto_key_expiry();
    SLM_Utility::block_license_key_by_row_id(2);
    ob_end_clean();
}

function payouts(array $affiliates): void
{
    at('2026-01-05 15:00:00');
    done(affwp_add_referral(['affiliate_id' => $affiliates[0], 'amount' => '12', 'status' => 'unpaid', 'description' => 'By hand',
        'type' => 'sale']));
    foreach (['manual' => 'paid', 'paypal' => 'failed', 'stripe' => 'processing'] as $method => $status) {
        foreach ($affiliates as $affiliate) {
            $unpaid = affiliate_wp()->referrals->get_referrals(['affiliate_id' => $affiliate, 'status' => 'unpaid', 'number' => 2,
                'orderby' => 'referral_id', 'order' => 'ASC']);
            if ($unpaid) done(affwp_add_payout(['affiliate_id' => $affiliate, 'referrals' => wp_list_pluck($unpaid,
                'referral_id'), 'payout_method' => $method, 'status' => $status]));
        }
    }
}

settings(($argv[3] ?? '') === 'posts');
$products = products();
$affiliates = affiliates();
coupons($products, $affiliates);
orders($products, $affiliates);
licences();
payouts($affiliates);
wp_delete_user(get_user_by('login', 'person4')->ID);
wp_trash_post(wc_get_coupon_id_by_code('never'));
wp_delete_post($products[4]->get_id(), true);
wp_cache_flush();
write_figures($argv[2], figures());
