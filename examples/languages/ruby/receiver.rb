# Receives webhooks and verifies who sent them: Ruby 3.0 or later, its standard library alone.
require 'json'
require 'openssl'
require 'set'
require 'socket'

SECRET = ENV.fetch('PARTNER_WEBHOOK_SECRET').unpack1('m0')

def verified?(header, body)
  parts = (header || '').split(',').map { |part| part.split('=', 2) }
  times = parts.filter_map { |name, value| value if name == 't' && value&.match?(/\A\d+\z/) }
  return false unless times.length == 1 && (Time.now.to_i - times[0].to_i).abs <= 300

  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{times[0]}.".b + body)
  # While secrets are rotated, a delivery has a v1 for each of them.
  parts.any? { |name, value| name == 'v1' && value && OpenSSL.secure_compare(value, expected) }
end

def members_of(body)
  event = JSON.parse(body)
  event.is_a?(Hash) ? event : {}
rescue JSON::ParserError
  {}
end

# Returns the kind of an event, and the id by which a duplicate of its delivery is known.
#
# Only an envelope, {"id": …, "type": …, "data": {…}}, has an id of its own. The id of the flat form, {"event_type": …},
# is that of the resource, and X-Webhook-ID is that of the subscription. Other events have the same ids.
def identify(body, header_kind)
  event = members_of(body)
  flat, kind, id = event.values_at('event_type', 'type', 'id').map { |text| text if text.is_a?(String) && text != '' }
  return [kind, id] if !flat && kind && id && event['data'].is_a?(Hash)
  return [flat || kind, OpenSSL::Digest::SHA256.hexdigest(body)] if flat || kind
  return ['unknown', OpenSSL::Digest::SHA256.hexdigest(body)] if header_kind.to_s.empty?

  # X-Webhook-Event isn't signed, so under another kind the same bytes are another event.
  [header_kind, OpenSSL::Digest::SHA256.hexdigest("#{header_kind}\n".b + body)]
end

handled = Set.new # if a second effect would do harm, store the ids in a database, together with the effect
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT', '3000').to_i)
$stdout.sync = true
puts "listening #{server.addr[1]}"
loop do
  socket = server.accept
  socket.gets # the request line
  headers = socket.each_line.take_while { |line| line != "\r\n" }
  headers = headers.to_h { |line| line.chomp.split(': ', 2).then { |name, value| [name.downcase, value] } }
  body = socket.read(headers['content-length'].to_i) # the raw bytes
  if (verified = verified?(headers['x-signature'], body))
    kind, delivery_id = identify(body, headers['x-webhook-event'])
    puts "event #{kind} #{delivery_id}" if handled.add?(delivery_id) # the service may deliver an event more than once
  end
  socket.write("HTTP/1.1 #{verified ? '200 OK' : '400 Bad Request'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
rescue StandardError => e
  warn "a request that cannot be read: #{e.class}" # the next one is served
ensure
  socket&.close
end
