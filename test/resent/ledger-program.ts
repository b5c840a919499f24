// The service in a process of its own: prints the environment of the programs that call it, and ends when its input ends.
import { Ledger } from './ledger.js';

const ledger = await Ledger.start();
console.log(JSON.stringify({ LEDGER: ledger.url }));
process.stdin.on('end', () => ledger.close()).resume();
