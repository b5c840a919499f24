// Old names, until every view uses the new ones.
import { address } from '../../wire/address.js';

export { decoded, go, go as replace, hrefOf } from '../../wire/address.js';
export const currentRoute = () => address.peek();
export const useRoute = () => address.value;
