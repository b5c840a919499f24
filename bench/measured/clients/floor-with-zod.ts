/** The floor in a process that has loaded what a client must load to check answers at all. */
import 'zod';

export { create } from './floor.js';
