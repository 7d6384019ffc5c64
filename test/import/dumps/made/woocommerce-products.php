<?php
/** What the shop of WooCommerce sells. */
function product(WC_Product $product, array $props): WC_Product
{
    $product->set_props($props + ['status' => 'publish', 'description' => "About $props[name]", 'short_description' => 'Made up']);
    done($product->save());
    return $product;
}

function variable_product(): array
{
    wc_create_attribute(['name' => 'Size', 'slug' => 'size']);
    register_taxonomy('pa_size', 'product');
    $sizes = array_map(fn($size) => wp_insert_term($size, 'pa_size')['term_id'], ['Small', 'Large & long']);
    $size = new WC_Product_Attribute();
    $size->set_id(wc_attribute_taxonomy_id_by_name('pa_size'));
    $size->set_name('pa_size');
    $size->set_options($sizes);
    $size->set_variation(true);
    $colour = new WC_Product_Attribute();
    $colour->set_name('Colour');
    $colour->set_options(['Rød', 'Blue']);
    $colour->set_variation(true);
    $parent = product(new WC_Product_Variable(), ['name' => 'Shirt "d\'essai" 👕', 'attributes' => [$size, $colour]]);
    $variations = [];
    foreach ([['small', 'Rød', '20'], ['small', 'Blue', '21.5'], ['large-long', '', '25']] as $index => [$of_size, $of_colour, $price]) {
        $variation = new WC_Product_Variation();
        $variation->set_props(['parent_id' => $parent->get_id(), 'attributes' => ['pa_size' => $of_size, 'colour' => $of_colour],
            'regular_price' => $price, 'sku' => "SHIRT-$index", 'manage_stock' => true, 'stock_quantity' => 500,
            'weight' => '0.3', 'status' => 'publish']);
        done($variation->save());
        $variations[] = $variation;
    }
    WC_Product_Variable::sync($parent->get_id());
    return $variations;
}

function licence_product(string $name, string $price, string $type, string $term): WC_Product
{
    $keys = ['_domain_licenses' => 2, '_devices_licenses' => 2, '_license_renewal_period_term' => $term,
        '_license_renewal_period_length' => 1, '_license_current_version' => '1.0.0', '_license_until_version' => '2.1.0',
        '_license_type' => $type];
    $product = product(new WC_Product_Simple(), ['name' => $name, 'regular_price' => $price, 'virtual' => true]);
    foreach ($keys as $key => $value) update_post_meta($product->get_id(), $key, $value);
    wp_set_object_terms($product->get_id(), 'slm_license', 'product_type');
    wc_delete_product_transients($product->get_id());
    clean_post_cache($product->get_id());
    WC_Cache_Helper::invalidate_cache_group('product_' . $product->get_id());
    return wc_get_product($product->get_id());
}

function products(): array
{
    at('2024-01-20 10:00:00');
    $category = wp_insert_term('Prints', 'product_cat')['term_id'];
    $mug = product(new WC_Product_Simple(), ['name' => 'Mug; 0,3 l', 'regular_price' => '12.90', 'sale_price' => '9.90',
        'sku' => 'MUG', 'manage_stock' => true, 'stock_quantity' => 1000, 'weight' => '0.4']);
    $book = product(new WC_Product_Simple(), ['name' => 'Book of 100% examples — é', 'regular_price' => '18.69',
        'tax_class' => 'reduced-rate', 'weight' => '0.75', 'category_ids' => [$category]]);
    $file = new WC_Product_Download();
    $file->set_id('00000000-0000-4000-8000-000000000001');
    $file->set_name('Score');
    $file->set_file('https://shop.example/score.pdf');
    $score = product(new WC_Product_Simple(), ['name' => 'Score', 'regular_price' => '7', 'virtual' => true,
        'downloadable' => true, 'downloads' => [$file], 'tax_status' => 'none']);
    $free = product(new WC_Product_Simple(), ['name' => 'Sample', 'regular_price' => '0', 'virtual' => true]);
    $gone = product(new WC_Product_Simple(), ['name' => 'No longer sold', 'regular_price' => '30']);
    product(new WC_Product_Grouped(), ['name' => 'Set', 'children' => [$mug->get_id(), $book->get_id()]]);
    product(new WC_Product_External(), ['name' => 'Elsewhere', 'product_url' => 'https://other.example', 'regular_price' => '5']);
    product(new WC_Product_Simple(), ['name' => 'Not yet sold', 'regular_price' => '99', 'status' => 'draft']);
    return [$mug, $book, $score, $free, $gone, licence_product('Plugin with a key', '49.00', 'subscription', 'years'),
        licence_product('Plugin for ever', '149', 'lifetime', 'onetime'), ...variable_product()];
}
