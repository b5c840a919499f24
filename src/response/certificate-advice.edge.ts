/** A worker can neither trust a certificate of its own nor show one: there is no advice. */
export const certificateAdvice = (_code: string): string => '';
