# Receives webhooks and proves who sent them: Ruby 3.0 or later, its standard library alone.
require 'json'
require 'openssl'
require 'set'
require 'socket'

SECRET = ENV.fetch('PARTNER_WEBHOOK_SECRET').unpack1('m0')

def proven?(header, body)
  parts = (header || '').split(',').map { |part| part.split('=', 2) }
  times = parts.filter_map { |name, value| value if name == 't' && value&.match?(/\A\d+\z/) }
  return false unless times.length == 1 && (Time.now.to_i - times[0].to_i).abs <= 300

  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{times[0]}.".b + body)
  # While secrets are rotated, a delivery has a v1 for each of them.
  parts.any? { |name, value| name == 'v1' && value && OpenSSL.secure_compare(value, expected) }
end

# Takes both forms, {"type": …} and the flat {"event_type": …}. X-Webhook-Event is not signed, and so not asked.
def kind_of(body)
  event = JSON.parse(body)
  (event.is_a?(Hash) && (event['event_type'] || event['type'])) || 'unknown'
rescue JSON::ParserError
  'unknown'
end

handled = Set.new # in a database, together with the effect, if a second one would do harm
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT', '3000').to_i)
$stdout.sync = true
puts "listening #{server.addr[1]}"
loop do
  socket = server.accept
  socket.gets # the request line
  headers = socket.each_line.take_while { |line| line != "\r\n" }
  headers = headers.to_h { |line| line.chomp.split(': ', 2).then { |name, value| [name.downcase, value] } }
  body = socket.read(headers['content-length'].to_i) # the raw bytes
  proven = proven?(headers['x-signature'], body)
  # The same event may come more than once.
  puts "event #{kind_of(body)}" if proven && handled.add?(headers['x-webhook-id'])
  socket.write("HTTP/1.1 #{proven ? '200 OK' : '400 Bad Request'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
rescue StandardError => e
  warn "a request that cannot be read: #{e.class}" # the next one is served
ensure
  socket&.close
end
