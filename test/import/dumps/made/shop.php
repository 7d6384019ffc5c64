<?php
/**
 * What the shops have in common: the site is loaded, no mail leaves, the clock is the script's, chance
 * is the same on every run, and people are made up.
 */
$_SERVER['HTTP_HOST'] = 'shop.example';
$_SERVER['REMOTE_ADDR'] = '192.0.2.7';
$_SERVER['REQUEST_METHOD'] = 'GET';
define('WP_ADMIN', true);
require "$argv[1]/wp-load.php";
require ABSPATH . 'wp-admin/includes/admin.php';
add_filter('pre_wp_mail', '__return_true');
mt_srand(20260101);
const FIRST_DAY = '2024-02-01';
const DAYS = 700;

/** Moves the clock of this process (UTC), which runs under libfaketime with FAKETIME_NO_CACHE=1. */
function at(string $utc): void
{
    file_put_contents(getenv('FAKETIME_TIMESTAMP_FILE'), "@$utc\n");
}

/** The moment in a row of `$count` that are spread over the shop's days, at some hour of the day. */
function moment(int $index, int $count): string
{
    $day = strtotime(FIRST_DAY . ' UTC') + intdiv($index * DAYS, $count) * 86400;
    return gmdate('Y-m-d H:i:s', $day + mt_rand(0, 86399));
}

function later(string $utc, int $days): string
{
    return gmdate('Y-m-d H:i:s', strtotime("$utc UTC") + $days * 86400 + mt_rand(0, 3600));
}

function pick(array $from): mixed
{
    return $from[mt_rand(0, count($from) - 1)];
}

/** The person of this number: always the same one. */
function person(int $number): array
{
    $first = ['Ada', 'Björn', 'Chloé', 'Dewi', 'Éva', 'Farid', "D'Arcy", 'Hạnh', 'Íris', 'Jun 俊'];
    $last = ['Example', 'Sample', "O'Placeholder", 'von Muster', 'Contoh', 'Doe-Test', 'Übung'];
    $place = [['DE', 'BE', 'Berlin', '10115'], ['US', 'NY', 'Springfield', '10001'], ['ID', 'JB', 'Bandung', '40111']];
    [$country, $state, $city, $zip] = $place[$number % 3];
    return [
        'first_name' => $first[$number % 10],
        'last_name' => $last[$number % 7],
        'email' => "person$number@example.com",
        'address' => ['line1' => "Example Street $number", 'line2' => $number % 4 ? '' : 'Rear "house"', 'city' => $city,
            'zip' => $zip, 'country' => $country, 'state' => $state],
    ];
}

/** The person of this number as a user of the site: its id. */
function user(int $number, string $role): int
{
    $person = person($number);
    return wp_insert_user([
        'user_login' => "person$number",
        'user_email' => $person['email'],
        'user_pass' => "made-up password $number",
        'first_name' => $person['first_name'],
        'last_name' => $person['last_name'],
        'display_name' => "$person[first_name] $person[last_name]",
        'role' => $role,
    ]);
}

/** Who sent the buyer of the next order, as AffiliateWP is to see it: 0 for nobody. */
function referred_by(int $affiliate): void
{
    static $sender = 0, $known = false;
    $sender = $affiliate;
    if ($known) return;
    $known = true;
    add_filter('affwp_was_referred', function () use (&$sender) { return $sender > 0; });
    add_filter('affwp_get_referring_affiliate_id', function () use (&$sender) { return $sender; });
}

/** Stops when a plugin refused something. */
function done(mixed $made): mixed
{
    if (is_wp_error($made)) throw new Exception($made->get_error_message());
    if (!$made) throw new Exception('Nothing was made');
    return $made;
}

/** Counts and sums of what the plugin's own query answers, by one of its fields. */
function by(string $field, iterable $rows, string $amount): array
{
    return sums($rows, fn($row) => $row->$field, fn($row) => $row->$amount);
}

function sums(iterable $rows, callable $key, callable $amount): array
{
    $sums = [];
    foreach ($rows as $row) {
        $sums[$key($row)] ??= ['count' => 0, 'sum' => '0.00'];
        $sums[$key($row)]['count']++;
        $sums[$key($row)]['sum'] = number_format($sums[$key($row)]['sum'] + (float) $amount($row), 2, '.', '');
    }
    ksort($sums);
    return $sums;
}

function write_figures(string $name, array $figures): void
{
    $json = json_encode($figures, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION);
    file_put_contents(dirname(__DIR__) . "/$name.json", "$json\n");
}
