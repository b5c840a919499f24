import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer } from '../support/redis.js';
import type { Evidence } from './judge/evidence.js';
import { judge } from './judge/judge.js';
import { type PartResult, storyOf, volumeOf } from './judge/report.js';
import type { RunOptions } from './options.js';
import { kills, labelOf, type Phase } from './plan/phases.js';
import { type CallPlan, kindOf, planOf } from './plan/plan.js';
import { Route } from './route.js';
import { checkSize, Service } from './service.js';
import { Crew } from './worker/crew.js';
import type { WorkerProgram } from './worker/program.js';

/** How long what is under way at the end may take to arrive, in milliseconds. */
const ARRIVES_WITHIN = 20_000;

/** A process is killed at this share of the calls. */
const KILL_AT = 0.3;

/** What Redis goes through, at which share of the calls, for how many milliseconds: less and more than a hold lasts. */
const DISASTERS = [
  { at: 0.45, strike: dieAndReturn, lasts: 200 },
  { at: 0.6, strike: standStill, lasts: 1_500 },
  { at: 0.75, strike: dieAndReturn, lasts: 1_600 },
] as const;

export async function runPhase(phase: Phase, options: RunOptions, program: WorkerProgram): Promise<PartResult> {
  const { seed, sabotage, repeat } = options;
  const label = labelOf(phase);
  const course = { seed, phase: label, resumable: kills(phase) };
  const plans = Array.from({ length: phase.calls }, (_, id) => planOf(course, id));
  checkSize(plans);
  const service = new Service(seed, phase, plans);
  const { sandbox } = service;
  const route = await Route.open((await sandbox.listen()).port, seed, label, phase.edge);
  const redis = phase.nonces === 'own' ? undefined : await RedisServer.start();
  const keysOf = issueKeys(phase, service);
  let disasters = Promise.resolve();
  const crew: Crew = new Crew(
    program,
    (process) => ({
      ...course,
      ...phase,
      phase: label,
      fixtures: sandbox.fixtures,
      url: route.link.url,
      ca: route.ca,
      credentials: keysOf(process),
      redisPort: redis?.port,
      sabotage,
    }),
    route.env,
    (ended) => {
      const isAt = (share: number) => ended === Math.floor(phase.calls * share);
      if (kills(phase) && isAt(KILL_AT)) crew.restart(0);
      // One after the other, also when calls fail fast meanwhile.
      for (const { at, strike, lasts } of redis === undefined ? [] : DISASTERS) {
        if (isAt(at)) disasters = disasters.then(() => redis && strike(redis, lasts));
      }
    },
  );
  service.misbehave();
  await crew.run(phase.processes);
  await disasters;
  const stuck = await comeToRest(route, service);
  const effects = service.effects();
  await Promise.all([route.close(), service.close(), redis?.stop()]);
  const { ends, excused, incidents } = crew;
  const evidence: Evidence = {
    phase,
    plans,
    ends,
    excused,
    effects,
    effectOf: ({ kind, subject }: CallPlan) => kindOf(kind).effect?.(service.world, subject),
    journal: sandbox.journal,
    wire: route.wire,
    incidents,
    left: [...stuck, ...crew.left],
    faults: new Map([...route.faults, ...service.faults]),
  };
  return {
    label,
    volume: volumeOf(evidence, route.link.made),
    findings: judge(evidence),
    storyOf: (finding) => storyOf(finding, evidence),
    repeat: repeat(phase),
  };
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
  return [`${route.link.open} open connections at the link, and what is under way in it or at the edge`];
}

/** It has forgotten everything when it is back. */
async function dieAndReturn(redis: RedisServer, milliseconds: number): Promise<void> {
  await redis.kill();
  await sleep(milliseconds);
  await redis.revive({ data: false });
}

async function standStill(redis: RedisServer, milliseconds: number): Promise<void> {
  redis.pause();
  await sleep(milliseconds);
  redis.resume();
}
