import { ApiError } from '../../errors.js';

/** Returns the time in ms for which the service asks to wait with a failure; 0 if it does not. */
export const retryAfterOf = (failure: unknown): number => (failure instanceof ApiError ? (failure.retryAfter ?? 0) : 0);
