<?php
// Signs requests and calls the API: PHP 8.0 or later, without extensions.
//
// Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature.
declare(strict_types=1);

const ATTEMPTS = 3;

/** `outcome` of a write: not_applied, applied or unknown. If unknown, look, or retry with its idempotency key. */
final class CallFailed extends RuntimeException
{
    public function __construct(string $what, public int $status, public ?string $outcome, public ?string $key)
    {
        parent::__construct($outcome === null ? $what : "$what: $outcome, key " . ($key ?? 'none'));
    }
}

function sign(string $path, string $nonce, string $body): string
{
    $inner = hash('sha256', $nonce . $body, true);
    $secret = base64_decode(getenv('PARTNER_API_SECRET'), true);
    return base64_encode(hash_hmac('sha512', $path . $inner, $secret, true));
}

function uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** Makes one attempt. Returns status, Retry-After and body of the response. Status 0: no complete response arrived. */
function attempt(string $method, string $path, string $body, ?string $key): array
{
    static $nonce = 0;
    $nonce = max((int) (microtime(true) * 1e6) * 1000, $nonce + 1); // rises with every request, also with a retry
    $headers = ['API-Key: ' . getenv('PARTNER_API_KEY'), "API-Nonce: $nonce", 'API-Sign: ' . sign($path, "$nonce", $body)];
    if ($body !== '') $headers[] = 'Content-Type: application/json';
    if ($key !== null) $headers[] = "Idempotency-Key: $key";
    $limit = (float) (getenv('PARTNER_TIME_LIMIT_S') ?: 30); // of an attempt: how long the service may be silent
    $options = ['method' => $method, 'header' => $headers, 'content' => $body, 'timeout' => $limit];
    $context = stream_context_create(['http' => $options + ['ignore_errors' => true, 'follow_location' => 0]]);
    $stream = @fopen(getenv('PARTNER_BASE_URL') . $path, 'r', false, $context);
    if ($stream === false) return [0, '', 'no response (' . (error_get_last()['message'] ?? '') . ')'];
    $text = stream_get_contents($stream);
    ['wrapper_data' => $lines, 'timed_out' => $isLate] = stream_get_meta_data($stream);
    $length = headerOf($lines, 'Content-Length');
    if ($isLate || ($length !== '' && strlen($text) < (int) $length)) return [0, '', 'no response (its body broke off)'];
    return [(int) (explode(' ', $lines[0])[1] ?? 0), headerOf($lines, 'Retry-After'), $text];
}

/** Returns the value of a header, or '' if there is none. */
function headerOf(array $lines, string $name): string
{
    foreach ($lines as $line) if (stripos($line, "$name:") === 0) return trim(substr($line, strlen($name) + 1));
    return '';
}

/** Says whether to retry, and the outcome of a write, by the table of retries in docs/reference/protocol.md. */
function judge(string $method, ?string $key, int $status, ?string $code): array
{
    $class = intdiv($status, 100);
    if ($class === 2) return [$method === 'GET', 'applied']; // damaged on its way
    if ($status === 429) return [true, 'not_applied'];
    if (($class === 4 && $status !== 408) || ($status === 501 && $code !== null)) return [false, 'not_applied'];
    $isSafe = $key !== null || in_array($method, ['GET', 'DELETE'], true);
    return [$isSafe && (in_array($status, [0, 502, 503, 504], true) || ($status >= 500 && $code === null)), 'unknown'];
}

/** Returns how long to wait: what Retry-After says (seconds or a date), or a random time with a growing limit. */
function waitSeconds(string $retryAfter, int $attempt): float
{
    if (ctype_digit($retryAfter)) return (float) $retryAfter;
    $time = strtotime($retryAfter);
    return $time === false ? $attempt * mt_rand() / mt_getrandmax() : (float) max(0, $time - time());
}

/** Returns the response's data. Store a write's idempotency key before: a retry with it has no second effect. */
function call(string $method, string $path, ?array $value = null, ?string $key = null): mixed
{
    $body = $value === null ? '' : json_encode($value, JSON_THROW_ON_ERROR); // these bytes are signed and sent
    $outcome = null;
    for ($attempt = 1; ; $attempt++) {
        [$status, $retryAfter, $text] = attempt($method, $path, $body, $key);
        $isSuccess = intdiv($status, 100) === 2;
        $answer = json_decode($text, true); // null: a gateway may respond in HTML
        if ($isSuccess && is_array($answer)) return array_key_exists('data', $answer) ? $answer['data'] : $answer;
        if ($isSuccess && $method !== 'GET' && $text === '') return null;
        $code = is_array($answer) && is_string($answer['error']['code'] ?? null) ? $answer['error']['code'] : null;
        [$mayRetry, $now] = judge($method, $key, $status, $code);
        // No later rejection settles an unknown outcome.
        if ($method !== 'GET' && ($outcome !== 'unknown' || $now === 'applied')) $outcome = $now;
        if ($attempt === ATTEMPTS || !$mayRetry) {
            $shown = $code === null ? substr($text, 0, 80) : "$code " . ($answer['error']['instance'] ?? '');
            throw new CallFailed($status === 0 ? $text : "$status $shown", $status, $outcome, $key);
        }
        usleep((int) (waitSeconds($retryAfter, $attempt) * 1e6));
    }
}

$account = '/v1/accounts/' . getenv('PARTNER_ACCOUNT_ID');
try {
    echo 'conversions ' . count(call('GET', "$account/on-demand-conversions?page_size=2")) . "\n";
    $sides = ['from' => ['symbol' => 'USD', 'type' => 'fiat', 'amount' => '100.00'], 'to' => ['symbol' => 'BTC', 'type' => 'crypto']];
    $key = uuid();
    echo "key $key\n"; // a product stores it together with its purpose
    $quote = call('POST', "$account/quotes", $sides, $key);
    echo "quote {$quote['status']} " . call('GET', "$account/quotes/{$quote['id']}")['to']['amount'] . "\n";
} catch (CallFailed $failure) {
    file_put_contents('php://stderr', "failed {$failure->getMessage()}\n");
    exit(1);
}
try {
    call('GET', "$account/quotes/none");
} catch (CallFailed $error) {
    echo 'error ', $error->getMessage(), "\n";
}
