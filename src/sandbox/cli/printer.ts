import type {
  ControlCall,
  Delivery,
  DeliveryAttempt,
  JournalEntry,
  RegisteredWebhook,
  SandboxCredentials,
  SandboxFixtures,
} from 'partner-sdk/sandbox';

/** What a user needs to know to use a sandbox that has just started. */
export interface Listening {
  readonly url: string;
  /** Whether programs on other machines reach it. */
  readonly isPublic: boolean;
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  /** The subscription of `--webhook`. */
  readonly webhook: RegisteredWebhook | undefined;
  /** Name of the state file. */
  readonly state: string | undefined;
}

/** How the output says what happens: each gives whole lines. */
export interface Printer {
  listening(facts: Listening): string;
  request(entry: JournalEntry): string;
  delivery(delivery: Delivery, attempt: DeliveryAttempt): string;
  control(call: ControlCall): string;
  closed(reason: string): string;
}
