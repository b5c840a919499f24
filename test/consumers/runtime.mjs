// The acceptance program, where the environment has the address and the credentials, under the name of `options`.
import process from 'node:process';
import { accept } from './acceptance.mjs';

await accept({ options: {}, ...JSON.parse(process.env.ACCEPTANCE) });
console.log(`closed at ${Date.now()}`);
