# Signs requests and calls the API: Ruby 3.0 or later, its standard library alone.
#
# What docs/reference/protocol.md calls safe is sent again: the same bytes and key, a new nonce and signature.
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

# `outcome` of a write: not_applied, applied, or unknown. Then look, or send it again with its key.
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

# Makes one attempt. Gives status, Retry-After and text of the answer. Status 0: no whole answer came.
def attempt_once(method, path, body, key)
  # Rises with every request, repeats too.
  $nonce = [Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond), $nonce + 1].max
  headers = { 'API-Key' => API_KEY, 'API-Nonce' => $nonce.to_s, 'API-Sign' => sign(path, $nonce.to_s, body) }
  headers['Accept-Encoding'] = 'identity' # so that Content-Length is the length of the text
  headers['Content-Type'] = 'application/json' unless body.empty?
  headers['Idempotency-Key'] = key if key
  response = Timeout.timeout(TIME_LIMIT_S) do
    # Net::HTTP itself would send again, with the same nonce.
    Net::HTTP.start(BASE_URL.host, BASE_URL.port, use_ssl: BASE_URL.scheme == 'https', max_retries: 0) do |http|
      http.send_request(method, path, method == 'GET' ? nil : body, headers)
    end
  end
  # Net::HTTP takes half a body for a whole one.
  raise EOFError, 'the body broke off' if response.body.to_s.bytesize < response.content_length.to_i

  [response.code.to_i, response['Retry-After'], response.body.to_s.force_encoding('UTF-8').scrub]
rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
       Net::HTTPBadResponse => e
  [0, nil, "no answer (#{e.class}: #{e.message})"]
end

# Gives the object of a body, or nil: a gateway may answer in HTML.
def parse(text)
  value = JSON.parse(text)
  value if value.is_a?(Hash)
rescue JSON::ParserError
  nil
end

# Says if to send again, and what has become of a write: the table of retries in docs/reference/protocol.md.
def judge(method, key, status, code)
  return [method == 'GET', 'applied'] if status / 100 == 2 # spoilt on its way
  return [true, 'not_applied'] if status == 429
  return [false, 'not_applied'] if (status / 100 == 4 && status != 408) || (status == 501 && code)

  safe = key || %w[GET DELETE].include?(method)
  [safe && ([0, 502, 503, 504].include?(status) || (status >= 500 && !code)), 'unknown']
end

# Gives what Retry-After says, seconds or a date. Otherwise a random wait with a growing limit.
def wait_s(retry_after, attempt)
  return retry_after.to_i if retry_after&.match?(/\A\d+\z/)

  [Time.httpdate(retry_after.to_s) - Time.now, 0].max
rescue ArgumentError
  rand * attempt
end

# Gives the data of the answer. Store the key of a write before: whoever repeats it has no second effect.
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
    # No later refusal ends a doubt.
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
  puts "key #{key}" # a product stores it, with what it is for
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
