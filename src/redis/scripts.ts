/**
 * What Redis does, atomically. One hash for each API key, and each script touches that one key:
 *
 * - `holder`: who may issue nonces, `<source>.<count>`, empty when nobody; `ends`: until when, milliseconds of Redis's
 *   clock; `ttl`: for how long it was given;
 * - `floor`: everything the present holder issues is above; `ceiling`: nothing that anybody was allowed to issue is
 *   above;
 * - `run`: the Redis process that knew all this for certain; `doubt`: another one, and until when it waits for a holder
 *   to speak up;
 * - `tickets`, `w:<source>`: the queue of those that wait for their turn, each `<ticket> <until when it counts>`.
 *
 * Nonces have 19 digits, Lua's numbers 15: nonces are compared as text, and milliseconds are added to all but their
 * last six digits. What ends later than it could was written before Redis's clock was set back. (Redis 5 or later: TIME
 * before a write.)
 */
const PRELUDE = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = time[1] .. string.format('%06d', time[2]) .. '000'
local record = {}
local fields = redis.call('HGETALL', key)
for i = 1, #fields, 2 do record[fields[i]] = fields[i + 1] end

local MOST_PATIENCE = 60000

local function above(one, other)
  if #one ~= #other then return #one > #other end
  return one > other
end
local function higher(one, other)
  if above(other, one) then return other end
  return one
end
local function text(number) return string.format('%.0f', number) end
local function later(nonce, milliseconds) return text(tonumber(nonce:sub(1, -7)) + milliseconds) .. nonce:sub(-6) end

local function process()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and info:match('run_id:(%x+)') or ''
end
local function waiting(source)
  local others, ahead = 0, 0
  local mine = tonumber((record['w:' .. source] or ''):match('^%d+')) or math.huge
  for field, value in pairs(record) do
    local other = field:match('^w:(.+)$')
    if other and other ~= source then
      local ticket, counts = value:match('^(%d+) (%d+)$')
      if tonumber(counts) < now or tonumber(counts) > now + MOST_PATIENCE then
        redis.call('HDEL', key, field)
      else
        others = others + 1
        if tonumber(ticket) < mine then ahead = ahead + 1 end
      end
    end
  end
  return others, ahead
end
`;

/**
 * A holder that Redis has forgotten (it lost its data, or came back with an old copy) is still the holder when no other
 * hold has begun since, which would have a higher floor, and its own has not run out. One that has run out is believed
 * only by the Redis that wrote it: an old copy may show it although another hold has begun. Arguments 1 to 3: token,
 * floor, end.
 */
const HOLDS = `
local within = now <= tonumber(ARGV[3])
local holds = record.holder == ARGV[1] and (within or record.run == process()) or (within and above(ARGV[2], record.floor or '0'))
if not holds then return { 'lost' } end
`;

/**
 * Takes the API key when it is free. Arguments: source, count of its attempts, ttl, its clock, its last nonce of this
 * key, how long it counts as waiting (0: it does not queue), how far ahead a nonce may lie, in ms. Gives `granted`,
 * floor, ceiling, end, others waiting; `wait`, milliseconds, why, place; or, with nothing written, `clock`, by how many
 * ms the source's clock is ahead of Redis's, and `ahead`, the floor of a record that is ahead of both clocks.
 *
 * A source may displace its own earlier hold: it has given that up. It knows what it has issued, so the new floor need
 * not be above the ceiling of the old one.
 */
export const ACQUIRE = `${PRELUDE}
local source, count, ttl, patience = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[6])
local holder, held = (record.holder or ''):match('^(.*)%.(%d+)$')
local mine = holder == source
if mine and tonumber(held) >= count then return { 'wait', '0', 'late', '0' } end

local run = process()
if record.run ~= run then
  local doubter, till = (record.doubt or ''):match('^(%x*) (%d+)$')
  if doubter ~= run or tonumber(till) > now + ttl then
    till = text(now + ttl)
    redis.call('HSET', key, 'doubt', run .. ' ' .. till)
  end
  if tonumber(till) > now then return { 'wait', text(till - now), 'doubt', '0' } end
end

local ends = tonumber(record.ends or '0')
local latest = now + tonumber(record.ttl or '0')
if ends > latest then
  ends = latest
  redis.call('HSET', key, 'ends', text(ends))
end
local taken = holder and not mine and ends > now
local others, ahead = waiting(source)
if taken or (patience > 0 and ahead > 0) then
  -- The source has given this hold up: its next turn comes after those that wait.
  if mine then redis.call('HSET', key, 'holder', '', 'ends', '0', 'ceiling', higher(record.floor or '0', ARGV[5])) end
  if patience > 0 then
    local ticket = (record['w:' .. source] or ''):match('^%d+') or text(redis.call('HINCRBY', key, 'tickets', 1))
    redis.call('HSET', key, 'w:' .. source, ticket .. ' ' .. text(now + patience))
  end
  return { 'wait', text(taken and ends - now or 0), taken and 'taken' or 'queue', text(ahead) }
end

local issued = higher(mine and record.floor or record.ceiling or '0', ARGV[5])
local floor = higher(issued, higher(clock, ARGV[4]))
local wall, most = tonumber(ARGV[4]) / 1000000, tonumber(ARGV[7] or 'inf')
if wall > now + most then return { 'clock', text(wall - now) } end
if tonumber(floor) / 1000000 > math.max(now, wall) + most then return { 'ahead', floor } end
local ceiling = later(floor, ttl)
ends = text(now + ttl)
redis.call('HSET', key, 'holder', source .. '.' .. ARGV[2], 'ends', ends, 'ttl', ARGV[3])
redis.call('HSET', key, 'floor', floor, 'ceiling', ceiling, 'run', run)
redis.call('HDEL', key, 'doubt', 'w:' .. source)
return { 'granted', floor, ceiling, ends, text(others) }
`;

/**
 * Holds on to the API key. Arguments: token, floor, end, ttl, source, the highest nonce that it will issue until the
 * new end. Gives `renewed`, ceiling, end, others waiting; or `lost`.
 */
export const RENEW = `${PRELUDE}${HOLDS}
local ceiling = higher(record.ceiling or '0', ARGV[6])
local ends = text(now + tonumber(ARGV[4]))
redis.call('HSET', key, 'holder', ARGV[1], 'ends', ends, 'ttl', ARGV[4])
redis.call('HSET', key, 'floor', ARGV[2], 'ceiling', ceiling, 'run', process())
redis.call('HDEL', key, 'doubt')
local others = waiting(ARGV[5])
return { 'renewed', ceiling, ends, text(others) }
`;

/**
 * Gives the API key back. Arguments: token, floor, end, the last nonce issued, `1` for the newest attempt of its
 * source. Gives `released` or `lost`. Only the newest attempt can say that Redis has forgotten nobody: an older one may
 * be followed by a hold of the same source.
 */
export const RELEASE = `${PRELUDE}${HOLDS}
redis.call('HSET', key, 'holder', '', 'ends', '0', 'floor', ARGV[2], 'ceiling', ARGV[4])
if ARGV[5] == '1' then
  redis.call('HSET', key, 'run', process())
  redis.call('HDEL', key, 'doubt')
end
return { 'released' }
`;

/** The floor of the present holder, or of the last one. */
export const FLOOR = `return { redis.call('HGET', KEYS[1], 'floor') or '0' }`;

/** Waits no more. Argument: source. */
export const LEAVE = `redis.call('HDEL', KEYS[1], 'w:' .. ARGV[1]) return { 'left' }`;
