// Takes the place of the check of Node's version, where there is no Node.
export {};
