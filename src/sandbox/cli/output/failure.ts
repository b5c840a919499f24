/** 2: wrong command line; 1: any other failure; 0: not a failure, but worth a line. */
type FailureCode = 0 | 1 | 2;

/** Ends the program: its message is printed to stderr as one line, its code is the exit code. */
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

export function wrongOption(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox --help shows all options`);
}
