/** `node import.js PACKAGE…`: prints the milliseconds that it takes to import them. */
const began = performance.now();
for (const name of process.argv.slice(2)) await import(name);
console.log(performance.now() - began);
process.exit();

export {};
