<?php
// Receives webhooks and proves who sent them: php -S 127.0.0.1:3000 receiver.php (PHP 8.0 or later)
declare(strict_types=1);

function isProven(string $header, string $body): bool
{
    preg_match_all('/(?:^|,)t=(\d+)(?=,|$)/', $header, $times);
    if (count($times[1]) !== 1 || abs(time() - (int) $times[1][0]) > 300) return false;
    $secret = base64_decode(getenv('PARTNER_WEBHOOK_SECRET'), true);
    $expected = hash_hmac('sha256', $times[1][0] . '.' . $body, $secret);
    // While secrets are rotated, a delivery has a v1 for each of them.
    preg_match_all('/(?:^|,)v1=([^,]*)/', $header, $signatures);
    foreach ($signatures[1] as $signature) if (hash_equals($expected, $signature)) return true;
    return false;
}

/** False for an event that came before: in a database, together with the effect, if a second one would do harm. */
function isNew(string $event): bool
{
    $folder = getenv('PARTNER_EVENTS') ?: sys_get_temp_dir();
    return @fopen($folder . '/event-' . hash('sha256', $event), 'x') !== false;
}

/** Takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked. */
function kindOf(string $body): string
{
    $event = json_decode($body, true);
    $kind = is_array($event) ? $event['event_type'] ?? $event['type'] ?? null : null;
    return is_string($kind) ? $kind : 'unknown';
}

$body = file_get_contents('php://input'); // the raw bytes
$proven = isProven($_SERVER['HTTP_X_SIGNATURE'] ?? '', $body);
if ($proven && isNew($_SERVER['HTTP_X_WEBHOOK_ID'] ?? '')) {
    file_put_contents('php://stdout', 'event ' . kindOf($body) . "\n");
}
http_response_code($proven ? 200 : 400);
