/**
 * The atomic scripts that Redis runs. Each API key has one hash, and each script touches one hash:
 *
 * - `holder`: the source that may issue nonces, `<source>.<count>`, or empty; `ends`: until when,
 *   in ms of Redis's clock; `ttl`: for how long it was granted;
 * - `floor`: the current holder issues nonces above it; `ceiling`: no nonce above it was ever
 *   allowed;
 * - `run`: the Redis process that knows all this for certain; `doubt`: another Redis process, and
 *   until when it waits for a holder to renew its lease;
 * - `tickets`, `w:<source>`: the queue, each `<ticket> <until when it counts>`; `wanted`: when a
 *   source last had to wait; `spare`: `1` if the holder has other API keys for all its clients.
 *
 * Redis may have lost a holder's record: it lost its data, or was restored from an old copy. So an
 * API key is granted only if this Redis process knows:
 *
 * ```
 * acquire ─▶ is `run` this process? ── yes ─▶ decide: granted, taken, or queue
 *                    │ no
 *                    ▼
 *            refuse with "doubt" until ttl has passed. Meanwhile
 *              ├─ a holder renews or releases ─▶ `run` = this process, no doubt
 *              └─ none does: no lease is left ─▶ decide, `run` = this process
 * ```
 *
 * Nonces have 19 digits, but Lua's numbers only 15. So nonces are compared as strings, and their
 * last six digits are left out when milliseconds are added. If a lease ends later than is possible,
 * its end was written before Redis's clock was set back. Needs Redis 5 or later, because the
 * scripts call TIME before they write.
 */
const PRELUDE = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = time[1] .. string.format('%06d', time[2]) .. '000'
local record = {}
local fields = redis.call('HGETALL', key)
for i = 1, #fields, 2 do record[fields[i]] = fields[i + 1] end

local MAX_QUEUE_TIME = 60000

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
      if tonumber(counts) < now or tonumber(counts) > now + MAX_QUEUE_TIME then
        redis.call('HDEL', key, field)
      else
        others = others + 1
        if tonumber(ticket) < mine then ahead = ahead + 1 end
      end
    end
  end
  return others, ahead
end
local function quiet() return text(math.max(0, now - tonumber(record.wanted or '0'))) end
`;

/**
 * Checks that the source still has its lease, even one that Redis has lost. The source is believed
 * until the lease runs out, unless another lease has begun: that one has a higher floor. After its
 * end, only the Redis process that wrote it believes it: an old copy may show it although another
 * lease has begun. Arguments 1 to 3: token, floor, end.
 */
const HOLDS = `
local within = now <= tonumber(ARGV[3])
local holds = record.holder == ARGV[1] and (within or record.run == process()) or (within and above(ARGV[2], record.floor or '0'))
if not holds then return { 'lost' } end
`;

/**
 * Grants the API key if it is free. Arguments: source, count of its attempts, ttl, its clock, its
 * last nonce of this API key, how long it stays in the queue (0: it does not queue), how far ahead
 * a nonce may lie, in ms, whether it could do without. Returns one of
 *
 * - `granted`, floor, ceiling, end, others waiting, ms since one had to wait;
 * - `wait`, ms, reason, place, whether the holder could do without;
 * - `clock`, the ms by which the source's clock is ahead of Redis's (nothing is written);
 * - `ahead`, the floor of a record that is ahead of both clocks (nothing is written).
 *
 * A source may displace its own earlier lease, which it has given up. It knows the nonces that it
 * has issued, so the new floor need not be above the old ceiling.
 */
export const ACQUIRE = `${PRELUDE}
local source, count, ttl, queue_for = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[6])
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
if taken or ahead > 0 then
  -- The source has given this lease up: its next turn comes after those that wait.
  if mine then redis.call('HSET', key, 'holder', '', 'ends', '0', 'ceiling', higher(record.floor or '0', ARGV[5])) end
  if queue_for > 0 then
    local ticket = (record['w:' .. source] or ''):match('^%d+') or text(redis.call('HINCRBY', key, 'tickets', 1))
    redis.call('HSET', key, 'w:' .. source, ticket .. ' ' .. text(now + queue_for), 'wanted', text(now))
  end
  return { 'wait', text(taken and ends - now or 0), taken and 'taken' or 'queue', text(ahead), record.spare or '0' }
end

local issued = higher(mine and record.floor or record.ceiling or '0', ARGV[5])
local floor = higher(issued, higher(clock, ARGV[4]))
local wall, most = tonumber(ARGV[4]) / 1000000, tonumber(ARGV[7] or 'inf')
if wall > now + most then return { 'clock', text(wall - now) } end
if tonumber(floor) / 1000000 > math.max(now, wall) + most then return { 'ahead', floor } end
local ceiling = later(floor, ttl)
ends = text(now + ttl)
redis.call('HSET', key, 'holder', source .. '.' .. ARGV[2], 'ends', ends, 'ttl', ARGV[3])
redis.call('HSET', key, 'floor', floor, 'ceiling', ceiling, 'run', run, 'spare', ARGV[8] or '0')
redis.call('HDEL', key, 'doubt', 'w:' .. source)
return { 'granted', floor, ceiling, ends, text(others), quiet() }
`;

/**
 * Renews a lease. Arguments: token, floor, end, ttl, source, the highest nonce that it will issue
 * until the new end, whether it could do without. Returns `renewed`, ceiling, end, others waiting,
 * ms since one had to wait; or `lost`.
 */
export const RENEW = `${PRELUDE}${HOLDS}
local ceiling = higher(record.ceiling or '0', ARGV[6])
local ends = text(now + tonumber(ARGV[4]))
redis.call('HSET', key, 'holder', ARGV[1], 'ends', ends, 'ttl', ARGV[4])
redis.call('HSET', key, 'floor', ARGV[2], 'ceiling', ceiling, 'run', process(), 'spare', ARGV[7])
redis.call('HDEL', key, 'doubt')
local others = waiting(ARGV[5])
return { 'renewed', ceiling, ends, text(others), quiet() }
`;

/**
 * Ends a lease. Arguments: token, floor, end, the last nonce issued, `1` for the newest attempt of
 * its source. Returns `released` or `lost`. Only the newest attempt ends the doubt: after an older
 * one, Redis may have lost a newer lease of the same source.
 */
export const RELEASE = `${PRELUDE}${HOLDS}
redis.call('HSET', key, 'holder', '', 'ends', '0', 'floor', ARGV[2], 'ceiling', ARGV[4])
if ARGV[5] == '1' then
  redis.call('HSET', key, 'run', process())
  redis.call('HDEL', key, 'doubt')
end
return { 'released' }
`;

/** Returns the floor of the current lease, or of the last one. */
export const FLOOR = `return { redis.call('HGET', KEYS[1], 'floor') or '0' }`;

/** Leaves the queue. Argument: source. */
export const LEAVE = `redis.call('HDEL', KEYS[1], 'w:' .. ARGV[1]) return { 'left' }`;
