import { DEFAULT_SHARE, SHARE } from './requests.js';
import { METHOD, NOTHING_SAVED, type ScenarioKind } from './scenario.js';

/** Delay of a late delivery, in ms of the clock. */
const LATE_MS = 60_000;

interface AddedFaults {
  /** Ids of the added faults. */
  readonly webhookFaults: readonly string[];
}

export const lossyWebhooks: ScenarioKind<object, AddedFaults> = {
  summary:
    'Some webhook deliveries are lost, arrive a minute late or arrive twice, each equally likely. Lost ones stay lost.',
  options: { share: SHARE },
  saved: NOTHING_SAVED,
  start({ webhookFaults: faults }, { share = DEFAULT_SHARE }) {
    const third = share / 3;
    // Each fault is tried only if no earlier one applied.
    const webhookFaults = [
      faults.add(METHOD, { drop: true, times: 'always', probability: third }),
      faults.add(METHOD, { delay: LATE_MS, times: 'always', probability: third / (1 - third) }),
      faults.add(METHOD, { duplicate: 1, times: 'always', probability: Math.min(1, third / (1 - 2 * third)) }),
    ].map(({ id }) => id);
    return { run: { webhookFaults } };
  },
  stop({ webhookFaults }, { run }) {
    for (const id of run?.webhookFaults ?? []) webhookFaults.remove(id);
  },
};
