import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../support/redis.js';
import { Crew } from './crew.js';
import { Disasters } from './disasters.js';
import type { Evidence } from './evidence.js';
import { type Finding, judge } from './judge.js';
import { ChaosLink } from './link/link.js';
import type { Phase } from './phases.js';
import { type CallPlan, kindOf, planOf } from './plan.js';
import type { Sabotage } from './sabotage.js';
import { checkSize, Service } from './service.js';

/** What came of a phase. */
export interface PhaseResult {
  readonly phase: Phase;
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly connections: number;
  readonly seconds: number;
}

/** How long what is under way at the end may take to arrive, in milliseconds. */
const ARRIVES_WITHIN = 20_000;

export async function runPhase(phase: Phase, seed: number, sabotage: readonly Sabotage[] = []): Promise<PhaseResult> {
  const began = performance.now();
  const course = { seed, phase: phase.name, resumable: phase.kills };
  const plans = Array.from({ length: phase.calls }, (_, id) => planOf(course, id));
  checkSize(plans);
  const service = new Service(seed, phase.name, plans);
  const { sandbox } = service;
  const link = await ChaosLink.start((await sandbox.listen()).port, { seed, phase: phase.name });
  const redis = phase.nonces === 'own' ? undefined : await RedisServer.start();
  const keysOf = issueKeys(phase, service);
  const crew = new Crew(
    (process) => ({
      ...course,
      calls: phase.calls,
      fixtures: sandbox.fixtures,
      url: link.url,
      credentials: keysOf(process),
      nonceOrder: phase.nonceOrder,
      transport: phase.transport,
      nonces: phase.nonces,
      redisPort: redis?.port,
      processes: phase.processes,
      sabotage,
    }),
    (ended) => disasters.after(ended),
  );
  const disasters = new Disasters(phase, redis, () => crew.restart(0));
  service.misbehave();
  await crew.run(phase.processes);
  await disasters.over();
  const stuck = await comeToRest(link, service);
  const effects = service.effects();
  await Promise.all([link.close(), sandbox.close(), redis?.stop()]);
  const evidence = { ...evidenceOf(phase, plans, service, link, crew), effects, left: [...stuck, ...crew.left] };
  const seconds = (performance.now() - began) / 1_000;
  return { phase, evidence, findings: judge(evidence), connections: link.made, seconds };
}

/** The API keys of each process: its own, or those that all share. */
function issueKeys({ nonces, keys, processes }: Phase, { sandbox }: Service) {
  const count = nonces === 'own' ? keys * processes : keys;
  const issued = Array.from({ length: count }, () => sandbox.issueCredentials());
  return (process: number) => (nonces === 'own' ? issued.slice(process * keys, (process + 1) * keys) : issued);
}

/** Also what still was in the link has arrived or been dropped. Returns what has not. */
async function comeToRest(link: ChaosLink, service: Service): Promise<string[]> {
  const until = performance.now() + ARRIVES_WITHIN;
  while (!link.atRest && performance.now() < until) await sleep(20);
  await service.atRest();
  if (link.atRest) return [];
  return [`${link.open} open connections at the link, and what is under way in it`];
}

function evidenceOf({ rules }: Phase, plans: readonly CallPlan[], service: Service, link: ChaosLink, crew: Crew) {
  const { sandbox, world, faults } = service;
  return {
    plans,
    ends: crew.ends,
    excused: crew.excused,
    effectOf: ({ kind, subject }: CallPlan) => kindOf(kind).effect?.(world, subject),
    journal: sandbox.journal,
    wire: link.wire,
    reports: crew.reports,
    incidents: crew.incidents,
    faults: new Map([...link.faults, ...faults]),
    rules,
  } satisfies Omit<Evidence, 'effects' | 'left'>;
}
