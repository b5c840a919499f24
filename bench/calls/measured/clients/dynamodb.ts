import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type CreateClient, measured } from '../client.js';
import { ACCOUNT, PAGE_SIZE, QUOTE, WRITE_BODY } from '../requests.js';

interface QuoteItem {
  readonly to: { readonly M: { readonly amount: { readonly S: string } } };
}

interface ConversionItem {
  readonly fees: { readonly M: { readonly to: { readonly M: { readonly amount: { readonly S: string } } } } };
}

/** Signs (SigV4). The same values as typed attributes: a page is 19 kB. */
export const create: CreateClient = (origin) => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'x'.repeat(40) };
  const client = new DynamoDBClient({ endpoint: origin, region: 'us-east-1', credentials });
  return {
    quote: measured(
      () => client.send(new GetItemCommand({ TableName: 'quotes', Key: { id: { S: QUOTE } } })),
      ({ Item }) => (Item as QuoteItem | undefined)?.to.M.amount.S,
    ),
    page: measured(
      () => client.send(new QueryCommand(query)),
      ({ Items }) => (Items?.[24] as ConversionItem | undefined)?.fees.M.to.M.amount.S,
    ),
    write: measured(
      () => client.send(new PutItemCommand({ TableName: 'quotes', Item: item, ReturnValues: 'ALL_OLD' })),
      ({ Attributes }) => Attributes?.id?.S,
    ),
  };
};

const query = {
  TableName: 'conversions',
  Limit: PAGE_SIZE,
  KeyConditionExpression: 'account = :account',
  ExpressionAttributeValues: { ':account': { S: ACCOUNT } },
};

const item = {
  from: { M: Object.fromEntries(Object.entries(WRITE_BODY.from).map(([name, value]) => [name, { S: value }])) },
  to: { M: Object.fromEntries(Object.entries(WRITE_BODY.to).map(([name, value]) => [name, { S: value }])) },
};
