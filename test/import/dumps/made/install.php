<?php
/**
 * php install.php <folder of WordPress> <zone>: an empty site; once more with <plugin>…: turns these on.
 */
[, $folder, $zone] = $argv;
$plugins = array_slice($argv, 3);
$_SERVER['HTTP_HOST'] = 'shop.example';
define($plugins ? 'WP_ADMIN' : 'WP_INSTALLING', true);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');

if (!$plugins) {
    wp_install('Made-up shop', 'keeper', 'keeper@shop.example', true, '', 'made-up password');
    update_option('siteurl', 'https://shop.example');
    update_option('home', 'https://shop.example');
    update_option('timezone_string', $zone);
    exit;
}
foreach ($plugins as $plugin) {
    $failed = activate_plugin($plugin);
    if (is_wp_error($failed)) exit($plugin . ': ' . $failed->get_error_message() . "\n");
}
// AffiliateWP reads its settings while it is loaded, so which shop it stands beside has to be there before.
$integrations = ['edd' => 'Easy Digital Downloads', 'woocommerce' => 'WooCommerce'];
update_option('affwp_settings', ['integrations' => $integrations, 'referral_rate' => 20, 'cookie_exp' => 30] + (array) get_option('affwp_settings'));
