import { once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';

/** Longest page token of the lists of earn, as a parameter and in an answer. */
export const MAX_EARN_TOKEN_LENGTH = 64;

export const earnPaging = () => s.paging({ max: 200, maxTokenLength: MAX_EARN_TOKEN_LENGTH });

/** Page of a list about what an account earns. */
export interface EarnListParams {
  /** 1 to 200. The service documents no default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 64 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

export const earnListParams = s.input<EarnListParams>()(() => z.object(earnPaging()));

/** Account ids of 5 to 42 characters: the operations of earn take shorter ones than all others. */
export const earnAccountParams = once(() => z.object({ account_id: s.text(5, 42) }));
