// Runs in Node, Bun and Deno, with the installed package.
import process from 'node:process';
import { fetchTransport } from 'partner-sdk';
import { judgeRuntime } from './judge.js';

const { LEDGER = '', TRANSPORT } = process.env;
const options = TRANSPORT === 'fetch' ? { transport: fetchTransport() } : {};
console.log(await judgeRuntime(LEDGER, options));
// A runtime that keeps connections open must not keep the process.
process.exit(0);
