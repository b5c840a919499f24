/** 2: the command line is wrong; 1: anything else; 0: an end that is worth a line. */
type FailureCode = 0 | 1 | 2;

/** Ends the program: its message is the one line on stderr, its code the exit code. */
export class Failure extends Error {
  readonly exitCode: FailureCode;

  constructor(exitCode: FailureCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The end of a command line that is wrong. */
export function wrongOption(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox --help shows all options`);
}
