/** Returns the mistake of a secret that is not the base64 which the API takes, if it shows. */
export function formMistake(secret: string): string | undefined {
  if (/^-----BEGIN/.test(secret)) return 'is a PEM file: the API takes a base64 secret';
  return HEX.test(secret) ? 'looks like hex: give it in base64, as it was shown' : undefined;
}

/** Hex of 16 bytes or more. Less than 1 in 10^14 base64 secrets look like it. */
const HEX = /^(?=.*\d)(?=.*[a-f])([0-9a-f]{2}){16,}$/i;
