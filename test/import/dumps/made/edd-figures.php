<?php
/** What Easy Digital Downloads and AffiliateWP themselves say of the shop. */
function figures(): array
{
    $all = ['number' => 9999, 'orderby' => 'id', 'order' => 'ASC'];
    $sales = edd_get_orders(['type' => 'sale'] + $all);
    $refunds = edd_get_orders(['type' => 'refund'] + $all);
    $referrals = affiliate_wp()->referrals->get_referrals(['number' => -1, 'status' => ['paid', 'unpaid', 'pending', 'rejected', 'draft', 'failed']]);
    $customers = edd_get_customers($all);
    return [
        'orders' => ['sale' => edd_count_orders(['type' => 'sale']), 'refund' => edd_count_orders(['type' => 'refund']),
            'test' => edd_count_orders(['mode' => 'test'])],
        'sales by status' => by('status', $sales, 'total'),
        'sales by currency' => by('currency', $sales, 'total'),
        'sales by gateway' => by('gateway', $sales, 'total'),
        'refunds by status' => by('status', $refunds, 'total'),
        'order items' => edd_count_order_items([]),
        'order items by product' => by('product_id', edd_get_order_items($all), 'total'),
        'order adjustments by type' => by('type', edd_get_order_adjustments($all), 'total'),
        'left of refunded orders' => array_column(array_map(fn($refund) => [$refund->parent,
            number_format(edd_get_order_total($refund->parent), 2, '.', '')], $refunds), 1, 0),
        'store' => ['sales' => (int) edd_get_total_sales(), 'earnings' => number_format((float) edd_get_total_earnings(), 2, '.', '')],
        'customers' => edd_count_customers(),
        'customers with a user' => count(array_filter($customers, fn($customer) => $customer->user_id > 0)),
        'purchases of customers' => ['count' => array_sum(array_column($customers, 'purchase_count')),
            'sum' => number_format(array_sum(array_column($customers, 'purchase_value')), 2, '.', '')],
        'users' => count_users()['avail_roles'],
        'products' => array_filter((array) wp_count_posts('download')),
        'discounts' => array_map(fn($one) => ['code' => $one->code, 'status' => $one->get_status(),
            'uses' => (int) $one->use_count], edd_get_discounts(['status__not_in' => ['none']] + $all)),
        'affiliates by status' => by('status', affiliate_wp()->affiliates->get_affiliates(['number' => -1]), 'earnings'),
        'referrals by status' => by('status', $referrals, 'amount'),
        'referrals by context' => by('context', $referrals, 'amount'),
        'payouts by status' => by('status', affiliate_wp()->affiliates->payouts->get_payouts(['number' => -1, 'status' => ['paid',
            'processing', 'failed']]), 'amount'),
    ];
}
