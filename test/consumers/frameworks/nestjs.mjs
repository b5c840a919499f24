// The module with options of a factory: a client for all modules, closed when the application is.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PartnerClient } from 'partner-sdk';
import { PartnerModule } from './dist/partner.module.js';

const SETTINGS = Symbol('settings');
class SettingsModule {}
Module({ providers: [{ provide: SETTINGS, useValue: { maxRetries: 1 } }], exports: [SETTINGS] })(SettingsModule);

class AppModule {}
const useFactory = async (settings) => {
  assert.deepEqual(settings, { maxRetries: 1 });
  return settings;
};
const partner = PartnerModule.forRootAsync({ imports: [SettingsModule], inject: [SETTINGS], useFactory });
Module({ imports: [partner] })(AppModule);

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'], abortOnError: false });
const client = app.get(PartnerClient);
assert.ok(client instanceof PartnerClient);
assert.equal(app.get(PartnerClient), client);
await assert.rejects(async () => client.users.get('no-such-user-here'), { name: 'NotFoundError' });
await app.close();
await assert.rejects(async () => client.users.get('no-such-user-here'), { name: 'ConfigurationError' });
