<?php
/**
 * php sejoli.php <folder of WordPress> setup, then `order 0` … `order 109`, then `finish`: the shop of Sejoli and its
 * wallet, by their own functions. Each order has a process of its own, since Sejoli remembers the last one's coupon.
 */
require __DIR__ . '/shop.php';
require __DIR__ . '/sejoli-products.php';
require __DIR__ . '/sejoli-figures.php';

const ORDERS = 110;
const PEOPLE = 40;

function person_id(int $number): int
{
    return get_user_by('login', "person$number")->ID;
}

/** Whom each person was brought by: chains of up to five, and some by nobody. */
function people(array $groups): void
{
    for ($number = 0; $number < PEOPLE; $number++) {
        at(gmdate('Y-m-d H:i:s', strtotime('2024-01-21 UTC') + $number * 7000));
        $id = done(user($number, 'sejoli-member'));
        update_user_meta($id, '_phone', '+62812' . str_pad((string) $number, 8, '0', STR_PAD_LEFT));
        update_user_meta($id, '_address', "Jalan Contoh $number\nRT 01");
        if ($number % 6 && $number % 6 < 5) update_user_meta($id, sejolisa_get_affiliate_key(), person_id($number - 1));
        if ($number % 9 === 2) sejolisa_update_user_group($id, $groups[$number % 2]);
        if ($number % 10 === 1) carbon_set_user_meta($id, 'bank_info', "Bank Contoh 000$number");
    }
}

function setup(): void
{
    SejoliSA\Model\Reminder::alter_table();
    update_option('_sejoli_ppn_price', '11');
    $products = products();
    update_option('made_up_products', $products);
    people(groups($products));
    coupons($products);
    at('2024-01-28 12:00:00');
    $access = post('sejoli-access', 'Bab 1', ['drip_day' => '3',
        'product_association' => [['value' => "post:sejoli-product:$products[ebook]", 'type' => 'post',
        'subtype' => 'sejoli-product', 'id' => $products['ebook']]]], 'Isi bab 1');
    post('sejoli-access', 'Bab 2', ['product_association' => [['value' => "post:sejoli-product:$products[club]", 'type' => 'post',
        'subtype' => 'sejoli-product', 'id' => $products['club']]]], "Lanjutan dari $access");
    post('sejoli-reminder', 'Jangan lupa bayar', []);
}

function move(int $order, string $status): void
{
    do_action('sejoli/order/update-status', ['ID' => $order, 'status' => $status]);
}

/** What was placed last in this process: its id, or 0 when Sejoli refused it. */
function placed(): int
{
    $checkout = sejolisa_get_respond('checkout');
    $orders = sejolisa_get_respond('order');
    $last = is_array($orders) && isset($orders[0]) ? end($orders) : $orders;
    if (empty($last['order']['ID'])) fwrite(STDERR, json_encode([$checkout, sejolisa_get_messages()]) . "\n");
    return (int) ($last['order']['ID'] ?? 0);
}

function follow(int $index, int $order, string $time): void
{
    $ends = ['completed', 'completed', 'on-hold', 'completed', 'refunded', 'completed', 'payment-confirm', 'completed',
        'cancelled', 'completed', 'in-progress', 'completed', 'shipping', 'again'];
    $end = $ends[$index % count($ends)];
    if ($end === 'on-hold') return;
    at(later($time, 0));
    if ($index % 3 === 0 || $end === 'payment-confirm') confirm($order);
    if ($end === 'payment-confirm') {
        move($order, 'payment-confirm');
        return;
    }
    if ($end === 'cancelled') {
        move($order, 'cancelled');
        return;
    }
    if ($end === 'in-progress' || $end === 'shipping' || $index % 4 === 1) move($order, 'in-progress');
    if ($end === 'in-progress') return;
    if ($end === 'shipping') {
        move($order, 'shipping');
        return;
    }
    move($order, 'completed');
    at(later($time, 6));
    if ($end === 'refunded') move($order, 'refunded');
    if ($end === 'again') foreach (['on-hold', 'completed'] as $status) move($order, $status);
}

function confirm(int $order): void
{
    $of = sejolisa_get_order(['ID' => $order])['orders'];
    sejolisa_add_payment_confirmation_data(['order_id' => $order, 'product_id' => $of['product_id'], 'user_id' => $of['user_id'],
        'detail' => ['sender' => "Nama O'Pengirim", 'account_number' => '123-456', 'total' => $of['grand_total'],
        'bank_sender' => 'BCA', 'bank_recipient' => 'BCA', 'proof' => 'https://shop.example/bukti.jpg',
        'note' => "Sudah dibayar\nterima kasih"]]);
}

/**
 * Sejoli tells transfers apart by some rupiah. That setting opens with a licence of Sejoli only, so the script
 * does what it does: the number of the order, added to the total and told in the order.
 */
function add_unique_code(int $code): void
{
    add_filter('sejoli/order/grand-total', fn($total) => $total > 0 ? $total + $code : $total, 901);
    add_filter('sejoli/order/meta-data', fn($meta) => array_replace_recursive($meta, ['manual' => ['unique_code' => $code]]), 101);
}

/** The licence of an order is used in up to three places, as far as Sejoli lets it. */
function use_licence(int $order, int $uses): void
{
    $licences = sejolisa_get_license_by_order($order)['licenses'] ?? [];
    if (!$licences) return;
    $licence = (object) (isset($licences['ID']) ? $licences : $licences[0]);
    $user = get_userdata($licence->user_id);
    for ($use = 0; $use < $uses; $use++) {
        apply_filters('sejoli/license/availability', null, ['user_email' => $user->user_email,
            'user_pass' => 'made-up password ' . substr($user->user_login, 6), 'license' => $licence->code,
            'string' => "https://situs$use.example.org"]);
    }
}

/** One checkout and what becomes of it. */
function order(int $index): void
{
    mt_srand(1000 + $index);
    $products = get_option('made_up_products');
    $name = pick(['ebook', 'ebook', 'plugin', 'club', 'club', 'course', 'school', 'free', 'shirt']);
    $time = moment($index, ORDERS);
    at($time);
    $buyer = mt_rand(0, PEOPLE - 1);
    wp_set_current_user(person_id($buyer));
    if ($index % 2) do_action('sejoli/checkout/affiliate/set', person_id(($buyer + 5) % PEOPLE), 'link');
    $codes = [null, 'HEMAT10', null, 'POTONG25', 'BUKU', 'TIGA', null, 'LEBARAN24', 'HEMAT-P1', 'GRATIS', null, 'HEMAT-P3'];
    $code = $codes[$index % 12];
    if (in_array($name, ['free', 'shirt'],
        true) || ($code === 'BUKU' && $name !== 'ebook') || ($code === 'TIGA' && $name === 'plugin') || ($code === 'LEBARAN24' && $time > '2024-05')) $code = null;
    $asked = ['product_id' => $products[$name], 'user_id' => get_current_user_id(), 'quantity' => $name === 'ebook' ? pick([1, 1,
        3]) : 1, 'coupon' => $code, 'payment_gateway' => 'manual:::bca', 'wallet' => 'false'];
    if ($name === 'shirt') $asked += ['user_name' => 'Penerima', 'user_phone' => '081200000000', 'address' => 'Jalan Contoh 1',
        'postal_code' => '40111', 'district_id' => 0, 'district_name' => 'Coblong', 'shipment' => 'JNE:::REG:::18000',
        'variants' => [pick(['ukuran:::m:::0', 'ukuran:::xl-besar:::1'])]];
    add_unique_code($index + 1);
    do_action('sejoli/checkout/do', $asked);
    $order = placed();
    if (!$order) return;
    follow($index, $order, $time);
    use_licence($order, $index % 4);
    $renewals = ['club' => [30, 4], 'course' => [7, 3], 'school' => [365, 1]][$name] ?? [0, 0];
    // For the caller: the order, after how many days it may be renewed, how often it will be, and since when.
    echo "$order $renewals[0] " . mt_rand(min(1, $renewals[1]), $renewals[1]) . ' ' . gmdate('Y-m-d', strtotime("$time UTC")) . "\n";
}

/** php sejoli.php <folder> renew <order> <day>: the next term of what recurs. */
function renew(int $order, string $day): void
{
    at("$day 06:30:00");
    $last = sejolisa_get_order(['ID' => $order])['orders'];
    wp_set_current_user((int) $last['user_id']);
    add_unique_code($order % 999);
    do_action('sejoli/checkout/renew', ['order_id' => $order, 'product_id' => $last['product_id'],
        'user_id' => get_current_user_id(), 'payment_gateway' => 'manual:::bca', 'wallet' => 'false']);
    $next = placed();
    if ($next && $next % 7) move($next, 'completed');
    echo "$next\n";
}

/** Reminders queued, some commissions paid, the wallet filled. */
function finish(): void
{
    global $wpdb;
    at('2026-01-02 09:00:00');
    do_action('update_status_subscription_to_expired');
    $orders = sejolisa_get_orders([])['orders'];
    foreach (array_slice($orders, 0, 6) as $index => $order) {
        sejolisa_add_reminder_queue(['order_id' => $order->ID, 'recipient' => 'buyer', 'title' => 'Jangan lupa',
            'content' => "Halo,\nini pengingat.", 'send_day' => $index, 'send_hours' => 0,
            'media_type' => $index % 2 ? 'email' : 'whatsapp', 'reminder_type' => $index % 3 ? 'order' : 'recurring']);
    }
    $sent = $wpdb->get_col("select ID from {$wpdb->prefix}sejolisa_reminders limit 2");
    sejolisa_update_reminder_status($sent);
    foreach ($wpdb->get_col("select ID from {$wpdb->prefix}sejolisa_affiliates where status = 'added' order by ID limit 12") as $commission) {
        sejolisa_update_commission_paid_status(['ID' => $commission, 'paid_status' => true]);
    }
    wp_set_current_user(1);
    foreach ([[2, 100000, 'in', true], [2, 40000, 'out', false], [5, 25000, 'in', false]] as [$number, $value, $type, $refundable]) {
        sejoli_manual_input_wallet(['user_id' => person_id($number), 'value' => $value, 'type' => $type,
            'refundable' => $refundable, 'valid_point' => true, 'label' => 'manual', 'meta_data' => ['note' => 'Bonus']]);
    }
    delete_option('made_up_products');
    // Sejoli's lists leave out the orders of people who are gone, so they are read while all are there.
    $figures = figures();
    wp_delete_user(person_id(39));
    write_figures('sejoli', ['users by role' => array_filter(count_users()['avail_roles'])] + $figures);
}

match ($argv[2]) {
    'setup' => setup(),
    'order' => order((int) $argv[3]),
    'renew' => renew((int) $argv[3], $argv[4]),
    'finish' => finish(),
};
