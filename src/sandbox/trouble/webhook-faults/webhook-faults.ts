import { checkGiven, type Rules, rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Random } from '../../core/basics/random.js';
import { countOf, shownCount, TIMES, type Times } from '../../core/basics/times.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import type { SandboxWebhookFaults } from '../../webhooks/controls/faults.js';
import type { Delivery } from '../../webhooks/delivery/delivery.js';
import type { WebhookFault, WebhookFaultOptions } from '../../webhooks/delivery/delivery-fault.js';
import { checkEffects, EFFECT_RULES } from '../../webhooks/delivery/effects.js';
import type { FaultEntry } from '../faults/fault-entry.js';
import { isProbability } from '../faults/fault-options.js';

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');

const RULES = {
  kind: TEXT,
  webhookId: TEXT,
  eventId: TEXT,
  times: TIMES,
  probability: rule(isProbability, 'must be above 0, at most 1'),
  ...EFFECT_RULES,
} satisfies Rules<WebhookFaultOptions>;

interface FaultRule {
  readonly options: WebhookFaultOptions;
  applied: number;
}

/** All active webhook faults. They belong to one run: a snapshot does not contain them. */
export class WebhookFaults {
  readonly #random: Random;
  readonly #timeline: Timeline;
  readonly #rules = new Map<string, FaultRule>();
  #added = 0;

  /** @param random Random stream that decides to which attempts they apply. */
  constructor(random: Random, timeline: Timeline) {
    this.#random = random;
    this.#timeline = timeline;
  }

  /** @param method Start of an error's message. */
  add(method: string, given: WebhookFaultOptions): WebhookFault {
    const options = readWebhookFault(method, given);
    this.#added += 1;
    const id = `webhook_fault_${this.#added}`;
    const rule = { options, applied: 0 };
    this.#rules.set(id, rule);
    this.#timeline.note<FaultEntry>({ kind: 'fault', id, what: 'added' });
    return recordOf(id, rule);
  }

  /** Oldest first. */
  list(): WebhookFault[] {
    return Array.from(this.#rules, ([id, rule]) => recordOf(id, rule));
  }

  /** Returns false if no active fault has this id. */
  remove(id: string): boolean {
    const was = this.#rules.delete(id);
    if (was) this.#timeline.note<FaultEntry>({ kind: 'fault', id, what: 'ended' });
    return was;
  }

  /** Removes all faults without entries in the timeline, and restarts ids and the random stream. */
  reset(random: Random): void {
    this.#random.copyFrom(random);
    this.#rules.clear();
    this.#added = 0;
  }

  clear(): void {
    for (const id of [...this.#rules.keys()]) this.remove(id);
  }

  /**
   * Returns the oldest fault that applies to an attempt, and counts it. `isPlanned`: the attempt
   * may be delayed.
   */
  strike(delivery: Delivery, isPlanned: boolean): WebhookFault | undefined {
    for (const [id, rule] of this.#rules) {
      const { probability = 1 } = rule.options;
      if (!fits(rule.options, delivery, isPlanned)) continue;
      if (probability < 1 && !this.#random.chance(probability)) continue;
      rule.applied += 1;
      this.#timeline.note<FaultEntry>({ kind: 'fault', id, what: 'applied' });
      if (leftOf(rule) === 0) this.remove(id);
      return recordOf(id, rule);
    }
    return undefined;
  }
}

function fits(options: WebhookFaultOptions, { type, webhookId, eventId }: Delivery, isPlanned: boolean): boolean {
  if (options.kind !== undefined && options.kind !== type) return false;
  if (options.webhookId !== undefined && options.webhookId !== webhookId) return false;
  if (options.eventId !== undefined && options.eventId !== eventId) return false;
  return isPlanned || (options.delay === undefined && options.reorder !== true);
}

const leftOf = ({ options: { times = 1 }, applied }: FaultRule): Times => shownCount(countOf(times) - applied);

function recordOf(id: string, rule: FaultRule): WebhookFault {
  const { times: _, ...options } = rule.options;
  return { id, ...options, applied: rule.applied, left: leftOf(rule) };
}

/**
 * Reads and checks the options of a webhook fault.
 *
 * @param method Start of an error's message.
 * @throws TypeError for an unknown or wrong option, or if nothing goes wrong.
 */
function readWebhookFault(method: string, given: WebhookFaultOptions): WebhookFaultOptions {
  const options = checkGiven(method, given, RULES, TypeError);
  checkEffects(method, options);
  return options;
}

/** Makes deliveries go wrong. */
export const webhookFaults: GroupOf<{ readonly trouble: Faulty }, SandboxWebhookFaults> = {
  name: 'webhooks.faults',
  removal: 'remove',
  methods: {
    add: {
      takes: { options: GIVEN },
      run: ({ trouble }, options) => trouble.webhookFaults.add('webhooks.faults.add', options),
    },
    list: { id: 'id', run: ({ trouble }) => trouble.webhookFaults.list() },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (trouble.webhookFaults.remove(id)) return;
        throw new Error(`webhooks.faults.remove: there is no bad webhook ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.webhookFaults.clear() },
  },
};

interface Faulty {
  readonly webhookFaults: WebhookFaults;
}
