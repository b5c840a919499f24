import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { PartnerModule } from './partner.module.js';
import { PartnerErrorFilter } from './partner-error.filter.js';
import { PartnerWebhooksController, Settlements } from './partner-webhooks.controller.js';
import { UsersController } from './users.controller.js';

@Module({
  imports: [PartnerModule.forRoot()],
  controllers: [UsersController, PartnerWebhooksController],
  providers: [Settlements, { provide: APP_FILTER, useClass: PartnerErrorFilter }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { rawBody: true });
app.enableShutdownHooks();
await app.listen(process.env['PORT'] ?? 3000);
