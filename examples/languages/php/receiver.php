<?php
// Receives webhooks and verifies who sent them: php -S 127.0.0.1:3000 receiver.php (PHP 8.0 or later)
declare(strict_types=1);

function isVerified(string $header, string $body): bool
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

/** False for a duplicate. If a second effect would do harm, store the ids in a database, together with the effect. */
function isNew(string $deliveryId): bool
{
    $folder = getenv('PARTNER_EVENTS') ?: sys_get_temp_dir();
    return @fopen($folder . '/event-' . hash('sha256', $deliveryId), 'x') !== false;
}

/**
 * Returns the kind of an event, and the id by which a duplicate of its delivery is known.
 *
 * Only an envelope, {"id": …, "type": …, "data": {…}}, has an id of its own. The id of the flat form, {"event_type": …},
 * is that of the resource, and X-Webhook-ID is that of the subscription. Other events have the same ids.
 */
function identify(string $body, string $headerKind): array
{
    $event = json_decode($body);
    $text = fn (string $name): string => is_object($event) && is_string($event->$name ?? null) ? $event->$name : '';
    [$flat, $kind, $id] = array_map($text, ['event_type', 'type', 'id']);
    if ($flat === '' && $kind !== '' && $id !== '' && is_object($event->data ?? null)) return [$kind, $id];
    if ($flat . $kind !== '') return [$flat !== '' ? $flat : $kind, hash('sha256', $body)];
    // X-Webhook-Event isn't signed, so under another kind the same bytes are another event.
    return $headerKind === '' ? ['unknown', hash('sha256', $body)] : [$headerKind, hash('sha256', "$headerKind\n$body")];
}

$body = file_get_contents('php://input'); // the raw bytes
$verified = isVerified($_SERVER['HTTP_X_SIGNATURE'] ?? '', $body);
if ($verified) {
    [$kind, $deliveryId] = identify($body, $_SERVER['HTTP_X_WEBHOOK_EVENT'] ?? '');
    if (isNew($deliveryId)) file_put_contents('php://stdout', "event $kind $deliveryId\n");
}
http_response_code($verified ? 200 : 400);
