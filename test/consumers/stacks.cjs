// The stack of an error names the function that made the call, whichever way it was made. `node stacks.cjs [esm]` tries
// the installed package, required or imported; a test of the sources calls `stacksWithoutCaller` with them.
const TIMEOUT_MS = 10_000;
const NOBODY = 'AAAAAAA-AAAAA-AAAAAA';
const BODY = { from: { symbol: 'USD', type: 'fiat', amount: '10' }, to: { symbol: 'BTC', type: 'crypto' } };

/** Ways to make a call that fails, each with the function that must be named in the stack of its error. */
const AWAITED = {
  async awaits({ client }) {
    await client.users.get(NOBODY);
  },
  async returnsAwaited({ client }) {
    return await client.users.get(NOBODY);
  },
  async asksForResponse({ client }) {
    await client.users.get(NOBODY).withResponse();
  },
  async writes({ client }) {
    await client.accounts.quotes.create(NOBODY, BODY);
  },
  async callsAfterRetries({ client, sandbox }) {
    sandbox.fail({ operation: 'users.get', fault: 503, times: 1 });
    await client.users.get(NOBODY);
  },
  async breaksOff({ client, sandbox }) {
    sandbox.fail({ operation: 'users.get', fault: 'reset', times: 1 });
    await client.users.get(NOBODY, { maxRetries: 0 });
  },
  async runsIntoItsTimeout({ client, sandbox }) {
    sandbox.fail({ operation: 'users.get', fault: 'timeout', times: 1 });
    await client.users.get(NOBODY, { timeout: 50 });
  },
  async isAborted({ client, sandbox }) {
    sandbox.fail({ operation: 'users.get', fault: 'timeout', times: 1 });
    await client.users.get(NOBODY, { signal: AbortSignal.timeout(50) });
  },
  async refusesInput({ client }) {
    await client.users.get('');
  },
  async awaitsList({ client }) {
    await client.accounts.onDemandConversions.list(NOBODY);
  },
  async handsResolveAndRejectToList({ client }) {
    await new Promise((resolve, reject) => {
      client.accounts.onDemandConversions.list(NOBODY).then(resolve, reject);
    });
  },
  async loops({ client }) {
    for await (const _ of client.accounts.onDemandConversions.list(NOBODY));
  },
  async loopsAhead({ client, sandbox, accountId }) {
    const list = client.accounts.onDemandConversions.list(accountId, { page_size: 1 }, { prefetch: true });
    let pages = 0;
    for await (const _ of list.pages()) {
      if (pages++ === 0) sandbox.fail({ operation: 'accounts.onDemandConversions.list', fault: 500, times: 2 });
    }
  },
  async loopsOverPages({ client }) {
    for await (const _ of client.accounts.onDemandConversions.list(NOBODY).pages());
  },
  async collects({ client }) {
    await client.accounts.onDemandConversions.list(NOBODY).toArray({ limit: 5 });
  },
  async turnsThePage({ client, sandbox, accountId }) {
    const page = await client.accounts.onDemandConversions.list(accountId, { page_size: 1 });
    sandbox.fail({ operation: 'accounts.onDemandConversions.list', fault: 500, times: 1 });
    await page.nextPage();
  },
  async listsAnything({ client }) {
    await client.list({ path: '/v1/accounts/{account_id}/transfers', params: { account_id: NOBODY } });
  },
  async requestsAnything({ client }) {
    await client.request({ method: 'GET', path: '/v1/users/{user_id}', params: { user_id: NOBODY } });
  },
  async requestsBySchema({ client, userId }) {
    const schema = {
      '~standard': { version: 1, vendor: 'test', validate: async () => ({ issues: [{ message: 'no' }] }) },
    };
    await client.request({ method: 'GET', path: '/v1/users/{user_id}', params: { user_id: userId }, schema });
  },
  async waits({ client }) {
    await client.users.waitFor(NOBODY, { timeout: TIMEOUT_MS });
  },
  async waitsTooLong({ client, quoteId, accountId }) {
    await client.accounts.quotes.waitFor(accountId, quoteId, { timeout: 300 });
  },
  async trades({ client }) {
    await client.accounts.quotes.trade(NOBODY, BODY, { reference: 'stack', accept: () => true });
  },
  async tradesUntilTheWaitFails({ client, sandbox, accountId }) {
    const accept = () => {
      sandbox.fail({ operation: 'accounts.quotes.get', fault: 404, times: 50 });
      return true;
    };
    await client.accounts.quotes.trade(accountId, BODY, { reference: 'stack of a wait', accept });
  },
  async settles({ client, sandbox, accountId }) {
    sandbox.fail({ operation: 'accounts.quotes.create', fault: 'reset', times: 1 });
    const lost = await client.accounts.quotes
      .create(accountId, BODY, { maxRetries: 0 })
      .then(undefined, (error) => error);
    sandbox.fail({ operation: 'accounts.quotes.create', fault: 'reset', times: 50 });
    const again = (options) => client.accounts.quotes.create(accountId, BODY, { ...options, maxRetries: 0 });
    await client.settle(lost, again, { signal: AbortSignal.timeout(100) });
  },
  async callsSeveral({ client }) {
    await Promise.all([client.users.get(NOBODY), client.accounts.portfolio.details(NOBODY)]);
  },
  async callsSeveralAndLooksAtAll({ client }) {
    const ends = await Promise.allSettled([client.users.get(NOBODY)]);
    throw ends[0].reason;
  },
};

/** Nothing awaits the call where it is made: `then`, `catch` and `finally` remember their caller. */
const CHAINED = {
  handlesByThen({ client }) {
    return new Promise((_, reject) => {
      client.users.get(NOBODY).then(undefined, reject);
    });
  },
  handlesLaterInTheChain({ client }) {
    return new Promise((_, reject) => {
      client.users
        .get(NOBODY)
        .then(() => {})
        .then(undefined, reject);
    });
  },
  handlesByCatch({ client }) {
    return new Promise((_, reject) => {
      client.users.get(NOBODY).catch(reject);
    });
  },
  handlesAfterFinally({ client }) {
    return new Promise((_, reject) => {
      client.users
        .get(NOBODY)
        .finally(() => {})
        .catch(reject);
    });
  },
  handlesListByThen({ client }) {
    return new Promise((_, reject) => {
      client.accounts.onDemandConversions.list(NOBODY).then(undefined, reject);
    });
  },
  handlesListByCatch({ client }) {
    return new Promise((_, reject) => {
      client.accounts.onDemandConversions.list(NOBODY).catch(reject);
    });
  },
};

/** Settings of a client under which the stacks must be the same. */
const CLIENTS = {
  plain: {},
  'hooks.run': { hooks: { run: (_event, next) => next() } },
  'two hooks': {
    hooks: [
      { onError() {}, run: async (_event, next) => await next() },
      { onEnd() {}, onRequest() {} },
    ],
  },
  'a logger': { logger: { debug() {}, info() {}, warn() {}, error() {} } },
};

/**
 * Tries all ways with all clients. Returns the failures: the stack of an error without its caller, or with a caller
 * twice.
 *
 * @param more Further clients, by name.
 * @param stackOf Returns the text to look at. Default: `error.stack`.
 */
async function stacksWithoutCaller({ PartnerClient, createSandbox }, more = {}, stackOf = (error) => error.stack) {
  const sandbox = createSandbox({ seed: 1 });
  const { url: baseUrl } = await sandbox.listen({ port: 0 });
  const failures = [];
  try {
    for (const [settings, options] of Object.entries({ ...CLIENTS, ...more })) {
      const client = new PartnerClient({ baseUrl, ...sandbox.credentials, ...options });
      for (const [name, way] of Object.entries({ ...AWAITED, ...CHAINED })) {
        sandbox.reset();
        const stack = await way({ client, sandbox, ...sandbox.fixtures }).then(() => 'no error', stackOf);
        // A frame of a method of an object may begin with the name of the object.
        const [own] = String(stack).split('\ncaused by: ');
        const named = own.split('\n').filter((line) => new RegExp(`^ +at (async )?(\\w+\\.)?${name} `).test(line));
        if (named.length !== 1) failures.push(`${settings}: ${name} is named ${named.length} times in\n${stack}`);
      }
      await client.close();
    }
  } finally {
    await sandbox.close();
  }
  return failures;
}

module.exports = { stacksWithoutCaller };

if (require.main === module) main(process.argv[2] === 'esm');

async function main(asModule) {
  const load = async (name) => (asModule ? await import(name) : require(name));
  const { PartnerClient } = await load('partner-sdk');
  const { createSandbox } = await load('partner-sdk/sandbox');
  const failures = await stacksWithoutCaller({ PartnerClient, createSandbox });
  for (const failure of failures) console.error(failure, '\n');
  process.exitCode = failures.length === 0 ? 0 : 1;
}
