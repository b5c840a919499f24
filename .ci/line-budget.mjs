// Counts the lines of each room of the repository, and fails if a room has more than its limit. A room that grows makes
// its code dearer to read for everybody, so raising a number here is a change of its own, which a reviewer sees and
// whose commit says why no other lines could go instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The most lines of each room, and the files that belong to it. The first room that takes a file has it. */
const ROOMS = [
  // 170 lines of it: each request of the journal says what it is about, why it failed and which call it belongs to.
  // 100 lines above 27,000: each group of controls says the schemas of its arguments, which the checks inside its methods
  // said before in part. What delays, fails or decides requests is still four registries, of which one is enough.
  ['sandbox', 27_270, /^src\/sandbox\//],
  ['page', 12_130, /^src\/inspector\//],
  ['client', 28_600, /^src\//],
  ['tests', 73_240, /^test\//],
  ['bench', 4_000, /^bench\//],
  ['tools and .ci', 6_950, /^(tools|\.ci)\//],
];

const COUNTED = /\.(ts|tsx|css|mjs|cjs|js|sh|html)$/;

const lines = new Map(ROOMS.map(([room]) => [room, 0]));
for (const file of execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')) {
  const [room] = ROOMS.find(([, , files]) => files.test(file)) ?? [];
  if (room === undefined || !COUNTED.test(file) || !existsSync(file)) continue;
  lines.set(room, lines.get(room) + readFileSync(file, 'utf8').split('\n').length - 1);
}

for (const [room, limit] of ROOMS) {
  const over = lines.get(room) - limit;
  console.log(
    `${room.padEnd(14)}${String(lines.get(room)).padStart(7)} of ${limit}${over > 0 ? `: ${over} too many` : ''}`,
  );
  if (over > 0) process.exitCode = 1;
}
