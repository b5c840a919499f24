// Takes the place of the check of Node's version in other runtimes.
export {};
