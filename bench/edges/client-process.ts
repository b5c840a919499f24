/** The process of the clients that are measured: makes one load after another, each with clients of its own until they are told to go. */
import { makeCalls } from './loads.js';
import type { Said, Task } from './measured.js';
import { createSubject, type Subject } from './subjects.js';
import { type Tallied, Tally } from './tally.js';

/** Time in ms between two looks at what a client shows of itself. */
const LOOK_MS = 10;

const say = (said: Said) => process.send?.(said);
/** Those of the last load. */
let subjects: readonly Subject[] = [];

process.on('message', (task: Task) => {
  run(task).then(
    (result) => say({ result }),
    (error: unknown) => say({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
say({ ready: true });

async function run({ load, clients }: Task): Promise<NonNullable<Said['result']>> {
  if (clients !== undefined) {
    await Promise.all(subjects.map((subject) => subject.close()));
    const { subject, address, apiKeys } = clients;
    subjects = await Promise.all(apiKeys.map((apiKey) => createSubject(subject, address, apiKey)));
  }
  const watch = new BudgetWatch();
  const tally = new Tally();
  await makeCalls(load, subjects, tally, () => {
    tally.settle();
    say({ half: true });
  });
  const tallied: Tallied = tally.result();
  const stats = subjects[0]?.stats();
  const lane = stats?.lanes[0];
  return {
    ...tallied,
    budgetSpent: watch.stop(),
    retries: stats?.retries ?? 0,
    way: lane?.way,
    gap: lane?.gap,
    connections: lane?.connections,
  };
}

/** Watches how many tokens of the retry budgets are taken. */
class BudgetWatch {
  readonly #timer = setInterval(() => this.#look(), LOOK_MS);
  #spent = 0;

  #look(): void {
    for (const subject of subjects) {
      const budget = subject.stats()?.retryBudget;
      if (budget !== undefined) this.#spent = Math.max(this.#spent, budget.capacity - budget.available);
    }
  }

  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#spent;
  }
}
