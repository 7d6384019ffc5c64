<?php
/** php edd.php <folder of WordPress>: the shop of Easy Digital Downloads and AffiliateWP, by their own functions. */
require __DIR__ . '/shop.php';
require __DIR__ . '/edd-figures.php';

const ORDERS = 130;

function download(string $title, array $keys, string $status = 'publish'): int
{
    $download = new EDD_Download();
    done($download->create(['post_title' => $title, 'post_content' => "About $title.\n\nIt's made up.",
        'post_excerpt' => 'Made up', 'post_status' => $status, 'post_author' => 1]));
    foreach ($keys as $key => $value) update_post_meta($download->ID, $key, $value);
    return $download->ID;
}

function prices(array $prices): array
{
    $rows = [];
    foreach ($prices as $index => [$name, $amount]) $rows[$index + 1] = ['index' => (string) $index, 'name' => $name, 'amount' => $amount];
    return ['_variable_pricing' => 1, 'edd_variable_prices' => $rows, 'edd_price' => '0.00', '_edd_default_price_id' => 1];
}

function files(string ...$names): array
{
    $rows = [];
    foreach ($names as $index => $name) {
        $rows[$index + 1] = ['index' => '', 'attachment_id' => '0', 'thumbnail_size' => '', 'name' => $name,
            'file' => "https://shop.example/files/$name", 'condition' => 'all'];
    }
    return ['edd_download_files' => $rows];
}

function products(): array
{
    at('2024-01-20 10:00:00');
    $book = download('A "Book" of 100% examples — é 📘', ['edd_price' => '19.00'] + files('book.epub', 'book.pdf'));
    $theme = download("Theme d'essai", prices([['Single site', '49.00'], ['Five sites', '99.00'], ['Unlimited; all',
        '199.50']]) + files('theme.zip'));
    $plugin = download('Plugin', ['edd_price' => '29.99', 'edd_sku' => 'PLUG-1'] + files('plugin.zip'));
    $bundle = download('Everything', ['edd_price' => '79.00', '_edd_product_type' => 'bundle',
        '_edd_bundled_products' => [(string) $book, "{$theme}_1", (string) $plugin]]);
    $free = download('Free sample', ['edd_price' => '0.00'] + files('sample.pdf'));
    $gifts = download('Donation', prices([['Small', '5'], ['Large', '50']]) + ['_edd_price_options_mode' => 1]);
    $old = download('No longer sold', ['edd_price' => '9.50']);
    download('Not yet sold', ['edd_price' => '15.00'], 'draft');
    return compact('book', 'theme', 'plugin', 'bundle', 'free', 'gifts', 'old');
}

function affiliates(): array
{
    $terms = [
        ['status' => 'active'],
        ['status' => 'active', 'rate' => '30', 'rate_type' => 'percentage', 'payment_email' => 'pay2@example.org'],
        ['status' => 'active', 'rate' => '7.5', 'rate_type' => 'flat', 'flat_rate_basis' => 'per_product'],
        ['status' => 'active', 'rate' => '4', 'rate_type' => 'flat', 'flat_rate_basis' => 'per_order'],
        ['status' => 'inactive'], ['status' => 'pending'], ['status' => 'rejected'],
    ];
    $made = [];
    foreach ($terms as $index => $of) {
        at("2024-01-2$index 23:30:00");
        $user = user(900 + $index, $index % 2 ? 'subscriber' : 'contributor');
        $made[] = done(affwp_add_affiliate(['user_id' => $user] + $of));
    }
    return $made;
}

function discounts(array $products, array $affiliates): void
{
    at('2024-01-25 12:00:00');
    $plain = ['status' => 'active', 'amount_type' => 'percent', 'scope' => 'global'];
    $discounts = [
        ['name' => 'Ten percent', 'code' => 'TEN', 'amount' => '10'],
        ['name' => 'Five off', 'code' => 'Five-Off', 'amount' => '5', 'amount_type' => 'flat'],
        ['name' => 'Only four', 'code' => 'ONLY4', 'amount' => '25', 'max_uses' => 4],
        ['name' => 'Spring of 2024', 'code' => 'SPRING24', 'amount' => '15', 'start_date' => '2024-03-01 05:00:00',
            'end_date' => '2024-06-01 03:59:59'],
        ['name' => 'Once each', 'code' => 'ONCE', 'amount' => '50', 'once_per_customer' => 1],
        ['name' => 'From fifty', 'code' => 'FROM50', 'amount' => '12.5', 'min_charge_amount' => '50'],
        ['name' => 'Theme only', 'code' => 'THEME', 'amount' => '20', 'product_reqs' => [$products['theme']],
            'product_condition' => 'any', 'scope' => 'not_global'],
        ['name' => 'With both', 'code' => 'BOTH', 'amount' => '8', 'amount_type' => 'flat', 'product_reqs' => [$products['book'],
            $products['plugin']], 'product_condition' => 'all'],
        ['name' => 'Not bundles', 'code' => 'NOBUNDLE', 'amount' => '10', 'excluded_products' => [$products['bundle']]],
        ['name' => 'Switched off', 'code' => 'OFF', 'amount' => '90', 'status' => 'inactive'],
        ['name' => 'Put away', 'code' => 'OLD2023', 'amount' => '30', 'status' => 'archived'],
        ['name' => 'Everything free', 'code' => 'FREE100', 'amount' => '100', 'max_uses' => 10],
    ];
    foreach ($discounts as $discount) done(edd_add_discount($discount + $plain));
    of_affiliate($affiliates[1], fn() => done(edd_add_discount(['name' => 'Of a partner', 'code' => 'PARTNER2', 'amount' => '5'] + $plain)));
}

/** What the form of a discount does, where AffiliateWP adds a field for the affiliate. */
function of_affiliate(int $affiliate, callable $save): void
{
    $_POST['user_name'] = get_userdata(affwp_get_affiliate_user_id($affiliate))->user_login;
    $save();
    unset($_POST['user_name']);
}

function fill_cart(array $products): void
{
    edd_empty_cart();
    $sold = ['book', 'theme', 'plugin', 'bundle', 'free', 'gifts', 'old', 'book', 'theme', 'plugin'];
    $options = ['theme' => [1, 2, 3], 'gifts' => [1, 2]];
    for ($left = pick([1, 1, 1, 1, 2, 2, 3]); $left > 0; $left--) {
        $name = pick($sold);
        $price = isset($options[$name]) ? ['price_id' => pick($options[$name])] : [];
        edd_add_to_cart($products[$name], ['quantity' => pick([1, 1, 1, 2, 3])] + $price);
    }
}

/** An order of what is in the cart, as a gateway makes it: its id. */
function order_of_cart(int $person, bool $guest, ?string $code, array $more): int
{
    $buyer = person($person);
    $user = $guest ? false : get_user_by('email', $buyer['email']);
    wp_set_current_user($user ? $user->ID : 0);
    if (!$guest && !$user) wp_set_current_user(user($person, 'subscriber'));
    $_POST['billing_country'] = $buyer['address']['country'];
    $_POST['card_state'] = $buyer['address']['state'];
    if ($code && edd_is_discount_valid($code, $buyer['email'], false)) edd_set_cart_discount($code);
    $codes = edd_get_cart_discounts();
    $order = done(edd_build_order([
        'price' => edd_get_cart_total(),
        'date' => date('Y-m-d H:i:s'),
        'user_email' => $buyer['email'],
        'purchase_key' => strtolower(md5($buyer['email'] . uniqid('', true))),
        'user_info' => ['id' => get_current_user_id(), 'discount' => $codes ? implode(', ', $codes) : 'none'] + $buyer,
        'downloads' => edd_get_cart_contents(),
        'cart_details' => edd_get_cart_content_details(),
        'status' => 'pending',
    ] + $more));
    edd_unset_all_cart_discounts();
    edd_empty_cart();
    EDD()->fees->remove_fee('handling');
    wp_set_current_user(0);
    return $order;
}

/** What becomes of the order of this number. */
function follow(int $index, int $order, string $time): void
{
    $ends = ['complete', 'complete', 'complete', 'refunded', 'complete', 'pending', 'complete', 'part', 'abandoned', 'complete',
        'failed', 'complete', 'revoked', 'processing', 'complete', 'on_hold', 'complete', 'fee', 'complete', 'trash'];
    $end = $ends[$index % count($ends)];
    $paid = in_array($end, ['complete', 'refunded', 'part', 'revoked', 'fee'], true);
    if ($paid) {
        at(later($time, $index % 9 ? 0 : 2));
        edd_update_payment_status($order, 'complete');
        do_action('edd_after_payment_actions', $order);
        if ($index % 3) edd_set_payment_transaction_id($order, "ch_madeup$order", edd_get_order($order)->total);
    }
    if ($end === 'complete' || $end === 'pending') return;
    at(later($time, $index % 2 ? 5 : 21));
    if ($end === 'trash') edd_trash_order($order);
    elseif ($end === 'part' || $end === 'fee') refund_some($order);
    elseif ($end !== 'refunded') edd_update_payment_status($order, $end);
    elseif (edd_get_order($order)->total > 0) refund($order);
}

/** All that cost something: 'all' is refused for an order with a line that was free. */
function refund(int $order): void
{
    $lines = [];
    foreach (edd_get_order_items(['order_id' => $order]) as $item) {
        if ($item->total > 0) $lines[] = ['order_item_id' => $item->id, 'quantity' => $item->quantity,
            'subtotal' => $item->subtotal - $item->discount, 'tax' => $item->tax, 'total' => $item->total];
    }
    done(edd_refund_order($order, $lines));
}

/** Half of the first line that cost something, rounded to cents; twice for some orders. */
function refund_some(int $order): void
{
    foreach ($order % 2 ? [0.5, 0.25] : [0.5] as $share) {
        foreach (edd_get_order_items(['order_id' => $order]) as $item) {
            if ($item->total <= 0) continue;
            $part = ['order_item_id' => $item->id, 'subtotal' => round(($item->subtotal - $item->discount) * $share, 2),
                'tax' => round($item->tax * $share, 2)];
            done(edd_refund_order($order, [$part + ['quantity' => $item->quantity, 'total' => $part['subtotal'] + $part['tax']]], []));
            break;
        }
        at(gmdate('Y-m-d H:i:s', time() + 86400 * 3));
    }
}

function orders(array $products, array $affiliates): void
{
    $codes = [null, 'TEN', null, 'Five-Off', 'ONLY4', null, 'SPRING24', 'ONCE', 'FROM50', null, 'THEME', 'BOTH', 'NOBUNDLE',
        'PARTNER2', null, 'FREE100', null];
    for ($index = 0; $index < ORDERS; $index++) {
        $time = moment($index, ORDERS);
        at($time);
        edd_update_option('test_mode', $index % 25 === 7 ? '1' : false);
        if ($index === 60) edd_update_option('enable_sequential', '1');
        fill_cart($products);
        if ($index % 20 === 17) EDD()->fees->add_fee(['id' => 'handling', 'label' => 'Handling', 'amount' => '3.50']);
        // One in three comes by an affiliate; some are the affiliate's own.
        $affiliate = $index % 3 === 1 ? $affiliates[$index % 4] : 0;
        referred_by($affiliate);
        $person = $index % 30 === 4 ? 900 + array_search($affiliate, $affiliates) : mt_rand(1, 60);
        $order = order_of_cart($person, $person < 900 && $person % 2 === 0, $codes[$index % 17], array_filter([
            'gateway' => pick(['stripe', 'paypal_commerce', 'manual']),
            'currency' => $index % 40 === 11 ? 'EUR' : '',
        ]));
        follow($index, $order, $time);
    }
    edd_update_option('test_mode', false);
    // AffiliateWP forgets whose a discount is when its uses are counted, so it is said once more.
    of_affiliate($affiliates[1], fn() => edd_update_discount(edd_get_discount_by('code', 'PARTNER2')->id, ['name' => 'Of a partner']));
}

/** Referrals by hand, rejected ones, and what was paid out. */
function payouts(array $affiliates): void
{
    at('2026-01-05 15:00:00');
    $by_hand = ['pending' => '12.00', 'unpaid' => '33.35', 'rejected' => '1', 'paid' => '0.10'];
    foreach ($by_hand as $status => $amount) {
        done(affwp_add_referral(['affiliate_id' => $affiliates[0], 'amount' => $amount, 'status' => $status,
            'description' => "By hand: it's $status", 'type' => 'sale', 'date' => '2025-11-30 22:00:00']));
    }
    done(affwp_add_referral(['affiliate_id' => $affiliates[1], 'amount' => '2', 'status' => 'unpaid',
        'description' => 'Signed up', 'type' => 'opt-in', 'reference' => 'newsletter', 'context' => 'mailchimp']));
    foreach (['manual' => 'paid', 'stripe' => 'failed', 'paypal' => 'paid', 'payouts-service' => 'processing'] as $method => $status) {
        foreach ([0, 1, 2] as $of) {
            $unpaid = affiliate_wp()->referrals->get_referrals(['affiliate_id' => $affiliates[$of], 'status' => 'unpaid',
                'number' => $method === 'manual' ? 4 : 2, 'orderby' => 'referral_id', 'order' => 'ASC']);
            if (!$unpaid || ($status === 'failed' && $of)) continue;
            done(affwp_add_payout(['affiliate_id' => $affiliates[$of], 'referrals' => wp_list_pluck($unpaid, 'referral_id'),
                'payout_method' => $method, 'status' => $status]));
        }
        at(gmdate('Y-m-d H:i:s', time() + 86400 * 9));
    }
    $rest = affiliate_wp()->referrals->get_referrals(['status' => 'unpaid', 'number' => 3, 'context' => 'edd']);
    affwp_set_referral_status($rest[0], 'rejected');
    if (isset($rest[1])) affwp_set_referral_status($rest[1], 'paid');
}

/** Two customers with a second address, one who is no longer a user, and a note. */
function afterwards(): void
{
    [$first, $second, $third] = edd_get_customers(['number' => 3, 'orderby' => 'id', 'order' => 'ASC']);
    done(edd_add_customer_email_address(['customer_id' => $first->id, 'email' => 'other@example.net', 'type' => 'secondary']));
    done(edd_add_customer_email_address(['customer_id' => $second->id, 'email' => 'more@example.net', 'type' => 'secondary']));
    edd_insert_payment_note(edd_get_orders(['number' => 1])[0]->id, "Rang up; it's fine");
    foreach ([$first, $second, $third] as $customer) if ($customer->user_id && wp_delete_user($customer->user_id)) break;
    wp_delete_post(get_page_by_path('no-longer-sold', OBJECT, 'download')->ID);
}

edd_install_component_database_tables();
edd_update_option('currency', 'USD');
edd_update_option('item_quantities', '1');
edd_update_option('enable_taxes', '1');
edd_update_option('refundability', 'refundable');
edd_update_option('sequential_prefix', 'EX-');
edd_update_option('sequential_start', '1001');
at('2024-01-18 09:00:00');
done(edd_add_tax_rate(['name' => 'DE', 'scope' => 'country', 'amount' => 19, 'status' => 'active']));
$products = products();
$affiliates = affiliates();
discounts($products, $affiliates);
orders($products, $affiliates);
payouts($affiliates);
afterwards();
write_figures('edd-affiliatewp', figures());
