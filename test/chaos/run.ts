import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../support/redis.js';
import type { Evidence } from './judge/evidence.js';
import { type Finding, judge } from './judge/judge.js';
import { Disasters } from './plan/disasters.js';
import { labelOf, type Phase } from './plan/phases.js';
import { type CallPlan, kindOf, planOf } from './plan/plan.js';
import { Route } from './route.js';
import { checkSize, Service } from './service.js';
import { Crew } from './worker/crew.js';
import type { WorkerProgram } from './worker/program.js';
import { type Sabotage, SWAPS } from './worker/sabotage.js';

export interface PhaseResult {
  readonly phase: Phase;
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly connections: number;
  readonly seconds: number;
}

/** How long what is under way at the end may take to arrive, in milliseconds. */
const ARRIVES_WITHIN = 20_000;

export async function runPhase(
  phase: Phase,
  { seed, sabotage, program }: { seed: number; sabotage: readonly Sabotage[]; program: WorkerProgram },
): Promise<PhaseResult> {
  const began = performance.now();
  const label = labelOf(phase);
  const course = { seed, phase: label, resumable: phase.kills };
  const plans = Array.from({ length: phase.calls }, (_, id) => planOf(course, id));
  checkSize(plans);
  const service = new Service(seed, label, plans, phase.idempotencyKeys);
  const { sandbox } = service;
  const swaps = sabotage.includes(SWAPS);
  const route = await Route.open((await sandbox.listen()).port, { seed, phase: label, edge: phase.edge, swaps });
  const redis = phase.nonces === 'own' ? undefined : await RedisServer.start();
  const keysOf = issueKeys(phase, service);
  const crew = new Crew(
    program,
    (process) => ({
      ...course,
      calls: phase.calls,
      fixtures: sandbox.fixtures,
      url: route.url,
      ca: route.ca,
      credentials: keysOf(process),
      nonceOrder: phase.nonceOrder,
      transport: phase.transport,
      nonces: phase.nonces,
      redisPort: redis?.port,
      processes: phase.processes,
      sabotage,
    }),
    route.env,
    (ended) => disasters.after(ended),
  );
  const disasters = new Disasters(phase, redis, () => crew.restart(0));
  service.misbehave();
  await crew.run(phase.processes);
  await disasters.over();
  const stuck = await comeToRest(route, service);
  const effects = service.effects();
  await Promise.all([route.close(), service.close(), redis?.stop()]);
  const evidence = { ...evidenceOf(phase, plans, service, route, crew), effects, left: [...stuck, ...crew.left] };
  const seconds = (performance.now() - began) / 1_000;
  return { phase, evidence, findings: judge(evidence), connections: route.made, seconds };
}

/** The API keys of each process: its own, or those that all share. */
function issueKeys({ nonces, keys, processes }: Phase, { sandbox }: Service) {
  const count = nonces === 'own' ? keys * processes : keys;
  const issued = Array.from({ length: count }, () => sandbox.keys.issue());
  // Processes that share API keys may list them in any order.
  const listed = (process: number) => (process % 2 === 0 ? issued : issued.toReversed());
  return (process: number) => (nonces === 'own' ? issued.slice(process * keys, (process + 1) * keys) : listed(process));
}

/** Also what still was in the link or at the edge has arrived or been dropped. Returns what has not. */
async function comeToRest(route: Route, service: Service): Promise<string[]> {
  const until = performance.now() + ARRIVES_WITHIN;
  while (!route.atRest && performance.now() < until) await sleep(20);
  await service.atRest();
  if (route.atRest) return [];
  return [`${route.held} open connections at the link, and what is under way in it or at the edge`];
}

function evidenceOf({ rules }: Phase, plans: readonly CallPlan[], service: Service, route: Route, crew: Crew) {
  const { sandbox, world, faults } = service;
  return {
    plans,
    ends: crew.ends,
    excused: crew.excused,
    effectOf: ({ kind, subject }: CallPlan) => kindOf(kind).effect?.(world, subject),
    journal: sandbox.journal,
    wire: route.wire,
    reports: crew.reports,
    incidents: crew.incidents,
    faults: new Map([...route.faults, ...faults]),
    rules,
  } satisfies Omit<Evidence, 'effects' | 'left'>;
}
