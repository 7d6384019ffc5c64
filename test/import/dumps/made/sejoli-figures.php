<?php
/** Sejoli's own lists, summed; who may see what by its own rule. */
function figures(): array
{
    $orders = sejolisa_get_orders([])['orders'];
    $commissions = sejolisa_get_commissions([])['commissions'] ?? [];
    $coupons = array_map(fn($coupon) => (object) $coupon, (array) sejolisa_get_coupons([])['coupons']);
    // Its list has a licence once for each term of the subscription.
    $licences = array_column((array) sejolisa_get_licenses([])['licenses'], null, 'ID');
    $subscriptions = sejolisa_get_subscriptions([])['subscriptions'];
    $seen = [];
    foreach (get_users(['fields' => ['ID', 'user_login']]) as $user) {
        $seen[$user->user_login] = array_map('intval', array_keys((array) (sejolisa_get_user_access_products($user->ID) ?: [])));
    }
    $one = fn() => 0;
    return [
        'read at' => current_time('mysql'),
        'orders by status' => by('status', $orders, 'grand_total'),
        'orders by type' => by('type', $orders, 'grand_total'),
        'orders by product' => by('product_id', $orders, 'grand_total'),
        'orders by affiliate' => by('affiliate_id', $orders, 'grand_total'),
        'orders by coupon' => by('coupon_id', $orders, 'grand_total'),
        'renewals' => count(array_filter((array) $orders, fn($order) => $order->order_parent_id > 0)),
        'commissions by status' => by('status', $commissions, 'commission'),
        'commissions by tier' => by('tier', $commissions, 'commission'),
        'commissions by paid' => sums($commissions, fn($row) => $row->paid_status ? 'paid' : 'unpaid', fn($row) => $row->commission),
        'coupons' => array_map(fn($coupon) => ['code' => $coupon->code, 'status' => $coupon->status,
            'uses' => (int) $coupon->usage, 'parent' => (int) $coupon->coupon_parent_id], array_values($coupons)),
        'activations by status' => array_map(fn($sum) => $sum['count'], sums($licences, fn($row) => $row->status, $one)),
        'activations by code' => array_map(fn($sum) => $sum['count'], sums($licences, fn($row) => $row->code, $one)),
        'subscriptions by status' => array_map(fn($sum) => $sum['count'], sums($subscriptions, fn($row) => $row->status, $one)),
        'subscriptions by type' => array_map(fn($sum) => $sum['count'], sums($subscriptions, fn($row) => $row->type, $one)),
        'products open to each' => array_filter($seen),
    ];
}
