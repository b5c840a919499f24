import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetAmount,
  assetAmount,
  BOTH_SIDES,
  type NamedAssetRef,
  namedAssetRef,
  type PartnerFee,
  QUOTE_ID_OF_PATH,
  type QuoteSides,
  tradeInput,
  type WithStatus,
} from '../common.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';

/** `offered → executing → executed | failed`, or `offered → expired` by time. The set is open. */
export type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

/** A price, locked until `expires_at`. */
export interface Quote {
  id: string;
  status: QuoteStatus;
  /** ISO 8601, UTC. About 30 s after creation. */
  expires_at: string;
  /** What the account pays. */
  from: AssetAmount;
  /** What the account receives. */
  to: AssetAmount;
  fees: {
    /** The platform's fee. */
    trade: AssetAmount;
  };
  /** `price`: one unit of `base` in `quote`. */
  rate: { base: NamedAssetRef; quote: NamedAssetRef; price: Decimal };
}

/** The final statuses of a quote. */
export type TerminalQuoteStatus = 'executed' | 'expired' | 'failed';

/** A quote narrowed by `status` to these statuses; not narrowed if the status is any string. */
export type QuoteWithStatus<Status extends QuoteStatus> = WithStatus<Quote, Status>;

/** A quote that will not change any more. */
export type TerminalQuote = QuoteWithStatus<TerminalQuoteStatus>;

/** The quote to request. Exactly one of `from.amount` and `to.amount` is set. */
export type QuoteCreateBody = QuoteTerms & QuoteSides;

type QuoteTerms = {
  /**
   * The partner's fee. A guide of the service lists it among the members to send, so if the service
   * rejects a quote without a fee, send `{ bps: 0 }`.
   */
  fee?: PartnerFee | undefined;
};

/** The response to an execution, not a whole quote. `quotes.waitFor` returns the final quote. */
export interface QuoteExecution {
  id: string;
  status?: QuoteStatus | undefined;
  /** ISO 8601, UTC. */
  executed_at?: string | undefined;
}

const quote = s.output<Quote>()(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    expires_at: z.string(),
    from: assetAmount(),
    to: assetAmount(),
    fees: z.looseObject({ trade: assetAmount() }),
    rate: z.looseObject({ base: namedAssetRef(), quote: namedAssetRef(), price: s.amount() }),
  }),
);

const quoteExecution = s.output<QuoteExecution>()(() =>
  z.looseObject({ id: z.string(), status: s.optionalText(), executed_at: s.optionalText() }),
);

export const getQuote = defineOperation('accounts.quotes.get', `GET ${ACCOUNT}/quotes/{quote_id}`, {
  waitFor: true,
  answer: s.data(quote),
  correlation: QUOTE_ID_OF_PATH,
});

export const createQuote = defineOperation('accounts.quotes.create', `POST ${ACCOUNT}/quotes`, {
  body: s.input<QuoteCreateBody>()(tradeInput),
  answer: s.data(quote),
  correlation: BOTH_SIDES,
  retrySafety: 'keyed',
});

export const executeQuote = defineOperation('accounts.quotes.execute', `POST ${ACCOUNT}/quotes/{quote_id}/execute`, {
  answer: s.data(quoteExecution),
  correlation: QUOTE_ID_OF_PATH,
  retrySafety: 'keyed',
});
