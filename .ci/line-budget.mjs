// Counts the lines of each room of the repository, and fails if a room has more than its limit. A room that grows makes
// its code dearer to read for everybody, so raising a number here is a change of its own, which a reviewer sees and
// whose commit says why no other lines could go instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The most lines of each room, and the files that belong to it. The first room that takes a file has it. */
const ROOMS = [
  // 190 lines above 25,000: literals are written plainly, so that the compiler checks each member; and what the page tells:
  // the time and the subject of an event, the text that was probably signed, how many steps are planned, what is a replay.
  ['sandbox', 25_190, /^src\/sandbox\//],
  // The aim is 9,000. What is left are things that somebody uses: fewer lines would be fewer of them.
  ['page', 10_780, /^src\/inspector\//],
  // 735 lines above 26,000: settle() and webhook handlers that call nothing a success which is none, messages that say
  // what to check, names for the types of resources, without which TypeScript 5.4 writes no declarations (TS2742), texts
  // in another encoding, full disks, waits with fractions, webhooks on private networks, digits that are lost, requests
  // of other implementations of fetch, and the age of connections.
  ['client', 26_740, /^src\//],
  // 2,145 lines above 73,000: what messages advise, each request of the journal says its subject, its reason and its call,
  // which tests look at, literals are written plainly, what other tools send and print is tried, and each check is broken
  // once and twice. 1,030 of them run the recipes of the documents as partners run them: payouts by webhook and a worker
  // that are killed, a nightly job that starts twice, Lambda's events, downloads that break off, a
  // configuration mistake that closes no payout, each explained message.
  ['tests', 75_150, /^test\//],
  ['bench', 3_300, /^bench\//],
  // 620 lines above 6,900: README's links on a registry, a report of how the documents read, docstrings are joined to the
  // schemas of the control plane, CI counts the calls of zod, and the lists of objects in a query are parameters of their
  // own. 310 of them draw the pictures of the documents, and 70 send rejections through an application of each framework.
  ['tools and .ci', 7_530, /^(tools|\.ci)\//],
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
