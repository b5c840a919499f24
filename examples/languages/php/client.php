<?php
// Signs requests and calls the API: PHP 8.0 or later, without extensions.
declare(strict_types=1);

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

function call(string $method, string $path, ?array $value = null): mixed
{
    static $last = 0;
    $body = $value === null ? '' : json_encode($value); // these bytes are signed and sent
    $key = uuid(); // one for all attempts: a repeat has no second effect
    for ($attempt = 1; ; $attempt++) {
        $last = max((int) (microtime(true) * 1e6) * 1000, $last + 1); // rises with every request, repeats too
        $headers = ['API-Key: ' . getenv('PARTNER_API_KEY'), "API-Nonce: $last", 'API-Sign: ' . sign($path, "$last", $body)];
        if ($method === 'POST') array_push($headers, 'Content-Type: application/json', "Idempotency-Key: $key");
        $options = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 30];
        $answer = file_get_contents(getenv('PARTNER_BASE_URL') . $path, false, stream_context_create(['http' => $options]));
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status < 300) return json_decode($answer, true)['data'];
        if (!in_array($status, [429, 503, 504], true) || $attempt === 3) {
            $error = json_decode($answer, true)['error'];
            throw new RuntimeException("$status {$error['code']} {$error['instance']}");
        }
        $wait = preg_grep('/^Retry-After: *\d+$/i', $http_response_header);
        sleep((int) (preg_replace('/\D/', '', implode($wait)) ?: $attempt));
    }
}

$account = '/v1/accounts/' . getenv('PARTNER_ACCOUNT_ID');
echo 'conversions ', count(call('GET', "$account/on-demand-conversions?page_size=2")), "\n";
$sides = ['from' => ['symbol' => 'USD', 'type' => 'fiat', 'amount' => '100.00'], 'to' => ['symbol' => 'BTC', 'type' => 'crypto']];
$quote = call('POST', "$account/quotes", $sides);
echo "quote {$quote['status']} ", call('GET', "$account/quotes/{$quote['id']}")['to']['amount'], "\n";
try {
    call('GET', "$account/quotes/none");
} catch (RuntimeException $error) {
    echo 'error ', $error->getMessage(), "\n";
}
