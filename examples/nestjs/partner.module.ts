import {
  type DynamicModule,
  type FactoryProvider,
  Global,
  Inject,
  Module,
  type ModuleMetadata,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type ClientOptions, PartnerClient } from 'partner-sdk';

const OPTIONS = Symbol('options of PartnerClient');

/** What `forRootAsync` takes: a factory, what it gets injected, and the modules which that is from. */
export type PartnerAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<ClientOptions>, 'inject' | 'useFactory'>;

/**
 * Provides one `PartnerClient` to the whole application. It is closed when the application is:
 * call `app.enableShutdownHooks()`, so that a SIGTERM closes it as well.
 */
@Global()
@Module({
  providers: [
    {
      provide: PartnerClient,
      inject: [OPTIONS],
      useFactory: (options: ClientOptions) => new PartnerClient(options),
    },
  ],
  exports: [PartnerClient],
})
export class PartnerModule implements OnApplicationShutdown {
  readonly #client: PartnerClient;

  constructor(@Inject(PartnerClient) client: PartnerClient) {
    this.#client = client;
  }

  /** Without options the client reads PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET. */
  static forRoot(options: ClientOptions = {}): DynamicModule {
    return { module: PartnerModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  static forRootAsync({ imports = [], inject = [], useFactory }: PartnerAsyncOptions): DynamicModule {
    return { module: PartnerModule, imports, providers: [{ provide: OPTIONS, inject, useFactory }] };
  }

  /** Nest calls it after the last request was answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client.close();
  }
}
