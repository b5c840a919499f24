/**
 * The methods of `console` that are used; any of them may be missing. winston has them, too.
 *
 * @example
 * const logger: Logger = {
 *   warn: (message, fields) => console.warn(message, fields),
 *   error: (message, fields) => console.error(message, fields),
 * };
 * const client = new PartnerClient({ logger });
 */
export interface Logger {
  debug?(message: string, fields: object): unknown;
  info?(message: string, fields: object): unknown;
  warn?(message: string, fields: object): unknown;
  error?(message: string, fields: object): unknown;
}

/** A logger whose methods take the fields first: pino, bunyan and the `log` of Fastify. */
export interface FieldsFirstLogger {
  debug?(fields: object, message: string): unknown;
  info?(fields: object, message: string): unknown;
  warn?(fields: object, message: string): unknown;
  error?(fields: object, message: string): unknown;
}

/**
 * Makes a `logger` option from a logger whose methods take `(fields, message)`, as those of bunyan
 * do. You can pass a pino logger unchanged. An object that wraps one may need this function.
 *
 * @example
 * import pino from 'pino';
 *
 * const log = pino({ level: 'warn' });
 * const wrapped = { error: (fields: object, message: string) => log.error(fields, message) };
 * const client = new PartnerClient({ logger: pinoLogger(wrapped) });
 */
export function pinoLogger(logger: FieldsFirstLogger): Logger {
  return {
    debug: (message, fields) => logger.debug?.(fields, message),
    info: (message, fields) => logger.info?.(fields, message),
    warn: (message, fields) => logger.warn?.(fields, message),
    error: (message, fields) => logger.error?.(fields, message),
  };
}

/** The symbol of pino's serializers: each of its loggers has a member of this name. */
const PINO_SERIALIZERS = Symbol.for('pino.serializers');

/** True for a pino logger. */
export function isFieldsFirst(logger: object | undefined): logger is FieldsFirstLogger {
  try {
    return logger !== undefined && PINO_SERIALIZERS in logger;
  } catch {
    return false;
  }
}
