export { Facts as FactList } from './facts.js';
