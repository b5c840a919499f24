import { describe, expect, it } from 'vitest';
import { ConfigurationError, fetchTransport, PartnerClient } from '../../../src/index.js';
import { OPERATIONS, operation, USER } from '../support/operations.js';
import { API_KEY, API_SECRET, BASE_URL, startService } from '../support/service.js';

const service = startService();

type Method = (...given: unknown[]) => unknown;

/** Every method below an object, with its place in the client's tree. */
function methodsBelow(object: object, place: string): [place: string, method: Method][] {
  const prototype = Object.getPrototypeOf(object) as object;
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name, { value }]): [string, Method] => [`${place}.${name}`, value]);
  const groups = Object.entries(object).flatMap(([name, group]) => methodsBelow(group as object, `${place}.${name}`));
  return [...own, ...groups];
}

const METHODS = methodsBelow(service.client(), 'client');

describe('a method that is called without its object says how it is handed over', () => {
  it('in the words of a list of ids', () => {
    const { users } = service.client();
    // @ts-expect-error The place in the list would be the options.
    expect(() => [USER].map(users.get)).toThrow(
      new ConfigurationError(
        'client.users.get was called without its object: write ids.map((id) => client.users.get(id)), not ids.map(client.users.get)',
      ),
    );
    const api = { get: users.get };
    expect(() => api.get(USER)).toThrow(ConfigurationError);
  });

  it('without arguments for one that takes none', () => {
    const { close } = service.client();
    expect(() => close()).toThrow('client.close was called without its object: write () => client.close()');
  });

  it('with the name of every operation, wait and method of the client', () => {
    const names = METHODS.map(([place]) => place);
    for (const { name } of OPERATIONS) expect(names).toContain(`client.${name}`);
    expect(names).toEqual(expect.arrayContaining(['client.users.waitFor', 'client.accounts.quotes.trade']));
    expect(names).toEqual(expect.arrayContaining(['client.request', 'client.list', 'client.withOptions']));
  });

  it.each(METHODS)('%s', (place, method) => {
    expect(() => method(USER)).toThrow(ConfigurationError);
    expect(() => method(USER)).toThrow(`${place} was called without its object`);
    expect(service.received).toEqual([]);
  });
});

describe('a method keeps', () => {
  it('its name, its number of parameters, and stays out of loops over members', () => {
    const { users } = service.client();
    expect([users.get.name, users.get.length]).toEqual(['get', 2]);
    expect(Object.keys(Object.getPrototypeOf(users) as object)).toEqual([]);
  });

  it('working when it is bound, and on the client of a subclass', async () => {
    service.answerJson(operation('users.get').answer);
    class Ours extends PartnerClient {
      me() {
        return this.users.get(USER);
      }
    }
    const client = service.client();
    const get = client.users.get.bind(client.users);
    await get(USER);
    await using ours = new Ours({
      baseUrl: BASE_URL,
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      transport: fetchTransport(),
    });
    await ours.me();
    expect(service.received).toHaveLength(2);
  });
});
