/** The text, or so many characters of it and a mark that it was longer. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
