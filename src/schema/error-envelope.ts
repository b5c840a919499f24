import { once } from './operation.js';
import * as z from './zod.js';

/** The body of an error, as the service sends it. */
export type ErrorBody = z.infer<ReturnType<typeof errorBody>>;

/** The body of every error of the service. */
export const errorBody = once(() =>
  z.looseObject({
    error: z.looseObject({
      type: z.string(),
      status: z.int(),
      instance: z.string(),
      code: code(),
      doc_url: z.optional(z.string()),
      causes: z.optional(z.array(z.looseObject({}))),
    }),
  }),
);

/**
 * What shows that the service itself has rejected a request, and not a proxy or load balancer. A
 * number as the code shows nothing: other APIs have one.
 */
export const rejection = once(() => z.looseObject({ error: z.looseObject({ code: code() }) }));

const code = () => z.string().check(z.minLength(1));
