/** One broken rule. */
export interface Issue {
  /** Dotted path of the member, for example `from.amount`, `account_id`, `data.0.rate.price`. */
  readonly path: string;
  /**
   * The rule, for example `must be a string, not a number`. It never contains a value of the
   * caller.
   */
  readonly message: string;
}

/** An error stores only the first 100 issues, or causes, so that it fits into a log. */
export const MAX_ISSUES = 100;

/** A message lists no more issues than this. */
const MAX_SHOWN_ISSUES = 5;

/** Returns issues as one string; of many issues, only the first and the number of the others. */
export function listIssues(issues: readonly Issue[], say: (issue: Issue) => string = entryOf): string {
  const more = issues.length - MAX_SHOWN_ISSUES;
  return issues.slice(0, MAX_SHOWN_ISSUES).map(say).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

export const entryOf = ({ path, message }: Issue): string => (path === '' ? message : `${path}: ${message}`);
