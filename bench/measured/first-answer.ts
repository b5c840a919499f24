/** `node first-answer.js CLIENT ORIGIN`: prints the milliseconds from the start of the process to the first right answer. */
import type { CreateClient } from './client.js';
import { EVIDENCE } from './requests.js';

const [name, origin = ''] = process.argv.slice(2);
const { create } = (await import(`./clients/${name}.js`)) as { create: CreateClient };
const evidence = await create(origin).quote?.prove();
const milliseconds = performance.now();
if (evidence !== EVIDENCE.quote) throw new Error(`${name}: ${evidence}`);
console.log(milliseconds);
process.exit();
