// Old names, until every view uses the new ones.
import { Button, Action as NewAction, Removal } from './button.js';

export { Removal };

export const CallButton = ({ isMain, ...rest }: { isMain?: boolean } & Parameters<typeof Button>[0]) => (
  <Button {...rest} kind={isMain ? 'main' : undefined} />
);
export const Action = ({ isMain, ...rest }: { isMain?: boolean } & Parameters<typeof NewAction>[0]) => (
  <NewAction {...rest} kind={isMain ? 'main' : undefined} />
);
