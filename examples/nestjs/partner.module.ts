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

/**
 * Options of `forRootAsync`: a factory, what is injected into it, and the modules that provide
 * that.
 */
export type PartnerAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<ClientOptions>, 'inject' | 'useFactory'>;

/**
 * Provides one `PartnerClient` to the whole application, and closes the client together with the
 * application. Call `app.enableShutdownHooks()`, so that a SIGTERM closes it as well.
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

  /** Nest calls it after it has responded to the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client.close();
  }
}
