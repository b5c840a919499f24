# Signs requests and calls the API: Ruby 3.0 or later, its standard library alone.
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'

BASE_URL = ENV.fetch('PARTNER_BASE_URL')
API_KEY = ENV.fetch('PARTNER_API_KEY')
SECRET = ENV.fetch('PARTNER_API_SECRET').unpack1('m0')
$nonce = 0

def sign(path, nonce, body)
  inner = OpenSSL::Digest::SHA256.digest(nonce + body.b)
  [OpenSSL::HMAC.digest('SHA512', SECRET, path.b + inner)].pack('m0')
end

def call(method, path, value = nil)
  body = value.nil? ? '' : JSON.generate(value) # these bytes are signed and sent
  key = SecureRandom.uuid # one for all attempts: a repeat has no second effect
  (1..3).each do |attempt|
    # Rises with every request, repeats too.
    $nonce = [Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond), $nonce + 1].max
    headers = { 'API-Key' => API_KEY, 'API-Nonce' => $nonce.to_s, 'API-Sign' => sign(path, $nonce.to_s, body) }
    headers.update('Content-Type' => 'application/json', 'Idempotency-Key' => key) if method == 'POST'
    uri = URI(BASE_URL)
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', max_retries: 0) do |http|
      http.send_request(method, path, value && body, headers)
    end
    return JSON.parse(response.body)['data'] if response.is_a?(Net::HTTPSuccess)

    unless %w[429 503 504].include?(response.code) && attempt < 3
      error = JSON.parse(response.body)['error']
      raise "#{response.code} #{error['code']} #{error['instance']}"
    end
    sleep((response['Retry-After'] || attempt).to_f)
  end
end

account = "/v1/accounts/#{ENV.fetch('PARTNER_ACCOUNT_ID')}"
puts "conversions #{call('GET', "#{account}/on-demand-conversions?page_size=2").length}"
sides = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } }
quote = call('POST', "#{account}/quotes", sides)
puts "quote #{quote['status']} #{call('GET', "#{account}/quotes/#{quote['id']}")['to']['amount']}"
begin
  call('GET', "#{account}/quotes/none")
rescue RuntimeError => e
  puts "error #{e.message}"
end
