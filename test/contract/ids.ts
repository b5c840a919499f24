/** Ids and names in the samples of the small service. A sandbox has its own. */
export const IDS = {
  userId: 'AA21N84GUXZ7CJQA',
  accountId: 'AA5R2QK-7HWLM-PX3DVE',
  quoteId: 'QT6XN2-ABCDE-7YHGTR',
  onchainQuoteId: 'oq_7c1fd0b2',
  swapId: 'pts_51b0e9',
  conversionId: '7b0d3c52-9a4e-4f0c-8d2e-11a6f0c5be93',
  transferId: 'tr_40f1a8',
  reportId: '0a6e1d64-3c1b-4c57-9f0e-6b1f8a2d7c35',
  webhookId: 'ep_2c9KQmVtZr0yW5uLxH3nBdPqE1f',
  bankLinkId: 'bl_4f9d2c7a10',
  addressId: 'ABk3P9x-Q2w7R-z8L0vT',
  methodId: '3f6f2a7e-58a3-4c1e-9d4b-0a1b2c3d4e5f',
  depositMethodId: '8c2d4b6a-1e3f-4a5b-8c7d-9e0f1a2b3c4d',
  addressKey: 'cold wallet',
};

export type Ids = Readonly<typeof IDS>;
