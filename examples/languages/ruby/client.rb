# Signs requests and calls the API: Ruby 3.0 or later, its standard library alone.
#
# Retries what docs/reference/protocol.md calls safe: same bytes and idempotency key, new nonce and signature.
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'time'
require 'timeout'

BASE_URL = URI(ENV.fetch('PARTNER_BASE_URL'))
API_KEY = ENV.fetch('PARTNER_API_KEY')
SECRET = ENV.fetch('PARTNER_API_SECRET').unpack1('m0')
TIME_LIMIT_S = ENV.fetch('PARTNER_TIME_LIMIT_S', '30').to_f # of an attempt
ATTEMPTS = 3
$nonce = 0

# `outcome` of a write: not_applied, applied or unknown. If unknown, look, or retry with its idempotency key.
class CallFailed < StandardError
  attr_reader :status, :outcome, :key

  def initialize(what, status, outcome, key)
    super(outcome ? "#{what}: #{outcome}, key #{key || 'none'}" : what)
    @status, @outcome, @key = status, outcome, key
  end
end

def sign(path, nonce, body)
  inner = OpenSSL::Digest::SHA256.digest(nonce + body.b)
  [OpenSSL::HMAC.digest('SHA512', SECRET, path.b + inner)].pack('m0')
end

# Makes one attempt. Returns status, Retry-After and body of the response. Status 0: no complete response arrived.
def attempt_once(method, path, body, key)
  # Rises with every request, also with a retry.
  $nonce = [Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond), $nonce + 1].max
  headers = { 'API-Key' => API_KEY, 'API-Nonce' => $nonce.to_s, 'API-Sign' => sign(path, $nonce.to_s, body) }
  headers['Accept-Encoding'] = 'identity' # so that Content-Length is the length of the body
  headers['Content-Type'] = 'application/json' unless body.empty?
  headers['Idempotency-Key'] = key if key
  response = Timeout.timeout(TIME_LIMIT_S) do
    # Otherwise Net::HTTP itself sends the request again, with the same nonce.
    Net::HTTP.start(BASE_URL.host, BASE_URL.port, use_ssl: BASE_URL.scheme == 'https', max_retries: 0) do |http|
      http.send_request(method, path, method == 'GET' ? nil : body, headers)
    end
  end
  # Net::HTTP takes half a body for a complete one.
  raise EOFError, 'the body broke off' if response.body.to_s.bytesize < response.content_length.to_i

  [response.code.to_i, response['Retry-After'], response.body.to_s.force_encoding('UTF-8').scrub]
rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
       Net::HTTPBadResponse => e
  [0, nil, "no response (#{e.class}: #{e.message})"]
end

# Returns the object of a body, or nil: a gateway may respond in HTML.
def parse(text)
  value = JSON.parse(text)
  value if value.is_a?(Hash)
rescue JSON::ParserError
  nil
end

# Says whether to retry, and the outcome of a write, by the table of retries in docs/reference/protocol.md.
def judge(method, key, status, code)
  return [method == 'GET', 'applied'] if status / 100 == 2 # damaged on its way
  return [true, 'not_applied'] if status == 429
  return [false, 'not_applied'] if (status / 100 == 4 && status != 408) || (status == 501 && code)

  safe = key || %w[GET DELETE].include?(method)
  [safe && ([0, 502, 503, 504].include?(status) || (status >= 500 && !code)), 'unknown']
end

# Returns how long to wait: what Retry-After says (seconds or a date), or a random time with a growing limit.
def wait_s(retry_after, attempt)
  return retry_after.to_i if retry_after&.match?(/\A\d+\z/)

  [Time.httpdate(retry_after.to_s) - Time.now, 0].max
rescue ArgumentError
  rand * attempt
end

# Returns the response's data. Store a write's idempotency key before: a retry with it has no second effect.
def call(method, path, value = nil, key: nil)
  body = value.nil? ? '' : JSON.generate(value) # these bytes are signed and sent
  outcome = nil
  (1..ATTEMPTS).each do |attempt|
    status, retry_after, text = attempt_once(method, path, body, key)
    answer = parse(text)
    return answer&.fetch('data', answer) if status / 100 == 2 && (answer || (method != 'GET' && text.empty?))

    error = answer && answer['error'].is_a?(Hash) ? answer['error'] : {}
    code = error['code']
    may_retry, now = judge(method, key, status, code)
    # No later rejection settles an unknown outcome.
    outcome = now if method != 'GET' && (outcome != 'unknown' || now == 'applied')
    if attempt == ATTEMPTS || !may_retry
      shown = code ? "#{code} #{error['instance']}" : text[0, 80]
      raise CallFailed.new(status.zero? ? shown : "#{status} #{shown}", status, outcome, key)
    end
    sleep(wait_s(retry_after, attempt))
  end
end

$stdout.sync = true
account = "/v1/accounts/#{ENV.fetch('PARTNER_ACCOUNT_ID')}"
begin
  puts "conversions #{call('GET', "#{account}/on-demand-conversions?page_size=2").length}"
  sides = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } }
  key = SecureRandom.uuid
  puts "key #{key}" # a product stores it together with its purpose
  quote = call('POST', "#{account}/quotes", sides, key: key)
  puts "quote #{quote['status']} #{call('GET', "#{account}/quotes/#{quote['id']}")['to']['amount']}"
rescue CallFailed => e
  abort "failed #{e.message}"
end
begin
  call('GET', "#{account}/quotes/none")
rescue CallFailed => e
  puts "error #{e.message}"
end
