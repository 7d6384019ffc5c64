<?php
/** What WooCommerce, AffiliateWP and SLM Plus themselves say of the shop. */
function figures(): array
{
    global $wpdb;
    $statuses = array_merge(array_keys(wc_get_order_statuses()), ['trash', 'wc-checkout-draft']);
    $orders = wc_get_orders(['type' => 'shop_order', 'status' => $statuses, 'limit' => -1]);
    $refunds = wc_get_orders(['type' => 'shop_order_refund', 'status' => array_merge($statuses, ['any']), 'limit' => -1]);
    $lines = array_merge(...array_map(fn($order) => array_values($order->get_items()), $orders));
    $used = array_merge(...array_map(fn($order) => array_values($order->get_items('coupon')), $orders));
    $total = fn($order) => $order->get_total();
    $coupons = array_map(fn($post) => new WC_Coupon($post->ID), get_posts(['post_type' => 'shop_coupon', 'post_status' => 'any',
        'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']));
    $referrals = affiliate_wp()->referrals->get_referrals(['number' => -1, 'status' => ['paid', 'unpaid', 'pending', 'rejected', 'draft', 'failed']]);
    return [
        'orders by status' => sums($orders, fn($order) => $order->get_status(), $total),
        'orders by currency' => sums($orders, fn($order) => $order->get_currency(), $total),
        'orders by payment method' => sums($orders, fn($order) => $order->get_payment_method(), $total),
        'orders by month in UTC' => sums($orders, fn($order) => gmdate('Y-m', $order->get_date_created()->getTimestamp()), $total),
        'orders of guests' => count(array_filter($orders, fn($order) => !$order->get_customer_id())),
        'orders paid' => count(array_filter($orders, fn($order) => $order->get_date_paid())),
        'tax of orders' => number_format(array_sum(array_map(fn($order) => (float) $order->get_total_tax(), $orders)), 2, '.', ''),
        'shipping of orders' => number_format(array_sum(array_map(fn($order) => (float) $order->get_shipping_total(), $orders)), 2, '.', ''),
        'discount of orders' => number_format(array_sum(array_map(fn($order) => (float) $order->get_discount_total(), $orders)), 2, '.', ''),
        'refunds' => sums($refunds, fn($refund) => $refund->get_status(), fn($refund) => $refund->get_amount()),
        'refunded by order' => array_filter(array_combine(array_map(fn($order) => $order->get_id(), $orders),
            array_map(fn($order) => number_format((float) $order->get_total_refunded(), 2, '.', ''), $orders)), 'floatval'),
        'lines by product' => sums($lines, fn($line) => wc_get_order_item_meta($line->get_id(), '_product_id'), fn($line) => $line->get_total()),
        'lines by variation' => sums($lines, fn($line) => $line->get_variation_id(), fn($line) => $line->get_total()),
        'quantity of lines' => array_sum(array_map(fn($line) => $line->get_quantity(), $lines)),
        'coupons of orders' => sums($used, fn($line) => $line->get_code(), fn($line) => $line->get_discount()),
        'coupons' => array_map(fn($one) => ['code' => $one->get_code(), 'status' => $one->get_status(),
            'uses' => $one->get_usage_count(), 'users' => count($one->get_used_by())], $coupons),
        'products by type' => array_count_values(array_map(fn($product) => $product->get_type(), wc_get_products(['limit' => -1,
            'status' => ['publish', 'draft', 'trash']]))),
        'users' => array_filter(count_users()['avail_roles']),
        'affiliates by status' => by('status', affiliate_wp()->affiliates->get_affiliates(['number' => -1]), 'earnings'),
        'referrals by status' => by('status', $referrals, 'amount'),
        'referrals by context' => by('context', $referrals, 'amount'),
        'payouts by status' => by('status', affiliate_wp()->affiliates->payouts->get_payouts(['number' => -1, 'status' => ['paid',
            'processing', 'failed']]), 'amount'),
        'keys' => ['all' => (int) SLM_Utility::get_total_licenses()] + array_map(fn($status) => (int) SLM_Utility::count_licenses($status),
            array_combine($all = ['pending', 'active', 'blocked', 'expired'], $all)),
    ];
}
